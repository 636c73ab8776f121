package media

import (
	"image"

	"golang.org/x/image/draw"
)

// orient returns the image upright. It keeps the color model if its samples can be rotated as they are, and returns
// RGBA otherwise.
func orient(src image.Image, o orientation) image.Image {
	b := src.Bounds()
	if planes, ok := src.(*image.YCbCr); ok {
		if turned := orientPlanes(planes, o); turned != nil {
			return turned
		}
	}
	turned := image.Rect(0, 0, b.Dx(), b.Dy())
	if o >= 5 {
		turned = image.Rect(0, 0, b.Dy(), b.Dx())
	}
	if gray, ok := src.(*image.Gray); ok {
		dst := image.NewGray(turned)
		o.move(dst.Pix, gray.Pix, b.Dx(), b.Dy(), gray.Stride, 1)
		return dst
	}
	rgba := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	drawOnto(rgba, src, image.Point{})
	dst := image.NewRGBA(turned)
	o.move(dst.Pix, rgba.Pix, b.Dx(), b.Dy(), rgba.Stride, 4)
	return dst
}

// orientPlanes is orient for YCbCr images. It returns nil if a rotated chroma sample would lie between two positions.
func orientPlanes(src *image.YCbCr, o orientation) *image.YCbCr {
	across, down, ratio := 1, 1, src.SubsampleRatio
	switch ratio {
	case image.YCbCrSubsampleRatio444:
	case image.YCbCrSubsampleRatio420:
		across, down = 2, 2
	case image.YCbCrSubsampleRatio422:
		across, ratio = 2, image.YCbCrSubsampleRatio440
	case image.YCbCrSubsampleRatio440:
		down, ratio = 2, image.YCbCrSubsampleRatio422
	default:
		return nil
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	if w%across != 0 || h%down != 0 || src.Rect.Min != (image.Point{}) {
		return nil
	}
	turned := image.Rect(0, 0, h, w)
	if o < 5 {
		turned, ratio = src.Rect, src.SubsampleRatio
	}
	dst := image.NewYCbCr(turned, ratio)
	o.move(dst.Y, src.Y, w, h, src.YStride, 1)
	o.move(dst.Cb, src.Cb, w/across, h/down, src.CStride, 1)
	o.move(dst.Cr, src.Cr, w/across, h/down, src.CStride, 1)
	return dst
}

// move copies every pixel of a w×h image, size bytes each, to its new position.
func (o orientation) move(dst, src []byte, w, h, stride, size int) {
	start, right, down := o.steps(w, h)
	for y := range h {
		row, at := src[y*stride:], start+y*down
		for x := range w {
			copy(dst[at*size:][:size], row[x*size:])
			at += right
		}
	}
}

// steps returns the new position of the first pixel of a w×h image, and the distances, in pixels, to its former right
// and lower neighbors.
func (o orientation) steps(w, h int) (start, right, down int) {
	switch o {
	case 2: // mirrored
		return w - 1, -1, w
	case 3: // upside down
		return w*h - 1, -1, -w
	case 4: // upside down, mirrored
		return w * (h - 1), 1, -w
	case 5: // mirrored, then turned left
		return 0, h, 1
	case 6: // needs a turn to the right
		return h - 1, h, -1
	case 7: // mirrored, then turned right
		return w*h - 1, -h, -1
	case 8: // needs a turn to the left
		return h * (w - 1), -h, 1
	}
	return 0, 1, w
}

// drawOnto draws all of src on dst with its first pixel at p.
func drawOnto(dst draw.Image, src image.Image, p image.Point) {
	at := image.Rectangle{p, p.Add(src.Bounds().Size())}
	draw.Draw(dst, at, src, src.Bounds().Min, draw.Src)
}

// onCanvas returns the picture at its position on a transparent canvas, or the picture itself if it fills the canvas.
func onCanvas(w, h int, picture image.Image, at image.Point) image.Image {
	if picture.Bounds().Size() == image.Pt(w, h) {
		return picture
	}
	canvas := image.NewRGBA(image.Rect(0, 0, w, h))
	drawOnto(canvas, picture, at)
	return canvas
}
