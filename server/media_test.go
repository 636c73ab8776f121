package server_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kalends/kalends/server"
)

// picture returns a PNG.
func picture(width, height int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		img.Set(x, height/2, color.RGBA{R: uint8(x), A: 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// upload posts a file to a site.
func (k *kit) upload(site, as, name string, data []byte) answer {
	k.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("file", name)
	k.must(err)
	_, err = part.Write(data)
	k.must(err)
	k.must(form.Close())
	if site == "demo" {
		site = ""
	}
	return k.send(request{Method: "POST", Path: "/media", Site: site, As: as, Body: b.String(),
		Headers: map[string]string{"Content-Type": form.FormDataContentType()}})
}

// blob gets an address of a picture.
func (k *kit) blob(address string) answer {
	k.t.Helper()
	u, err := url.Parse(address)
	k.must(err)
	return k.get("/"+u.EscapedPath(), "")
}

// text returns a value of an object in the answer.
func (a answer) text(path ...string) string {
	var v any = a.Body
	for _, key := range path {
		object, _ := v.(map[string]any)
		v = object[key]
	}
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// gallery is a web server with pictures beside a kit that may fetch from it.
type gallery struct {
	*kit
	url  string
	dir  string // of the blobs
	hits atomic.Int64
}

func newGallery(t *testing.T) *gallery {
	t.Helper()
	g := &gallery{dir: t.TempDir()}
	web := httptest.NewServer(http.HandlerFunc(g.serve))
	t.Cleanup(web.Close)
	g.url = web.URL
	g.kit = newKit(t, func(c *server.Config) { c.Pictures = pictures(t, g.dir, strings.TrimPrefix(web.URL, "http://")) })
	return g
}

func (g *gallery) serve(w http.ResponseWriter, r *http.Request) {
	g.hits.Add(1)
	switch r.URL.Path {
	case "/a.png", "/b.png":
		_, _ = w.Write(picture(400, 300))
	case "/text.png":
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write([]byte("this is no picture"))
	case "/inside":
		http.Redirect(w, r, "http://127.0.0.1:1/a.png", http.StatusFound)
	default:
		http.NotFound(w, r)
	}
}

// blobs returns how many files are stored.
func (g *gallery) blobs() (n int) {
	g.t.Helper()
	g.must(filepath.WalkDir(g.dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	}))
	return n
}

func TestUpload(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	a := g.upload("demo", "author", "../../Über uns?.png", picture(1200, 900)).want(t, 201, "")
	if a.text("width") != "1200" || a.text("extension") != "png" || a.text("sizes", "large", "width") != "1024" {
		t.Fatalf("image: %s", a)
	}
	for name, width := range map[string]int{"thumbnail": 150, "medium": 300, "medium_large": 768, "large": 1024} {
		b := g.blob(a.text("sizes", name, "url"))
		img, _, err := image.Decode(bytes.NewReader(b.Raw))
		if err != nil || img.Bounds().Dx() != width || b.Header.Get("Content-Type") != a.text("sizes", name, "mime-type") {
			t.Errorf("%s: %v, %v", name, err, b.Header)
		}
		if got := strconv.Itoa(len(b.Raw)); got != a.text("sizes", name, "filesize") && !strings.HasPrefix(a.text("sizes", name, "filesize"), got) {
			t.Errorf("%s: %s bytes, said %s", name, got, a.text("sizes", name, "filesize"))
		}
	}
	b := g.blob(a.text("url"))
	if b.Status != 200 || b.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
		b.Header.Get("Content-Security-Policy") == "" || b.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("original: %d %v", b.Status, b.Header)
	}
	item := "/media/" + strconv.FormatInt(a.id(), 10)
	if got := g.get(item, "author").want(t, 200, ""); got.text("url") != a.text("url") || got.Header.Get("ETag") == "" {
		t.Errorf("get: %s", got)
	}
	g.del(item, "author").want(t, 200, "")
	g.get(item, "").want(t, 404, "rest-image-not-found")
	g.blob(a.text("url")).want(t, 404, "rest_no_route")
	g.del(item, "author").want(t, 404, "rest-image-not-found")
	if n := g.blobs(); n != 0 {
		t.Errorf("%d blobs are left", n)
	}
}

// TestPicturesOfTheHidden: of a picture that nothing public shows, only those who write
// hear where it lies.
func TestPicturesOfTheHidden(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	image := g.upload("demo", "author", "secret.png", picture(40, 30)).want(t, 201, "").id()
	path := "/media/" + strconv.FormatInt(image, 10)
	sees := func(about string, public bool) {
		t.Helper()
		for _, who := range []string{"", "reader"} {
			a := g.get(path, who)
			if public {
				a.want(t, 200, "")
			} else if a.want(t, 404, "rest-image-not-found"); strings.Contains(string(a.Raw), "secret") {
				t.Errorf("%s, %q: %s", about, who, a.Raw)
			}
		}
		g.get(path, "author").want(t, 200, "")
		g.get(path, "contributor").want(t, 200, "")
	}
	sees("nothing shows it", false)
	event := fmt.Sprintf("/events/%d", g.post("/events", "editor", with(valid("event"), "image", image, "status", "private")).want(t, 201, "").id())
	sees("a private event", false)
	g.patch(event, "editor", map[string]any{"status": "publish", "post_password": "sesame"}).want(t, 200, "")
	sees("a protected event", false)
	g.patch(event, "editor", map[string]any{"post_password": ""}).want(t, 200, "")
	sees("a public event", true)
	g.del(event, "editor").want(t, 200, "")
	sees("a trashed event", false)
	g.post("/venues", "editor", with(valid("venue"), "image", image)).want(t, 201, "")
	sees("a public venue", true)
}

func TestUploadRefused(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	reader := g.as("demo", "reader")
	before := g.state()
	for about, data := range map[string][]byte{"text": []byte("this is no picture"), "empty": {},
		"cut off": picture(200, 200)[:60], "svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"html": []byte("<html><script>alert(1)</script></html>")} {
		a := g.upload("demo", "author", "claim.png", data).want(t, 400, "rest_invalid_param")
		if a.params()["file"] == nil {
			t.Errorf("%s: file isn't named: %s", about, a)
		}
	}
	big := append(picture(10, 10), make([]byte, 20<<20)...)
	if a := g.upload("demo", "author", "big.png", big); a.Status != 400 && a.Status != 413 {
		t.Errorf("over 20 MiB: %s", a)
	}
	g.send(request{Method: "POST", Path: "/media", As: "author"}).want(t, 400, "rest_missing_callback_param")
	g.post("/media", "author", map[string]any{"file": "x"}).want(t, 400, "rest_missing_callback_param")
	g.send(request{Method: "POST", Path: "/media", As: "author", Body: "--x\r\n",
		Headers: map[string]string{"Content-Type": "multipart/form-data; boundary=x"}}).want(t, 400, "rest_missing_callback_param")
	for caller, status := range map[string]int{"": 401, "subscriber": 403, "contributor": 403, reader: 403} {
		g.upload("demo", caller, "a.png", picture(10, 10)).want(t, status, "rest_forbidden")
	}
	if after := g.state(); after != before || g.blobs() != 0 {
		t.Errorf("refused uploads left traces: %s and %d blobs, before %s", after, g.blobs(), before)
	}
}

func TestDeleteImageRights(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	path := func(a answer) string { return "/media/" + strconv.FormatInt(a.id(), 10) }
	own := path(g.upload("demo", "author", "own.png", picture(10, 10)).want(t, 201, ""))
	other := path(g.upload("demo", "editor", "other.png", picture(10, 10)).want(t, 201, ""))
	for caller, status := range map[string]int{"": 401, "subscriber": 403, "contributor": 403, "author": 403, g.as("demo", "reader"): 403} {
		g.del(other, caller).want(t, status, "rest_forbidden")
	}
	g.del(own, "author").want(t, 200, "")
	again := path(g.upload("demo", "author", "own.png", picture(10, 10)).want(t, 201, ""))
	g.del(again, "editor").want(t, 200, "")
	g.del(other, "administrator").want(t, 200, "")
}

// TestImageArgument gives an image by id and by address to all that has one.
func TestImageArgument(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	made := g.upload("demo", "author", "a.png", picture(400, 300)).want(t, 201, "")
	id := strconv.FormatInt(made.id(), 10)
	for resource, path := range map[string]string{"event": "/events", "venue": "/venues", "organizer": "/organizers"} {
		body := valid(resource)
		body["image"] = id
		a := g.post(path, "author", body).want(t, 201, "")
		if a.text("image", "url") != made.text("url") || a.text("image", "sizes", "medium", "width") != "300" {
			t.Errorf("%s by id: %s", resource, a)
		}
		item := path + "/" + strconv.FormatInt(a.id(), 10)
		fetched := g.patch(item, "author", map[string]any{"image": g.url + "/a.png"}).want(t, 200, "")
		if fetched.text("image", "id") == id || fetched.text("image", "width") != "400" {
			t.Errorf("%s by address: %s", resource, fetched)
		}
		if a = g.patch(item, "author", map[string]any{"image": made.text("url")}); a.text("image", "id") != id {
			t.Errorf("%s by its own address: %s", resource, a)
		}
		if a = g.patch(item, "author", map[string]any{"image": made.text("sizes", "medium", "url")}); a.text("image", "id") != id {
			t.Errorf("%s by the address of a size: %s", resource, a)
		}
		if a = g.patch(item, "author", map[string]any{"image": nil}); a.text("image", "id") != "" {
			t.Errorf("%s without: %s", resource, a)
		}
		g.patch(item, "author", map[string]any{"image": "999999"}).want(t, 400, "rest_invalid_param")
	}
	if hits := g.hits.Load(); hits != 1 {
		t.Errorf("fetched %d times, want once", hits)
	}
	g.del("/media/"+id, "author").want(t, 200, "")
}

// TestImageRefused names addresses the server won't or can't fetch; nothing of
// the write is kept.
func TestImageRefused(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	before := g.state()
	_, port, _ := strings.Cut(strings.TrimPrefix(g.url, "http://"), ":")
	for _, address := range []string{"http://127.0.0.1/a.png", "http://localhost:" + port + "/a.png", "http://[::1]/a.png",
		"http://10.0.0.1/a.png", "http://169.254.169.254/latest/meta-data", "http://2130706433/a.png", "http://0/a.png",
		"http://[::ffff:127.0.0.1]/a.png", "https://127.0.0.1:6379/", "file:///etc/passwd", "ftp://example.org/a.png",
		"http://user:password@127.0.0.1:" + port + "/a.png", g.url + "/inside", g.url + "/text.png", g.url + "/missing.png",
		"http://localhost/media/nosuchkey/a.png", "a.png", "//example.org/a.png"} {
		for _, one := range []struct{ resource, path string }{{"event", "/events"}, {"venue", "/venues"}, {"organizer", "/organizers"}} {
			body := valid(one.resource)
			body["image"] = address
			a := g.post(one.path, "author", body).want(t, 400, "rest_invalid_param")
			if a.params()["image"] == nil {
				t.Errorf("%s: image isn't named: %s", address, a)
			}
		}
	}
	body := valid("event")
	body["image"] = g.url + "/a.png"
	g.post("/events", "contributor", body).want(t, 400, "rest_invalid_param")
	if after := g.state(); after != before || g.blobs() != 0 {
		t.Errorf("refused writes left traces: %s and %d blobs, before %s", after, g.blobs(), before)
	}
}

// TestFailedWriteKeepsNoImage refuses writes after their picture was fetched.
func TestFailedWriteKeepsNoImage(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	own := g.sample()
	before := g.state()
	event := "/events/" + strconv.FormatInt(own.ids["event"], 10)
	venue := "/venues/" + strconv.FormatInt(own.ids["venue"], 10)
	image := g.url + "/b.png"
	left := 0
	version := map[string]string{"If-Match": `"zzz-x"`}
	inline := map[string]any{"venue": "New", "image": image}
	for _, one := range []struct {
		about, method, path, as string
		body                    map[string]any
		headers                 map[string]string
	}{
		{"unknown venue", "POST", "/events", "author", with(valid("event"), "image", image, "venue", 999), nil},
		{"unknown author", "POST", "/events", "editor", with(valid("event"), "image", image, "author", 999), nil},
		{"end before start", "POST", "/events", "author", with(valid("event"), "image", image, "end_date", "2029-01-01"), nil},
		{"blank title", "POST", "/events", "author", with(valid("event"), "image", image, "title", "&nbsp;"), nil},
		{"bad second venue", "POST", "/events", "author", with(valid("event"), "venue", []any{inline, 999}), nil},
		{"blank second venue", "POST", "/events", "author",
			with(valid("event"), "venue", []any{inline, map[string]any{"venue": "&nbsp;"}}), nil},
		{"bad organizer", "POST", "/events", "author", with(valid("event"), "venue", inline, "organizer", 999), nil},
		{"inline picture and end", "POST", "/events", "author", with(valid("event"), "venue", inline, "end_date", "2029-01-01"), nil},
		{"another's event", "PATCH", event, "author", map[string]any{"image": image}, nil},
		{"unknown event", "PATCH", "/events/99999", "author", map[string]any{"image": image}, nil},
		{"another's venue", "PATCH", venue, "author", map[string]any{"image": image}, nil},
		{"venue's author", "POST", "/venues", "editor", with(valid("venue"), "image", image, "author", 999), nil},
		{"organizer's name", "POST", "/organizers", "editor", with(valid("organizer"), "image", image, "organizer", "&nbsp;"), nil},
		{"wrong version", "PATCH", event, "editor", map[string]any{"image": image}, version},
		{"inline and wrong version", "PATCH", event, "editor", map[string]any{"venue": inline}, version},
		{"inline and author", "PATCH", event, "editor", map[string]any{"venue": inline, "author": 999}, nil},
	} {
		a := g.send(request{Method: one.method, Path: one.path, As: one.as, JSON: one.body, Headers: one.headers})
		if a.Status < 400 || a.Status >= 500 {
			t.Errorf("%s: %s", one.about, a)
		}
		if n := g.blobs(); n != left {
			t.Errorf("%s: %d blobs are left", one.about, n-left)
			left = n
		}
	}
	if after := g.state(); after != before {
		t.Errorf("refused writes left traces: %s, before %s", after, before)
	}
}

// with returns a body with more arguments.
func with(body map[string]any, pairs ...any) map[string]any {
	for i := 0; i < len(pairs); i += 2 {
		body[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return body
}

// TestFetchedImageStays creates with a picture of the web: its blobs are there
// afterwards, once, and those of a write that made nothing new are gone.
func TestFetchedImageStays(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	venue := map[string]any{"venue": "Hall", "image": g.url + "/a.png"}
	a := g.post("/venues", "author", venue).want(t, 201, "")
	g.blob(a.text("image", "url")).want(t, 200, "")
	stored := g.blobs()
	if again := g.post("/venues", "author", venue).want(t, 201, ""); again.id() != a.id() {
		t.Errorf("not the same: %s, %s", a, again)
	}
	e := g.post("/events", "author", with(valid("event"), "venue", venue)).want(t, 201, "")
	if e.text("venue", "id") != a.text("id") || e.text("venue", "image", "id") != a.text("image", "id") {
		t.Errorf("linked another: %s", e)
	}
	g.blob(a.text("image", "url")).want(t, 200, "")
	organizer := map[string]any{"organizer": "Club", "image": g.url + "/b.png"}
	e = g.post("/events", "author", with(valid("event"), "organizer", organizer)).want(t, 201, "")
	list, _ := e.Body["organizer"].([]any)
	made := answer{}
	made.Body, _ = list[0].(map[string]any)
	g.blob(made.text("image", "url")).want(t, 200, "")
	if n := g.blobs(); n != 2*stored {
		t.Errorf("%d blobs, want %d", n, 2*stored)
	}
	if hits := g.hits.Load(); hits != 2 {
		t.Errorf("fetched %d times, want twice", hits)
	}
}

// TestUploadTooLarge sends 21 MiB over a real connection.
func TestUploadTooLarge(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("file", "big.png")
	g.must(err)
	_, err = part.Write(make([]byte, 21<<20))
	g.must(err)
	g.must(form.Close())
	head := fmt.Sprintf("POST /calendar/events/v1/media HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
		form.FormDataContentType(), b.Len())
	if got := raw(t, g.listen(), head, b.String()); got != 413 {
		t.Errorf("status %d, want 413", got)
	}
}
