package server_test

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/url"
	"testing"

	"github.com/kalends/kalends/tenancy"
)

// Where a limit is reached the forms say so beside what was typed, and lose
// nothing of it.
func TestFormsBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.limit(map[string]any{"events": 0, "users": len(tenancy.Roles()), "media_bytes": 10})
	b := k.person("administrator")
	b.get("/admin/events/new")
	p := b.post("/admin/events/new", url.Values{"title": {"One too many"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"},
		"description": {"a long story"}, "do": {"save"}})
	if p.Status != 422 || !p.shows("The limit on events is reached: 0 of 0 are in use.") || !p.shows("One too many") || !p.shows("a long story") {
		t.Errorf("event: %d %.3000s", p.Status, p.Body)
	}
	b.get("/admin/users/new")
	p = b.post("/admin/users/new", url.Values{"do": {"save"}, "handle": {"guest"}, "email": {"guest@example.org"}, "role": {"author"}})
	if p.Status != 422 || !p.shows("The limit on users is reached: 5 of 5 are in use.") || !p.shows("guest@example.org") || !p.shows(`id="p-handle"`) {
		t.Errorf("user: %d %.3000s", p.Status, p.Body)
	}
	b.get("/admin/media")
	var picture, body bytes.Buffer
	k.must(png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 30))))
	form := multipart.NewWriter(&body)
	k.must(form.WriteField("csrf", b.cookies["csrf"]))
	part, err := form.CreateFormFile("files", "big.png")
	k.must(err)
	_, err = part.Write(picture.Bytes())
	k.must(err)
	k.must(form.Close())
	p = b.raw("/admin/media", form.FormDataContentType(), &body)
	if p.Status != 422 || !p.shows("<bdi>big.png</bdi>") || !p.shows("There is no room for this image") {
		t.Errorf("picture: %d %.3000s", p.Status, p.Body)
	}
}
