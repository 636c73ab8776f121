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
	turnedQuality = 92 // for an original that had to be rotated
)

// target is a named size: maximum width and height, where height 0 means any.
type target struct {
	name          string
	width, height int
	crop          bool
}

// targets returns the sizes of rule 6.1, smallest first.
func targets() []target {
	return []target{
		{"thumbnail", 150, 150, true},
		{"medium", 300, 300, false},
		{"medium_large", 768, 0, false},
		{"large", 1024, 1024, false},
	}
}

// plan returns the part of a w×h image to show and the resulting size. ok is false if that would not be smaller than
// the original.
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

// middle returns the largest centered part of w×h with the aspect ratio of size.
func middle(w, h int, size image.Point) image.Rectangle {
	scale := max(float64(size.X)/float64(w), float64(size.Y)/float64(h))
	pw := min(w, max(1, int(math.Round(float64(size.X)/scale))))
	ph := min(h, max(1, int(math.Round(float64(size.Y)/scale))))
	x, y := (w-pw)/2, (h-ph)/2
	return image.Rect(x, y, x+pw, y+ph)
}

// fit scales w×h down to the target, preserving the aspect ratio and rounding like WordPress, to at least one pixel
// in each direction.
func (t target) fit(w, h int) image.Point {
	scale := min(1, float64(t.width)/float64(w))
	if t.height > 0 {
		scale = min(scale, float64(t.height)/float64(h))
	}
	return image.Pt(max(1, int(math.Round(float64(w)*scale))), max(1, int(math.Round(float64(h)*scale))))
}

// sizes generates every size that is smaller than the image.
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

// sizeMIME returns the format of a size: that of the original if we can write it, otherwise JPEG, or PNG if the image
// has transparency.
func sizeMIME(original string, opaque bool) string {
	if original == mimePNG || !opaque {
		return mimePNG
	}
	return mimeJPEG
}

// encode encodes an image as JPEG or PNG, including the profile if it fits.
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
