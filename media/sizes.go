package media

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math"
)

const (
	sizeQuality   = 82 // as WordPress
	turnedQuality = 92 // of an original that had to be turned upright
)

// target is a named size: the most it may measure, 0 for any height.
type target struct {
	name          string
	width, height int
	crop          bool
}

// targets are the sizes of rule 6.1, smallest first.
func targets() []target {
	return []target{
		{"thumbnail", 150, 150, true},
		{"medium", 300, 300, false},
		{"medium_large", 768, 0, false},
		{"large", 1024, 1024, false},
	}
}

// plan returns which part of w×h is shown how large; ok is false when that
// would not be smaller than the original.
func (t target) plan(w, h int) (part image.Rectangle, size image.Point, ok bool) {
	part = image.Rect(0, 0, w, h)
	if t.crop {
		size = image.Pt(min(t.width, w), min(t.height, h))
		part = middle(w, h, size)
	} else {
		size = t.fit(w, h)
	}
	return part, size, size.X < w || size.Y < h
}

// middle returns the largest part of w×h of the same shape as size, centred.
func middle(w, h int, size image.Point) image.Rectangle {
	scale := max(float64(size.X)/float64(w), float64(size.Y)/float64(h))
	pw := min(w, max(1, int(math.Round(float64(size.X)/scale))))
	ph := min(h, max(1, int(math.Round(float64(size.Y)/scale))))
	x, y := (w-pw)/2, (h-ph)/2
	return image.Rect(x, y, x+pw, y+ph)
}

// fit returns w×h scaled down to the target with its shape kept, rounded as
// WordPress does, at least one pixel either way.
func (t target) fit(w, h int) image.Point {
	scale := min(1, float64(t.width)/float64(w))
	if t.height > 0 {
		scale = min(scale, float64(t.height)/float64(h))
	}
	return image.Pt(max(1, int(math.Round(float64(w)*scale))), max(1, int(math.Round(float64(h)*scale))))
}

// sizes makes every size that is smaller than the picture.
func sizes(ctx context.Context, src image.Image, mime string, profile []byte) ([]Size, error) {
	var all []Size
	b := src.Bounds()
	for _, t := range targets() {
		part, size, ok := t.plan(b.Dx(), b.Dy())
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		small := scale(src, part.Add(b.Min), size)
		as := sizeMIME(mime, small.Opaque())
		data, err := encode(small, as, sizeQuality, profile)
		if err != nil {
			return nil, fmt.Errorf("size %s: %w", t.name, err)
		}
		all = append(all, Size{t.name, as, size.X, size.Y, data})
	}
	return all, nil
}

// sizeMIME returns the format of a size: that of the original where we can
// write it, otherwise JPEG, or PNG when something shines through.
func sizeMIME(original string, opaque bool) string {
	if original == mimePNG || !opaque {
		return mimePNG
	}
	return mimeJPEG
}

// encode writes a picture as JPEG or PNG, with the profile if it fits.
func encode(picture image.Image, mime string, quality int, profile []byte) ([]byte, error) {
	var out bytes.Buffer
	var err error
	if mime == mimePNG {
		err = png.Encode(&out, picture)
	} else {
		err = jpeg.Encode(&out, picture, &jpeg.Options{Quality: quality})
	}
	if err != nil {
		return nil, err
	}
	space := iccRGB
	if _, gray := picture.(*image.Gray); gray {
		space = iccGray
	}
	if profileSpace(profile) != space {
		return out.Bytes(), nil
	}
	return withProfile(out.Bytes(), mime, profile), nil
}
