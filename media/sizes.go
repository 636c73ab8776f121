package media

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"runtime"

	"github.com/kalends/kalends/calendar"
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
	return append(smallTargets(), []target{
		{"1536x1536", 1536, 1536, false},
		{calendar.SizeLargest, 2048, 2048, false},
		{calendar.SizePreview, calendar.PreviewWidth, calendar.PreviewHeight, true},
	}...)
}

// smallTargets are the sizes of an image that was sent without an account. With the larger sizes, a photo of 12
// megapixels would need twice the memory that such images may use.
func smallTargets() []target {
	return []target{
		{calendar.SizeThumbnail, 150, 150, true},
		{"medium", 300, 300, false},
		{"medium_large", 768, 0, false},
		{"large", 1024, 1024, false},
	}
}

// Beyond heaviest bytes, an image is encoded again for the public even if it has few pixels, and a size without transparency is a JPEG if
// that is smaller.
const heaviest = 300_000

// plan returns the part of a w×h image to show and the resulting size. ok is false if the size isn't needed: if it would not be smaller
// than the original, or not be lighter in the case of the largest one.
func (t target) plan(w, h int, bytes int64) (part image.Rectangle, size image.Point, ok bool) {
	part = image.Rect(0, 0, w, h)
	switch {
	case t.name == calendar.SizePreview:
		part = middle(w, h, image.Pt(t.width, t.height))
		size = image.Pt(min(t.width, part.Dx()), min(t.height, part.Dy()))
		return part, size, size.X >= leastPreview && size.Y >= leastPreview && (w > t.width || h > t.height || bytes > heaviest)
	case t.crop:
		size = image.Pt(min(t.width, w), min(t.height, h))
		part = middle(w, h, size)
	default:
		size = t.fit(w, h)
	}
	return part, size, size.X < w || size.Y < h || t.name == calendar.SizeLargest && bytes > heaviest
}

// leastPreview is the least width and height of a preview that programs show.
const leastPreview = 200

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

// sizes generates the sizes in a list that an image needs, given the size of its file in bytes.
func sizes(ctx context.Context, list []target, src image.Image, mime string, profile []byte, bytes int64) ([]Size, error) {
	var all []Size
	b := src.Bounds()
	largest := largestOf(list, src)
	if largest != nil { // nothing else needs the image, and what follows has to fit into its memory
		src = nil
		if b.Dx()*b.Dy() >= littered {
			runtime.GC()
		}
	}
	for _, t := range list {
		part, size, ok := t.plan(b.Dx(), b.Dy(), bytes)
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		small := largest
		if t.name != calendar.SizeLargest || largest == nil {
			if largest != nil { // made of the largest size, which has few pixels
				part = image.Rectangle{Max: largest.Rect.Max}
				if t.crop {
					part = middle(part.Dx(), part.Dy(), size)
				}
				small = scale(largest, part, size)
			} else {
				small = scale(src, part.Add(b.Min), size)
			}
		}
		var one Size
		var err error
		if t.name == calendar.SizePreview {
			one, err = preview(small, profile)
		} else {
			one, err = light(small, mime, profile)
		}
		if err != nil {
			return nil, fmt.Errorf("size %s: %w", t.name, err)
		}
		one.Name = t.name
		all = append(all, one)
	}
	return all, nil
}

// largestOf returns the largest size of an image that has more pixels, or nil.
func largestOf(list []target, src image.Image) *image.RGBA {
	b := src.Bounds()
	for _, t := range list {
		if _, size, _ := t.plan(b.Dx(), b.Dy(), 0); t.name == calendar.SizeLargest && (size.X < b.Dx() || size.Y < b.Dy()) {
			return scale(src, b, size)
		}
	}
	return nil
}

// light encodes a size in the format of the original, or as a JPEG where that is lighter and shows the same.
func light(small *image.RGBA, original string, profile []byte) (Size, error) {
	opaque := small.Opaque()
	as := sizeMIME(original, opaque)
	data, err := encode(small, as, sizeQuality, profile)
	if err == nil && as == mimePNG && opaque && len(data) > heaviest {
		var photo []byte
		if photo, err = encode(small, mimeJPEG, sizeQuality, profile); len(photo) < len(data) {
			as, data = mimeJPEG, photo
		}
	}
	return Size{MIME: as, Width: small.Rect.Dx(), Height: small.Rect.Dy(), Data: data}, err
}

// preview encodes what previews of links show: a JPEG on white, in the best quality that is light enough.
func preview(small *image.RGBA, profile []byte) (Size, error) {
	white := small
	if !small.Opaque() {
		white = image.NewRGBA(small.Rect)
		draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(white, white.Rect, small, small.Rect.Min, draw.Over)
	}
	for quality := sizeQuality; ; quality -= 20 {
		data, err := encode(white, mimeJPEG, max(1, quality), profile)
		if err != nil || len(data) <= calendar.PreviewBytes || quality < 1 {
			return Size{MIME: mimeJPEG, Width: white.Rect.Dx(), Height: white.Rect.Dy(), Data: data}, err
		}
	}
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
