package admin

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestAdminMedia(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	b.Get("/admin/media")
	var picture bytes.Buffer
	k.Must(png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 4, 3))))
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	k.Must(form.WriteField("csrf", b.Cookies["csrf"]))
	for _, file := range []struct {
		name    string
		content []byte
	}{{"good.png", picture.Bytes()}, {"claims.png", []byte("no picture")}, {"empty.png", nil}, {"drawn.svg", []byte("<svg/>")}} {
		part, err := form.CreateFormFile("files", file.name)
		k.Must(err)
		_, err = part.Write(file.content)
		k.Must(err)
	}
	k.Must(form.Close())
	p := b.Raw("/admin/media", form.FormDataContentType(), &body)
	if p.Status != 422 || !p.Shows("<bdi>claims.png</bdi>") || !p.Shows("<bdi>empty.png</bdi>") || !p.Shows("<bdi>drawn.svg</bdi>") {
		t.Error("what is wrong with each", p.Status, p.Body)
	}
	m := regexp.MustCompile(`href="/admin/media/(\d+)"`).FindStringSubmatch(b.Get("/admin/media?unused=1").Body)
	if m == nil {
		t.Fatal("the good one is lost", b.Page.Body)
	}
	venue := k.Post("/venues", "administrator", map[string]any{"venue": "Hall", "image": m[1]}).ID()
	path := "/admin/media/" + m[1]
	b.Get(path)
	b.Post(path, url.Values{"alt": {"A hall"}, "do": {"save"}})
	if p := b.Follow(); !p.Shows("A hall") || !p.Shows(fmt.Sprintf("/admin/venues/%d", venue)) {
		t.Error("described, and where it is used", p.Body)
	}
	if p := b.Get("/admin/media?search=nothing"); p.Shows("good") || !b.Get("/admin/media?search=HALL").Shows("good") {
		t.Error("search")
	}
	if p := b.Get("/admin/media?unused=1"); p.Shows("good") {
		t.Error("it is used")
	}
	if p := b.Post(path, url.Values{"do": {"delete"}}); !p.Shows("It will be removed from the entries above") || !p.Shows("Hall") {
		t.Error("asks first", p.Body)
	}
	if b.Post(path, url.Values{"do": {"delete"}, "sure": {"1"}}); b.Get(path).Status != 404 || k.Get(fmt.Sprintf("/venues/%d", venue), "").Status != 200 {
		t.Error("deleted", b.Page.Status)
	}
	nobody := k.Person("subscriber")
	if p := nobody.Get("/admin/media"); p.Status != 403 {
		t.Error("a subscriber", p.Status)
	}
}

// sendUpload posts a file to the library as its script does.
func sendUpload(b *kit.Browser, name string, content []byte, csrf string) kit.Page {
	b.K.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	b.K.Must(form.WriteField("csrf", csrf))
	part, err := form.CreateFormFile("files", name)
	b.K.Must(err)
	_, err = part.Write(content)
	b.K.Must(err)
	b.K.Must(form.Close())
	r := httptest.NewRequest(http.MethodPost, "/admin/media", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return b.Send(r, []string{"Kalends-Part", "1"})
}

// The script of the library gets the part of the page for one file, or a message.
func TestAdminMediaOneByOne(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("author")
	b.Get("/admin/media")
	csrf := b.Cookies["csrf"]
	var picture bytes.Buffer
	k.Must(png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 4, 3))))
	p := sendUpload(b, "<pier>.png", picture.Bytes(), csrf)
	m := regexp.MustCompile(`<form class="words" method="post" action="(/admin/media/\d+)"`).FindStringSubmatch(p.Body)
	if p.Status != 200 || m == nil || strings.Contains(p.Body, "<html") || strings.Contains(p.Body, "<pier>") || !p.Shows("Added.") {
		t.Fatal("a picture", p.Status, p.Body)
	}
	if p = sendPart(b, m[1], url.Values{"alt": {"A <pier>"}, "do": {"save"}}); p.Status != 200 || !p.Shows(`value="A <pier>"`) || !p.Shows("Saved.") {
		t.Error("its words", p.Status, p.Body)
	}
	long := strings.Repeat("x", 1001)
	if p = sendPart(b, m[1], url.Values{"alt": {long}, "do": {"save"}}); p.Status != 422 || !p.Shows(`class="wrong"`) || !p.Shows(long) {
		t.Error("too many words", p.Status, p.Body)
	}
	if p = sendUpload(b, "fake.png", []byte("<html>"), csrf); p.Status != 422 || !strings.HasPrefix(p.Body, `<p class="wrong">`) {
		t.Error("what only claims to be one", p.Status, p.Body)
	}
	if p = sendUpload(b, "pier.png", picture.Bytes(), "made up"); p.Status != 403 {
		t.Error("a form of somebody else", p.Status)
	}
	k.Limit(map[string]any{"media_bytes": 10})
	if p = sendUpload(b, "more.png", picture.Bytes(), csrf); p.Status != 422 || !p.Shows("There is no room for this image") {
		t.Error("no room", p.Status, p.Body)
	}
	other := k.Person("subscriber")
	other.Get("/admin/profile")
	if p = sendUpload(other, "more.png", picture.Bytes(), other.Cookies["csrf"]); p.Status != 403 {
		t.Error("without the right", p.Status)
	}
	if p = sendUpload(k.Browser(), "pier.png", picture.Bytes(), csrf); p.Status != 401 || !p.Shows(`action="/admin/session"`) {
		t.Error("nobody", p.Status, p.Body)
	}
}

// An editor gives a picture a focal point, which frames of another shape keep in sight. A portrait picture stands whole on its dominant
// color on cards.
func TestFocusAndTone(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	portrait := image.NewRGBA(image.Rect(0, 0, 300, 500))
	draw.Draw(portrait, portrait.Rect, image.NewUniform(color.RGBA{200, 30, 60, 255}), image.Point{}, draw.Src)
	var data bytes.Buffer
	k.Must(png.Encode(&data, portrait))
	id := k.Upload("demo", "editor", "portrait.png", data.Bytes()).Want(t, 201, "").ID()
	k.Event(map[string]any{"title": "Portraits", "slug": "portraits", "image": fmt.Sprint(id), "start_date": "2030-03-01 10:00:00"})
	photos := func() kit.Page { return k.Browser().Get("/en/events/photo/") }
	if p := photos(); !p.Shows(`class="thumb"`) || !p.Shows(`<svg class="ground" aria-hidden="true"><rect width="100%" height="100%" fill="#c81e3c">`) {
		t.Errorf("before: %s", p.Body)
	}
	b, path := k.Person("editor"), fmt.Sprintf("/admin/media/%d", id)
	if p := b.Get(path); !p.Shows(`name="focus_x" type="number" min="0" max="100" required value="50"`) {
		t.Fatalf("the form: %s", p.Body)
	}
	for name, wrong := range map[string][2]string{"at least 0": {"-1", "50"}, "at most 100": {"50", "101"}, "whole number": {"left", "50"}} {
		if p := b.Post(path, url.Values{"alt": {"A"}, "focus_x": {wrong[0]}, "focus_y": {wrong[1]}, "do": {"save"}}); p.Status != 422 || !p.Shows(name) || !p.Shows(`aria-invalid="true"`) {
			t.Errorf("%v: %d %s", wrong, p.Status, p.Body)
		}
	}
	if p := b.Post(path, url.Values{"alt": {"A"}, "focus_x": {"22"}, "focus_y": {"78"}, "do": {"save"}}); p.Status != 303 {
		t.Fatalf("set: %d %s", p.Status, p.Body)
	}
	b.Get(path)
	b.Post(path, url.Values{"alt": {"B"}, "do": {"save"}}) // what describes a picture elsewhere has no focus
	if got := k.Peek("demo", `SELECT focus_x || ' ' || focus_y || ' ' || alt FROM images`); got != "22 78 B" {
		t.Errorf("kept: %s", got)
	}
	if p := photos(); !p.Shows(`class="thumb fx-20 fy-80"`) {
		t.Errorf("after: %s", p.Body)
	}
	if p := k.Person("administrator").Get("/admin/audit?kind=image"); !p.Shows("From the left") {
		t.Error("the history does not say what changed")
	}
}
