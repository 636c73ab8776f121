package server_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

func TestAdminMedia(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("editor")
	b.get("/admin/media")
	var picture bytes.Buffer
	k.must(png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 4, 3))))
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	k.must(form.WriteField("csrf", b.cookies["csrf"]))
	for _, file := range []struct {
		name    string
		content []byte
	}{{"good.png", picture.Bytes()}, {"claims.png", []byte("no picture")}, {"empty.png", nil}, {"drawn.svg", []byte("<svg/>")}} {
		part, err := form.CreateFormFile("files", file.name)
		k.must(err)
		_, err = part.Write(file.content)
		k.must(err)
	}
	k.must(form.Close())
	p := b.raw("/admin/media", form.FormDataContentType(), &body)
	if p.Status != 422 || !p.shows("<bdi>claims.png</bdi>") || !p.shows("<bdi>empty.png</bdi>") || !p.shows("<bdi>drawn.svg</bdi>") {
		t.Error("what is wrong with each", p.Status, p.Body)
	}
	m := regexp.MustCompile(`href="/admin/media/(\d+)"`).FindStringSubmatch(b.get("/admin/media?unused=1").Body)
	if m == nil {
		t.Fatal("the good one is lost", b.page.Body)
	}
	venue := k.post("/venues", "administrator", map[string]any{"venue": "Hall", "image": m[1]}).id()
	path := "/admin/media/" + m[1]
	b.get(path)
	b.post(path, url.Values{"alt": {"A hall"}, "do": {"save"}})
	if p := b.follow(); !p.shows("A hall") || !p.shows(fmt.Sprintf("/admin/venues/%d", venue)) {
		t.Error("described, and where it is used", p.Body)
	}
	if p := b.get("/admin/media?search=nothing"); p.shows("good") || !b.get("/admin/media?search=HALL").shows("good") {
		t.Error("search")
	}
	if p := b.get("/admin/media?unused=1"); p.shows("good") {
		t.Error("it is used")
	}
	if p := b.post(path, url.Values{"do": {"delete"}}); !p.shows("The entries above will lose it") || !p.shows("Hall") {
		t.Error("asks first", p.Body)
	}
	if b.post(path, url.Values{"do": {"delete"}, "sure": {"1"}}); b.get(path).Status != 404 || k.get(fmt.Sprintf("/venues/%d", venue), "").Status != 200 {
		t.Error("deleted", b.page.Status)
	}
	nobody := k.person("subscriber")
	if p := nobody.get("/admin/media"); p.Status != 403 {
		t.Error("a subscriber", p.Status)
	}
}

// sendUpload posts a file to the library as its script does.
func (b *browser) sendUpload(name string, content []byte, csrf string) page {
	b.k.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	b.k.must(form.WriteField("csrf", csrf))
	part, err := form.CreateFormFile("files", name)
	b.k.must(err)
	_, err = part.Write(content)
	b.k.must(err)
	b.k.must(form.Close())
	r := httptest.NewRequest(http.MethodPost, "/admin/media", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return b.send(r, []string{"Kalends-Part", "1"})
}

// The script of the library gets one file's part of the page, or one sentence.
func TestAdminMediaOneByOne(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("author")
	b.get("/admin/media")
	csrf := b.cookies["csrf"]
	var picture bytes.Buffer
	k.must(png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 4, 3))))
	p := b.sendUpload("<pier>.png", picture.Bytes(), csrf)
	m := regexp.MustCompile(`<form class="words" method="post" action="(/admin/media/\d+)"`).FindStringSubmatch(p.Body)
	if p.Status != 200 || m == nil || strings.Contains(p.Body, "<html") || strings.Contains(p.Body, "<pier>") || !p.shows("Added.") {
		t.Fatal("a picture", p.Status, p.Body)
	}
	if p = b.sendPart(m[1], url.Values{"alt": {"A <pier>"}, "do": {"save"}}); p.Status != 200 || !p.shows(`value="A <pier>"`) || !p.shows("Saved.") {
		t.Error("its words", p.Status, p.Body)
	}
	long := strings.Repeat("x", 1001)
	if p = b.sendPart(m[1], url.Values{"alt": {long}, "do": {"save"}}); p.Status != 422 || !p.shows(`class="wrong"`) || !p.shows(long) {
		t.Error("too many words", p.Status, p.Body)
	}
	if p = b.sendUpload("fake.png", []byte("<html>"), csrf); p.Status != 422 || !strings.HasPrefix(p.Body, `<p class="wrong">`) {
		t.Error("what only claims to be one", p.Status, p.Body)
	}
	if p = b.sendUpload("pier.png", picture.Bytes(), "made up"); p.Status != 403 {
		t.Error("a form of somebody else", p.Status)
	}
	k.limit(map[string]any{"media_bytes": 10})
	if p = b.sendUpload("more.png", picture.Bytes(), csrf); p.Status != 422 || !p.shows("There is no room for this image") {
		t.Error("no room", p.Status, p.Body)
	}
	other := k.person("contributor")
	other.get("/admin/media")
	if p = other.sendUpload("more.png", picture.Bytes(), other.cookies["csrf"]); p.Status != 403 {
		t.Error("without the right", p.Status)
	}
	if p = k.browser().sendUpload("pier.png", picture.Bytes(), csrf); p.Status != 401 || !p.shows(`action="/admin/session"`) {
		t.Error("nobody", p.Status, p.Body)
	}
}
