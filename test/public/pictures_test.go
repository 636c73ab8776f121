package public

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"mime/multipart"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// upload stores a picture of noise, which is as heavy as a picture can be.
func upload(k *kit.Kit, w, h int) int64 {
	k.T.Helper()
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	random := rand.New(rand.NewPCG(5, 6))
	for i := range m.Pix {
		if m.Pix[i] = uint8(random.Uint32()); i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "uploaded.jpg")
	k.Must(err)
	k.Must(jpeg.Encode(file, m, nil))
	k.Must(form.Close())
	return k.Send(kit.Request{Method: "POST", Path: "/media", As: "administrator", Body: body.String(),
		Headers: map[string]string{"Content-Type": form.FormDataContentType()}}).Want(k.T, 201, "").ID()
}

// TestOriginalsStayBehind: no page, feed or preview has an image as it was uploaded, which may have many megabytes.
func TestOriginalsStayBehind(t *testing.T) {
	k := kit.PublicKit(t)
	big := fmt.Sprint(upload(k, 2300, 1700))
	k.Event(map[string]any{"title": "Noise", "slug": "noise", "start_date": "2026-11-25 10:00", "end_date": "2026-11-25 11:00", "image": big, "featured": true,
		"description": "Loud.", "venue": map[string]any{"venue": "Mill", "slug": "mill", "image": big}, "organizer": map[string]any{"organizer": "Miller", "slug": "miller", "image": big}})
	loaded := regexp.MustCompile(`/media/[a-z0-9]+/[^" ,)\\<]+`)
	for _, path := range []string{"/en/", "/en/events/", "/en/events/photo/", "/en/event/noise/", "/en/venue/mill/", "/en/organizer/miller/", "/en/embed/list/", "/en/embed/event/noise/",
		"/en/events/day/2026-11-25/", "/en/events.json", "/en/events.ics"} {
		page := strings.ReplaceAll(k.Look(path).Want(t, 200, "").String(), "\r\n ", "")
		found := loaded.FindAllString(page, -1)
		if len(found) == 0 {
			t.Errorf("%s: no picture", path)
		}
		for _, file := range found {
			if strings.HasSuffix(file, "/uploaded.jpg") {
				t.Errorf("%s loads %s", path, file)
			}
		}
	}
	page := k.Look("/en/event/noise/").String()
	meta := func(name string) string {
		_, rest, _ := strings.Cut(page, `<meta property="og:image`+name+`" content="`)
		text, _, _ := strings.Cut(rest, `"`)
		return text
	}
	if meta(":width") != "1200" || meta(":height") != "630" || meta(":type") != "image/jpeg" {
		t.Errorf("a preview of %s×%s, %s", meta(":width"), meta(":height"), meta(":type"))
	}
	_, file, _ := strings.Cut(meta(""), "//localhost")
	answer := k.Look(file).Want(t, 200, "")
	shown, err := jpeg.DecodeConfig(bytes.NewReader(answer.Raw))
	if err != nil || shown.Width != 1200 || shown.Height != 630 || len(answer.Raw) > 300_000 {
		t.Errorf("%s is %d×%d with %d bytes: %v", file, shown.Width, shown.Height, len(answer.Raw), err)
	}
	widest := 0
	for _, one := range regexp.MustCompile(` (\d+)w\b`).FindAllStringSubmatch(page, -1) {
		n, _ := strconv.Atoi(one[1])
		widest = max(widest, n)
	}
	if widest != 2048 {
		t.Errorf("the widest size has %d pixels", widest)
	}
}
