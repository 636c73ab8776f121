package media

import (
	"bytes"
	"fmt"
	"image"
	"strings"
	"testing"

	"golang.org/x/image/draw"
)

func TestSizesMade(t *testing.T) {
	t.Parallel()
	for original, want := range map[string]string{
		"1x1": "", "150x150": "", "151x100": "thumbnail 150x100", "100x151": "thumbnail 100x150",
		"300x300":   "thumbnail 150x150",
		"301x200":   "thumbnail 150x150, medium 300x199",
		"768x500":   "thumbnail 150x150, medium 300x195",
		"700x1000":  "thumbnail 150x150, medium 210x300",
		"800x2000":  "thumbnail 150x150, medium 120x300, medium_large 768x1920, large 410x1024",
		"1024x768":  "thumbnail 150x150, medium 300x225, medium_large 768x576",
		"2000x1500": "thumbnail 150x150, medium 300x225, medium_large 768x576, large 1024x768",
		"5000x2":    "thumbnail 150x2, medium 300x1, medium_large 768x1, large 1024x1",
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
		if part, _, _ := targets()[0].plan(c.w, c.h); part != c.want {
			t.Errorf("%d×%d: %v, want %v", c.w, c.h, part, c.want)
		}
	}
}

func TestHighStripIsScaledWithLittleMemory(t *testing.T) {
	t.Parallel()
	if scaler(1024, 7071) != draw.CatmullRom || scaler(768, 65000) != draw.ApproxBiLinear {
		t.Error("the kernel's working memory is not bounded")
	}
}
