package calendar

import (
	"strings"
	"testing"
)

// TestShownSizes: the original is shown only if it is small, and a preview of a link is light, also of images that were stored before
// there were the largest sizes.
func TestShownSizes(t *testing.T) {
	t.Parallel()
	size := func(name string, w, h int, bytes int64) ImageSize {
		return ImageSize{Name: name, File: name, Width: w, Height: h, Bytes: bytes}
	}
	old := []ImageSize{size("thumbnail", 150, 150, 9_000), size("medium", 300, 225, 20_000), size("medium_large", 768, 576, 90_000), size("large", 1024, 768, 180_000)}
	heavy := []ImageSize{size("thumbnail", 150, 150, 40_000), size("medium", 300, 300, 310_000), size("large", 1024, 1024, 900_000)}
	for name, c := range map[string]struct {
		image                 Image
		shown, large, preview string
	}{
		"tiny":               {Image{Width: 90, Height: 60, Bytes: 900}, "original", "original", "original"},
		"small":              {Image{Width: 800, Height: 600, Bytes: 90_000, Sizes: old[:3]}, "medium medium_large original", "original", "original"},
		"small and heavy":    {Image{Width: 800, Height: 600, Bytes: 900_000, Sizes: append(old[:3:3], size(SizeLargest, 800, 600, 200_000), size(SizePreview, 800, 420, 150_000))}, "medium medium_large 2048x2048", "2048x2048", "preview"},
		"of before":          {Image{Width: 6000, Height: 4000, Bytes: 13_700_000, Sizes: old}, "medium medium_large large", "large", "medium_large"},
		"of before, heavy":   {Image{Width: 6000, Height: 6000, Bytes: 13_700_000, Sizes: heavy}, "medium large", "large", "thumbnail"},
		"large":              {Image{Width: 6000, Height: 4000, Bytes: 13_700_000, Sizes: append(old[:4:4], size("1536x1536", 1536, 1152, 400_000), size(SizeLargest, 2048, 1365, 700_000), size(SizePreview, 1200, 630, 300_000))}, "medium medium_large large 1536x1536 2048x2048", "2048x2048", "preview"},
		"large without much": {Image{Width: 6000, Height: 4, Bytes: 13_000, Sizes: []ImageSize{size("large", 1024, 1, 90)}}, "large", "large", "large"},
	} {
		c.image.File = "original"
		var shown []string
		for _, s := range c.image.Shown() {
			shown = append(shown, s.File)
		}
		if got := strings.Join(shown, " "); got != c.shown || c.image.Large().File != c.large || c.image.Preview().File != c.preview {
			t.Errorf("%s: %s, %s, %s", name, got, c.image.Large().File, c.image.Preview().File)
		}
	}
}
