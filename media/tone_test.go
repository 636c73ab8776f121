package media

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

// The tone of an image is the mean of its most frequent color; what is clear has none.
func TestToneOf(t *testing.T) {
	t.Parallel()
	fill := func(i *image.NRGBA, r image.Rectangle, c color.Color) {
		draw.Draw(i, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	for name, c := range map[string]struct {
		size image.Point
		draw func(*image.NRGBA)
		want string
	}{
		"one color": {image.Pt(300, 400), func(i *image.NRGBA) { fill(i, i.Rect, color.NRGBA{200, 30, 60, 255}) }, "#c81e3c"},
		"the larger part": {image.Pt(100, 100), func(i *image.NRGBA) {
			fill(i, i.Rect, color.NRGBA{10, 20, 30, 255})
			fill(i, image.Rect(0, 0, 100, 40), color.White)
		}, "#0a141e"},
		"a single pixel": {image.Pt(1, 1), func(i *image.NRGBA) { fill(i, i.Rect, color.White) }, "#ffffff"},
		"a logo on nothing": {image.Pt(100, 100), func(i *image.NRGBA) {
			fill(i, image.Rect(0, 0, 50, 100), color.Black)
		}, ""},
		"nothing": {image.Pt(10, 10), func(*image.NRGBA) {}, ""},
	} {
		i := image.NewNRGBA(image.Rectangle{Max: c.size})
		c.draw(i)
		if got := toneOf(i); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
