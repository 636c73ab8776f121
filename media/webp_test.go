package media

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
)

var (
	opaqueRed = color.NRGBA{250, 10, 10, 255}
	glass     = color.NRGBA{250, 10, 10, 128}
)

func TestWebPIsStripped(t *testing.T) {
	t.Parallel()
	picture := riffChunk{"VP8L", vp8l(400, 200, opaqueRed)}
	icc := riffChunk{"ICCP", rgbProfile(201)}
	dirty := webpFile([]riffChunk{vp8x(webpXMP|webpEXIF, 400, 200), icc, picture,
		{"EXIF", exif(binary.BigEndian, 6)}, {"XMP ", []byte(secret)}, {"PRIV", []byte(secret)}})
	img := accept(t, append(dirty, secret...))
	if want := webpFile([]riffChunk{vp8x(webpICC, 400, 200), icc, picture}); !bytes.Equal(img.Original, want) {
		t.Error("not exactly the picture is left")
	}
	if img.MIME != mimeWebP || img.Ext != "webp" || img.Width != 400 || img.Height != 200 {
		t.Errorf("got %s %s %d×%d", img.MIME, img.Ext, img.Width, img.Height)
	}
	small := img.Sizes[1]
	m := must[image.Image](t)(jpeg.Decode(bytes.NewReader(small.Data)))
	if small.MIME != mimeJPEG || m.Bounds() != image.Rect(0, 0, 300, 150) || !bytes.Equal(jpegProfile(small.Data), icc.data) {
		t.Errorf("size is %s %v", small.MIME, m.Bounds())
	}
}

func TestWebPKinds(t *testing.T) {
	t.Parallel()
	if img := accept(t, webpOf(200, 200, glass)); img.Sizes[0].MIME != mimePNG {
		t.Errorf("see-through size is %s", img.Sizes[0].MIME)
	}
	if img := accept(t, lossyWebP(t)); img.Width != 1 || img.Height != 1 || !bytes.Equal(img.Original, lossyWebP(t)) {
		t.Errorf("lossy: %d×%d", img.Width, img.Height)
	}
}

// frame is a frame of an animation with hidden data.
func frame(x, y, w, h int) riffChunk {
	head := vp8x(0, w, h).data[4:10]
	data := append([]byte{byte(x / 2), 0, 0, byte(y / 2), 0, 0}, head...)
	data = append(data, 100, 0, 0, 0)
	data = appendRIFF(data, riffChunk{"VP8L", vp8l(w, h, opaqueRed)})
	return riffChunk{"ANMF", appendRIFF(data, riffChunk{"PRIV", []byte(secret)})}
}

func TestAnimatedWebP(t *testing.T) {
	t.Parallel()
	anim := riffChunk{"ANIM", make([]byte, 6)}
	full := accept(t, webpFile([]riffChunk{vp8x(webpAnimation, 200, 200), anim, frame(0, 0, 200, 200), frame(0, 0, 20, 20)}))
	if full.Width != 200 || full.Sizes[0].MIME != mimeJPEG || bytes.Count(full.Original, []byte("ANMF")) != 2 {
		t.Errorf("got %d wide, size %s", full.Width, full.Sizes[0].MIME)
	}
	part := accept(t, webpFile([]riffChunk{vp8x(webpAnimation, 200, 200), anim, frame(100, 100, 100, 100)}))
	small := must[image.Image](t)(png.Decode(bytes.NewReader(part.Sizes[0].Data)))
	if _, _, _, a := small.At(10, 10).RGBA(); a != 0 || part.Width != 200 {
		t.Errorf("alpha %x outside of the frame", a)
	}
}

func FuzzStripWebP(f *testing.F) {
	f.Add(webpOf(9, 9, glass))
	f.Add(lossyWebP(f))
	f.Add(webpFile([]riffChunk{vp8x(webpAnimation, 20, 20), {"ANIM", make([]byte, 6)}, frame(0, 0, 20, 20)}))
	f.Fuzz(func(t *testing.T, data []byte) { strippedTwice(t, data, mimeWebP) })
}
