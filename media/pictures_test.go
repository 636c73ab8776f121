package media

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

// secret stands for all private metadata; no output may contain it.
const secret = "52.5163N,13.3777E"

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// quarters is an image of four colors that reveals its orientation: red and green at the top, blue and white at the
// bottom.
func quarters(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, quarterColours[2*(2*y/h)+2*x/w])
		}
	}
	return m
}

var quarterColours = [4]color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}}

// corners returns the colors in the corners in reading order.
func corners(m image.Image) (found [4]int) {
	b := m.Bounds()
	for i, at := range []image.Point{{b.Min.X, b.Min.Y}, {b.Max.X - 1, b.Min.Y}, {b.Min.X, b.Max.Y - 1}, {b.Max.X - 1, b.Max.Y - 1}} {
		r, g, bl, _ := m.At(at.X, at.Y).RGBA()
		switch {
		case r > 0x8000 && g > 0x8000:
			found[i] = 3
		case g > 0x8000:
			found[i] = 1
		case bl > 0x8000:
			found[i] = 2
		}
	}
	return found
}

func jpegFile(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngFile(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gifFile(t testing.TB, frames ...*image.Paletted) []byte {
	t.Helper()
	var b bytes.Buffer
	g := &gif.GIF{Image: frames, Delay: make([]int, len(frames)), LoopCount: 7}
	g.Config = image.Config{Width: 400, Height: 200, ColorModel: frames[0].Palette}
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func paletted(r image.Rectangle) *image.Paletted {
	return image.NewPaletted(r, color.Palette{color.RGBA{200, 0, 0, 255}, color.RGBA{0, 0, 200, 255}})
}

// exif is an EXIF payload with an orientation and a GPS directory that contains the secret.
func exif(order binary.AppendByteOrder, o uint16) []byte {
	head := "II*\x00"
	if order == binary.BigEndian {
		head = "MM\x00*"
	}
	b := order.AppendUint32([]byte(head), 8)
	b = order.AppendUint16(b, 2)
	b = order.AppendUint16(order.AppendUint16(b, tagOrientation), 3)
	b = order.AppendUint16(order.AppendUint16(order.AppendUint32(b, 1), o), 0)
	const tagGPS, long, ascii, gpsAt = 0x8825, 4, 2, 38
	b = order.AppendUint16(order.AppendUint16(b, tagGPS), long)
	b = order.AppendUint32(order.AppendUint32(b, 1), gpsAt)
	b = order.AppendUint32(b, 0)
	b = order.AppendUint16(b, 1)
	b = order.AppendUint16(order.AppendUint16(b, 0x1b), ascii)
	b = order.AppendUint32(order.AppendUint32(b, uint32(len(secret))), gpsAt+18)
	b = order.AppendUint32(b, 0)
	return append(append([]byte(exifTag), b...), secret...)
}

// withSegments inserts segments after the start of a JPEG.
func withSegments(file []byte, segments ...jpegSegment) []byte {
	out := []byte{0xff, markerSOI}
	for _, s := range segments {
		out = appendSegment(out, s.marker, s.payload)
	}
	return append(out, file[2:]...)
}

func withChunks(file []byte, at int, chunks ...pngChunk) []byte {
	out := bytes.Clone(file[:at])
	for _, c := range chunks {
		out = appendChunk(out, c.name, c.data)
	}
	return append(out, file[at:]...)
}

// rgbProfile resembles an ICC profile for RGB as far as it is checked.
func rgbProfile(n int) []byte {
	p := bytes.Repeat([]byte("profile "), n/8+1)[:n]
	copy(p[16:], iccRGB)
	return p
}

// bits writes numbers of a given number of bits, least significant first.
type bits struct {
	out []byte
	n   int
}

func (b *bits) put(v uint32, n int) {
	for i := range n {
		if b.n%8 == 0 {
			b.out = append(b.out, 0)
		}
		b.out[b.n/8] |= byte(v>>i&1) << (b.n % 8)
		b.n++
	}
}

// vp8l encodes a uniform image losslessly: with five single-symbol codes, pixels need no bits.
func vp8l(w, h int, c color.NRGBA) []byte {
	b := bits{}
	b.put(0x2f, 8)
	b.put(uint32(w-1), 14)
	b.put(uint32(h-1), 14)
	b.put(1, 1) // alpha is used
	b.put(0, 3+1+1+1)
	for _, symbol := range []byte{c.G, c.R, c.B, c.A, 0} {
		b.put(1, 1) // simple
		b.put(0, 1) // one symbol
		b.put(1, 1) // of eight bits
		b.put(uint32(symbol), 8)
	}
	return b.out
}

func webpOf(w, h int, c color.NRGBA) []byte {
	return webpFile([]riffChunk{{"VP8L", vp8l(w, h, c)}})
}

func vp8x(flags byte, w, h int) riffChunk {
	return riffChunk{"VP8X", []byte{flags, 0, 0, 0,
		byte(w - 1), byte((w - 1) >> 8), byte((w - 1) >> 16), byte(h - 1), byte((h - 1) >> 8), byte((h - 1) >> 16)}}
}

// lossyWebP is a lossy image of one black pixel.
func lossyWebP(t testing.TB) []byte {
	return must[[]byte](t)(base64.StdEncoding.DecodeString(
		"UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"))
}
