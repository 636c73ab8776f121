//go:build !race

// Sizes are made in one goroutine, and the race detector takes most of a minute for them.

package media

import (
	"bytes"
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/image/draw"

	"github.com/kalends/kalends/calendar"
)

func TestSizesMade(t *testing.T) {
	t.Parallel()
	for original, want := range map[string]string{
		"1x1": "", "150x150": "", "151x100": "thumbnail 150x100", "100x151": "thumbnail 100x150",
		"300x300":   "thumbnail 150x150",
		"301x200":   "thumbnail 150x150, medium 300x199",
		"768x500":   "thumbnail 150x150, medium 300x195",
		"700x1000":  "thumbnail 150x150, medium 210x300, preview 700x368",
		"800x2000":  "thumbnail 150x150, medium 120x300, medium_large 768x1920, large 410x1024, 1536x1536 614x1536, preview 800x420",
		"1024x768":  "thumbnail 150x150, medium 300x225, medium_large 768x576, preview 1024x538",
		"2000x1500": "thumbnail 150x150, medium 300x225, medium_large 768x576, large 1024x768, 1536x1536 1536x1152, preview 1200x630",
		"5000x2":    "thumbnail 150x2, medium 300x1, medium_large 768x1, large 1024x1, 1536x1536 1536x1, 2048x2048 2048x1",
	} {
		var w, h int
		if _, err := fmt.Sscanf(original, "%dx%d", &w, &h); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range accept(t, pngFile(t, image.NewGray(image.Rect(0, 0, w, h)))).Sizes {
			got = append(got, fmt.Sprintf("%s %dx%d", s.Name, s.Width, s.Height))
			if c, _, err := image.DecodeConfig(bytes.NewReader(s.Data)); err != nil || c.Width != s.Width || c.Height != s.Height {
				t.Errorf("%s %s: holds %d×%d, %v", original, s.Name, c.Width, c.Height, err)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %s, want %s", original, strings.Join(got, ", "), want)
		}
	}
}

// TestHeavyImagesBecomeLight: what the public loads is no larger than 2048 pixels, and a preview of a link no heavier than other programs
// take, whatever was uploaded.
func TestHeavyImagesBecomeLight(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	noise := func(w, h int, alpha uint8) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range m.Pix {
			if m.Pix[i] = uint8(random.Uint32()); i%4 == 3 {
				m.Pix[i] = 255 - uint8(random.Uint32())&alpha
			}
		}
		return m
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"a photo":              {jpegFile(t, noise(2600, 1900, 0)), "thumbnail jpeg, medium jpeg, medium_large jpeg, large jpeg, 1536x1536 jpeg, 2048x2048 jpeg, preview jpeg"},
		"a photo as PNG":       {pngFile(t, noise(1300, 900, 0)), "thumbnail png, medium png, medium_large jpeg, large jpeg, 2048x2048 jpeg, preview jpeg"},
		"with holes":           {pngFile(t, noise(1300, 900, 64)), "thumbnail png, medium png, medium_large png, large png, 2048x2048 png, preview jpeg"},
		"heavy with few pixel": {pngFile(t, noise(700, 600, 0)), "thumbnail png, medium png, 2048x2048 jpeg, preview jpeg"},
	} {
		made := accept(t, c.file)
		var got []string
		names := map[string]bool{}
		for _, s := range made.Sizes {
			got = append(got, s.Name+" "+strings.TrimPrefix(s.MIME, "image/"))
			if names[s.FileName("a.png")] {
				t.Errorf("%s: two sizes are called %s", name, s.FileName("a.png"))
			}
			names[s.FileName("a.png")] = true
			if s.Width > 2048 || s.Height > 2048 || len(s.Data) >= len(c.file) {
				t.Errorf("%s: %s is %d×%d with %d bytes", name, s.Name, s.Width, s.Height, len(s.Data))
			}
			if s.Name == calendar.SizePreview && (s.Width > 1200 || s.Height > 630 || len(s.Data) > 300_000) {
				t.Errorf("%s: a preview of %d×%d with %d bytes", name, s.Width, s.Height, len(s.Data))
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", name, strings.Join(got, ", "), c.want)
		}
	}
}

func TestThumbnailShowsTheMiddle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		w, h int
		want image.Rectangle
	}{
		{400, 200, image.Rect(100, 0, 300, 200)},
		{200, 400, image.Rect(0, 100, 200, 300)},
		{400, 100, image.Rect(125, 0, 275, 100)},
		{151, 151, image.Rect(0, 0, 151, 151)},
	} {
		if part, _, _ := targets()[0].plan(c.w, c.h, 0); part != c.want {
			t.Errorf("%d×%d: %v, want %v", c.w, c.h, part, c.want)
		}
	}
}

// TestScale compares the result with a reference implementation that processes all rows at once.
func TestScale(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	src := image.NewNRGBA(image.Rect(0, 0, 301, 203))
	for i := range src.Pix {
		src.Pix[i] = uint8(random.Uint32())
	}
	for _, c := range []struct {
		part image.Rectangle
		size image.Point
	}{
		{src.Rect, image.Pt(150, 101)}, {src.Rect, image.Pt(300, 202)}, {src.Rect, image.Pt(7, 203)}, {src.Rect, image.Pt(1, 1)},
		{image.Rect(49, 0, 252, 203), image.Pt(150, 150)}, {image.Rect(5, 3, 6, 203), image.Pt(1, 20)},
	} {
		want := image.NewRGBA(image.Rectangle{Max: c.size})
		draw.CatmullRom.Scale(want, want.Rect, src, c.part, draw.Src, nil)
		got := scale(src, c.part, c.size)
		for i, v := range want.Pix {
			if d := int(v) - int(got.Pix[i]); d < -2 || d > 2 {
				t.Fatalf("%v to %v: byte %d is %d, want %d", c.part, c.size, i, got.Pix[i], v)
			}
		}
	}
}
