package rest

import (
	"bytes"
	"fmt"
	"image"
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

	"github.com/kalends/kalends/test/kit"
)

// blob gets an address of a picture.
func blob(k *kit.Kit, address string) kit.Answer {
	k.T.Helper()
	u, err := url.Parse(address)
	k.Must(err)
	return k.Get("/"+u.EscapedPath(), "")
}

// gallery is a web server with pictures beside a kit that may fetch from it.
type gallery struct {
	*kit.Kit
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
	g.Kit = kit.New(t, func(c *server.Config) { c.Pictures = kit.Pictures(t, g.dir, strings.TrimPrefix(web.URL, "http://")) })
	return g
}

func (g *gallery) serve(w http.ResponseWriter, r *http.Request) {
	g.hits.Add(1)
	switch r.URL.Path {
	case "/a.png", "/b.png":
		_, _ = w.Write(kit.Picture(400, 300))
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
	g.T.Helper()
	g.Must(filepath.WalkDir(g.dir, func(_ string, d fs.DirEntry, err error) error {
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
	a := g.Upload("demo", "author", "../../Über uns?.png", kit.Picture(1200, 900)).Want(t, 201, "")
	if a.Text("width") != "1200" || a.Text("extension") != "png" || a.Text("sizes", "large", "width") != "1024" {
		t.Fatalf("image: %s", a)
	}
	for name, width := range map[string]int{"thumbnail": 150, "medium": 300, "medium_large": 768, "large": 1024} {
		b := blob(g.Kit, a.Text("sizes", name, "url"))
		img, _, err := image.Decode(bytes.NewReader(b.Raw))
		if err != nil || img.Bounds().Dx() != width || b.Header.Get("Content-Type") != a.Text("sizes", name, "mime-type") {
			t.Errorf("%s: %v, %v", name, err, b.Header)
		}
		if got := strconv.Itoa(len(b.Raw)); got != a.Text("sizes", name, "filesize") && !strings.HasPrefix(a.Text("sizes", name, "filesize"), got) {
			t.Errorf("%s: %s bytes, said %s", name, got, a.Text("sizes", name, "filesize"))
		}
	}
	b := blob(g.Kit, a.Text("url"))
	if b.Status != 200 || b.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
		b.Header.Get("Content-Security-Policy") == "" || b.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("original: %d %v", b.Status, b.Header)
	}
	item := "/media/" + strconv.FormatInt(a.ID(), 10)
	if got := g.Get(item, "author").Want(t, 200, ""); got.Text("url") != a.Text("url") || got.Header.Get("ETag") == "" {
		t.Errorf("get: %s", got)
	}
	g.Del(item, "author").Want(t, 200, "")
	g.Get(item, "").Want(t, 404, "rest-image-not-found")
	blob(g.Kit, a.Text("url")).Want(t, 404, "rest_no_route")
	g.Del(item, "author").Want(t, 404, "rest-image-not-found")
	if n := g.blobs(); n != 0 {
		t.Errorf("%d blobs are left", n)
	}
}

// TestPicturesOfTheHidden: of a picture that nothing public shows, only those who write
// hear where it lies.
func TestPicturesOfTheHidden(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	image := g.Upload("demo", "author", "secret.png", kit.Picture(40, 30)).Want(t, 201, "").ID()
	path := "/media/" + strconv.FormatInt(image, 10)
	sees := func(about string, public bool) {
		t.Helper()
		for _, who := range []string{"", "reader"} {
			a := g.Get(path, who)
			if public {
				a.Want(t, 200, "")
			} else if a.Want(t, 404, "rest-image-not-found"); strings.Contains(string(a.Raw), "secret") {
				t.Errorf("%s, %q: %s", about, who, a.Raw)
			}
		}
		g.Get(path, "author").Want(t, 200, "")
		g.Get(path, "contributor").Want(t, 200, "")
	}
	sees("nothing shows it", false)
	event := fmt.Sprintf("/events/%d", g.Post("/events", "editor", with(kit.Valid("event"), "image", image, "status", "private")).Want(t, 201, "").ID())
	sees("a private event", false)
	g.Patch(event, "editor", map[string]any{"status": "publish", "post_password": "sesame"}).Want(t, 200, "")
	sees("a protected event", false)
	g.Patch(event, "editor", map[string]any{"post_password": ""}).Want(t, 200, "")
	sees("a public event", true)
	g.Del(event, "editor").Want(t, 200, "")
	sees("a trashed event", false)
	g.Post("/venues", "editor", with(kit.Valid("venue"), "image", image)).Want(t, 201, "")
	sees("a public venue", true)
}

func TestUploadRefused(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	reader := g.As("demo", "reader")
	before := g.State()
	for about, data := range map[string][]byte{"text": []byte("this is no picture"), "empty": {},
		"cut off": kit.Picture(200, 200)[:60], "svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"html": []byte("<html><script>alert(1)</script></html>")} {
		a := g.Upload("demo", "author", "claim.png", data).Want(t, 400, "rest_invalid_param")
		if a.Params()["file"] == nil {
			t.Errorf("%s: file isn't named: %s", about, a)
		}
	}
	big := append(kit.Picture(10, 10), make([]byte, 20<<20)...)
	if a := g.Upload("demo", "author", "big.png", big); a.Status != 400 && a.Status != 413 {
		t.Errorf("over 20 MiB: %s", a)
	}
	g.Send(kit.Request{Method: "POST", Path: "/media", As: "author"}).Want(t, 400, "rest_missing_callback_param")
	g.Post("/media", "author", map[string]any{"file": "x"}).Want(t, 400, "rest_missing_callback_param")
	g.Send(kit.Request{Method: "POST", Path: "/media", As: "author", Body: "--x\r\n",
		Headers: map[string]string{"Content-Type": "multipart/form-data; boundary=x"}}).Want(t, 400, "rest_missing_callback_param")
	for caller, status := range map[string]int{"": 401, "subscriber": 403, reader: 403} {
		g.Upload("demo", caller, "a.png", kit.Picture(10, 10)).Want(t, status, "rest_forbidden")
	}
	if after := g.State(); after != before || g.blobs() != 0 {
		t.Errorf("refused uploads left traces: %s and %d blobs, before %s", after, g.blobs(), before)
	}
}

func TestDeleteImageRights(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	path := func(a kit.Answer) string { return "/media/" + strconv.FormatInt(a.ID(), 10) }
	own := path(g.Upload("demo", "author", "own.png", kit.Picture(10, 10)).Want(t, 201, ""))
	other := path(g.Upload("demo", "editor", "other.png", kit.Picture(10, 10)).Want(t, 201, ""))
	for caller, status := range map[string]int{"": 401, "subscriber": 403, "contributor": 403, "author": 403, g.As("demo", "reader"): 403} {
		g.Del(other, caller).Want(t, status, "rest_forbidden")
	}
	g.Del(own, "contributor").Want(t, 403, "rest_forbidden")
	g.Del(own, "author").Want(t, 200, "")
	theirs := path(g.Upload("demo", "contributor", "theirs.png", kit.Picture(10, 10)).Want(t, 201, ""))
	g.Del(theirs, "author").Want(t, 403, "rest_forbidden")
	g.Del(theirs, "contributor").Want(t, 200, "")
	again := path(g.Upload("demo", "author", "own.png", kit.Picture(10, 10)).Want(t, 201, ""))
	g.Del(again, "editor").Want(t, 200, "")
	g.Del(other, "administrator").Want(t, 200, "")
}

// TestImageArgument gives an image by id and by address to all that has one.
func TestImageArgument(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	made := g.Upload("demo", "author", "a.png", kit.Picture(400, 300)).Want(t, 201, "")
	id := strconv.FormatInt(made.ID(), 10)
	for resource, path := range map[string]string{"event": "/events", "venue": "/venues", "organizer": "/organizers"} {
		body := kit.Valid(resource)
		body["image"] = id
		a := g.Post(path, "author", body).Want(t, 201, "")
		if a.Text("image", "url") != made.Text("url") || a.Text("image", "sizes", "medium", "width") != "300" {
			t.Errorf("%s by id: %s", resource, a)
		}
		item := path + "/" + strconv.FormatInt(a.ID(), 10)
		fetched := g.Patch(item, "author", map[string]any{"image": g.url + "/a.png"}).Want(t, 200, "")
		if fetched.Text("image", "id") == id || fetched.Text("image", "width") != "400" {
			t.Errorf("%s by address: %s", resource, fetched)
		}
		if a = g.Patch(item, "author", map[string]any{"image": made.Text("url")}); a.Text("image", "id") != id {
			t.Errorf("%s by its own address: %s", resource, a)
		}
		if a = g.Patch(item, "author", map[string]any{"image": made.Text("sizes", "medium", "url")}); a.Text("image", "id") != id {
			t.Errorf("%s by the address of a size: %s", resource, a)
		}
		if a = g.Patch(item, "author", map[string]any{"image": nil}); a.Text("image", "id") != "" {
			t.Errorf("%s without: %s", resource, a)
		}
		g.Patch(item, "author", map[string]any{"image": "999999"}).Want(t, 400, "rest_invalid_param")
	}
	if hits := g.hits.Load(); hits != 1 {
		t.Errorf("fetched %d times, want once", hits)
	}
	g.Del("/media/"+id, "author").Want(t, 200, "")
}

// TestImageRefused names addresses the server won't or can't fetch; nothing of
// the write is kept.
func TestImageRefused(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	before := g.State()
	_, port, _ := strings.Cut(strings.TrimPrefix(g.url, "http://"), ":")
	for _, address := range []string{"http://127.0.0.1/a.png", "http://localhost:" + port + "/a.png", "http://[::1]/a.png",
		"http://10.0.0.1/a.png", "http://169.254.169.254/latest/meta-data", "http://2130706433/a.png", "http://0/a.png",
		"http://[::ffff:127.0.0.1]/a.png", "https://127.0.0.1:6379/", "file:///etc/passwd", "ftp://example.org/a.png",
		"http://user:password@127.0.0.1:" + port + "/a.png", g.url + "/inside", g.url + "/text.png", g.url + "/missing.png",
		"http://localhost/media/nosuchkey/a.png", "a.png", "//example.org/a.png"} {
		for _, one := range []struct{ resource, path string }{{"event", "/events"}, {"venue", "/venues"}, {"organizer", "/organizers"}} {
			body := kit.Valid(one.resource)
			body["image"] = address
			a := g.Post(one.path, "author", body).Want(t, 400, "rest_invalid_param")
			if a.Params()["image"] == nil {
				t.Errorf("%s: image isn't named: %s", address, a)
			}
		}
	}
	body := kit.Valid("event")
	body["image"] = g.url + "/a.png"
	g.Post("/events", "subscriber", body).Want(t, 403, "rest_forbidden")
	if after := g.State(); after != before || g.blobs() != 0 {
		t.Errorf("refused writes left traces: %s and %d blobs, before %s", after, g.blobs(), before)
	}
}

// TestFailedWriteKeepsNoImage refuses writes after their picture was fetched.
func TestFailedWriteKeepsNoImage(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	own := g.Sample()
	before := g.State()
	event := "/events/" + strconv.FormatInt(own.IDs["event"], 10)
	venue := "/venues/" + strconv.FormatInt(own.IDs["venue"], 10)
	image := g.url + "/b.png"
	left := 0
	version := map[string]string{"If-Match": `"zzz-x"`}
	inline := map[string]any{"venue": "New", "image": image}
	for _, one := range []struct {
		about, method, path, as string
		body                    map[string]any
		headers                 map[string]string
	}{
		{"unknown venue", "POST", "/events", "author", with(kit.Valid("event"), "image", image, "venue", 999), nil},
		{"unknown author", "POST", "/events", "editor", with(kit.Valid("event"), "image", image, "author", 999), nil},
		{"end before start", "POST", "/events", "author", with(kit.Valid("event"), "image", image, "end_date", "2029-01-01"), nil},
		{"blank title", "POST", "/events", "author", with(kit.Valid("event"), "image", image, "title", "&nbsp;"), nil},
		{"bad second venue", "POST", "/events", "author", with(kit.Valid("event"), "venue", []any{inline, 999}), nil},
		{"blank second venue", "POST", "/events", "author",
			with(kit.Valid("event"), "venue", []any{inline, map[string]any{"venue": "&nbsp;"}}), nil},
		{"bad organizer", "POST", "/events", "author", with(kit.Valid("event"), "venue", inline, "organizer", 999), nil},
		{"inline picture and end", "POST", "/events", "author", with(kit.Valid("event"), "venue", inline, "end_date", "2029-01-01"), nil},
		{"another's event", "PATCH", event, "author", map[string]any{"image": image}, nil},
		{"unknown event", "PATCH", "/events/99999", "author", map[string]any{"image": image}, nil},
		{"another's venue", "PATCH", venue, "author", map[string]any{"image": image}, nil},
		{"venue's author", "POST", "/venues", "editor", with(kit.Valid("venue"), "image", image, "author", 999), nil},
		{"organizer's name", "POST", "/organizers", "editor", with(kit.Valid("organizer"), "image", image, "organizer", "&nbsp;"), nil},
		{"wrong version", "PATCH", event, "editor", map[string]any{"image": image}, version},
		{"inline and wrong version", "PATCH", event, "editor", map[string]any{"venue": inline}, version},
		{"inline and author", "PATCH", event, "editor", map[string]any{"venue": inline, "author": 999}, nil},
	} {
		a := g.Send(kit.Request{Method: one.method, Path: one.path, As: one.as, JSON: one.body, Headers: one.headers})
		if a.Status < 400 || a.Status >= 500 {
			t.Errorf("%s: %s", one.about, a)
		}
		if n := g.blobs(); n != left {
			t.Errorf("%s: %d blobs are left", one.about, n-left)
			left = n
		}
	}
	if after := g.State(); after != before {
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
	a := g.Post("/venues", "author", venue).Want(t, 201, "")
	blob(g.Kit, a.Text("image", "url")).Want(t, 200, "")
	stored := g.blobs()
	if again := g.Post("/venues", "author", venue).Want(t, 201, ""); again.ID() != a.ID() {
		t.Errorf("not the same: %s, %s", a, again)
	}
	e := g.Post("/events", "author", with(kit.Valid("event"), "venue", venue)).Want(t, 201, "")
	if e.Text("venue", "id") != a.Text("id") || e.Text("venue", "image", "id") != a.Text("image", "id") {
		t.Errorf("linked another: %s", e)
	}
	blob(g.Kit, a.Text("image", "url")).Want(t, 200, "")
	organizer := map[string]any{"organizer": "Club", "image": g.url + "/b.png"}
	e = g.Post("/events", "author", with(kit.Valid("event"), "organizer", organizer)).Want(t, 201, "")
	list, _ := e.Body["organizer"].([]any)
	made := kit.Answer{}
	made.Body, _ = list[0].(map[string]any)
	blob(g.Kit, made.Text("image", "url")).Want(t, 200, "")
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
	g.Must(err)
	_, err = part.Write(make([]byte, 21<<20))
	g.Must(err)
	g.Must(form.Close())
	head := fmt.Sprintf("POST /calendar/events/v1/media HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
		form.FormDataContentType(), b.Len())
	if got := kit.Raw(t, g.Listen(), head, b.String()); got != 413 {
		t.Errorf("status %d, want 413", got)
	}
}
