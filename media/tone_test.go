package media

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
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

// The tone of a stored picture is told from a small size of it; of a file that is gone there is none.
func TestToneOfStored(t *testing.T) {
	t.Parallel()
	disk := must[*Disk](t)(NewDisk(t.TempDir()))
	p := NewPictures(disk, nil, NewBudget(64<<20))
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: 7}, Principal: tenancy.Principal{UserID: 1, Role: tenancy.Editor}})
	large := image.NewRGBA(image.Rect(0, 0, 1200, 800))
	draw.Draw(large, large.Rect, image.NewUniform(color.RGBA{200, 30, 60, 255}), image.Point{}, draw.Src)
	picture := must[*calendar.Image](t)(p.keep(ctx, "a.png", bytes.NewReader(pngFile(t, large))))
	if got := must[string](t)(p.Tone(t.Context(), 7, picture)); got != picture.Tone || got != "#c81e3c" {
		t.Errorf("%q, not %q", got, picture.Tone)
	}
	if got := must[string](t)(p.Tone(t.Context(), 8, picture)); got != "" {
		t.Errorf("another site's: %q", got)
	}
}
