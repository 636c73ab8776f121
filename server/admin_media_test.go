package server_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/url"
	"regexp"
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
	if p := b.post(path, url.Values{"do": {"delete"}}); !p.shows("The entries above lose it") || !p.shows("Hall") {
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
