package admin

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/url"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/tenancy"
)

// Reached limits are reported next to the fields, and no input is lost.
func TestFormsBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Limit(map[string]any{"events": 0, "users": len(tenancy.Roles()), "media_bytes": 10})
	b := k.Person("administrator")
	b.Get("/admin/events/new")
	p := b.Post("/admin/events/new", url.Values{"title": {"One too many"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"},
		"description": {"a long story"}, "do": {"save"}})
	if p.Status != 422 || !p.Shows("The limit for events has been reached: 0 of 0 are in use.") || !p.Shows("One too many") || !p.Shows("a long story") {
		t.Errorf("event: %d %.3000s", p.Status, p.Body)
	}
	b.Get("/admin/users/new")
	p = b.Post("/admin/users/new", url.Values{"do": {"save"}, "handle": {"guest"}, "email": {"guest@example.org"}, "role": {"author"},
		"confirm": {kit.AdminPassword}})
	if p.Status != 422 || !p.Shows("The limit for users has been reached: 5 of 5 are in use.") || !p.Shows("guest@example.org") || !p.Shows(`id="p-handle"`) {
		t.Errorf("user: %d %.3000s", p.Status, p.Body)
	}
	b.Get("/admin/media")
	var picture, body bytes.Buffer
	k.Must(png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 30))))
	form := multipart.NewWriter(&body)
	k.Must(form.WriteField("csrf", b.Cookies["csrf"]))
	part, err := form.CreateFormFile("files", "big.png")
	k.Must(err)
	_, err = part.Write(picture.Bytes())
	k.Must(err)
	k.Must(form.Close())
	p = b.Raw("/admin/media", form.FormDataContentType(), &body)
	if p.Status != 422 || !p.Shows("<bdi>big.png</bdi>") || !p.Shows("There is no room for this image") {
		t.Errorf("picture: %d %.3000s", p.Status, p.Body)
	}
}
