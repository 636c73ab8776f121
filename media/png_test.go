package media

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"testing"
)

const afterIHDR = 33

func TestPNGIsStripped(t *testing.T) {
	t.Parallel()
	plain := pngFile(t, quarters(64, 32))
	kept := []pngChunk{{name: "gAMA", data: []byte{0, 0, 0xb1, 0x8f}}, {name: "sRGB", data: []byte{0}},
		{name: "pHYs", data: make([]byte, 9)}, {name: "acTL", data: []byte{0, 0, 0, 1, 0, 0, 0, 0}}}
	dirty := withChunks(plain, afterIHDR, append(kept,
		pngChunk{name: "tEXt", data: []byte("Comment\x00" + secret)},
		pngChunk{name: "iTXt", data: []byte("XML:com.adobe.xmp\x00" + secret)},
		pngChunk{name: "zTXt", data: []byte("Comment\x00\x00" + secret)},
		pngChunk{name: "eXIf", data: exifTIFF()},
		pngChunk{name: "tIME", data: make([]byte, 7)},
		pngChunk{name: "prIV", data: []byte(secret)})...)
	img := accept(t, append(dirty, secret...))
	if want := withChunks(plain, afterIHDR, kept...); !bytes.Equal(img.Original, want) {
		t.Error("not exactly the picture is left")
	}
	if img.MIME != mimePNG || img.Ext != "png" || img.Width != 64 || img.Height != 32 {
		t.Errorf("got %s %s %d×%d", img.MIME, img.Ext, img.Width, img.Height)
	}
}

func exifTIFF() []byte { return exif(binary.BigEndian, 6)[len(exifTag):] }

func TestPNGSizesKeepTransparencyAndProfile(t *testing.T) {
	t.Parallel()
	m := image.NewNRGBA(image.Rect(0, 0, 400, 400))
	m.Set(200, 200, color.NRGBA{255, 0, 0, 255})
	icc := rgbProfile(400)
	img := accept(t, withProfile(pngFile(t, m), mimePNG, icc))
	for _, s := range img.Sizes {
		small := must[image.Image](t)(png.Decode(bytes.NewReader(s.Data)))
		if _, _, _, a := small.At(0, 0).RGBA(); a != 0 || s.MIME != mimePNG {
			t.Errorf("%s: %s, alpha %d", s.Name, s.MIME, a)
		}
		if !bytes.Equal(pngProfile(s.Data), icc) {
			t.Errorf("%s: profile lost", s.Name)
		}
	}
	if len(img.Sizes) != 2 {
		t.Errorf("%d sizes", len(img.Sizes))
	}
}

func FuzzStripPNG(f *testing.F) {
	f.Add(pngFile(f, quarters(16, 8)))
	f.Fuzz(func(t *testing.T, data []byte) { strippedTwice(t, data, mimePNG) })
}

// strippedTwice checks that the stripper of a format does not panic and is idempotent.
func strippedTwice(t *testing.T, data []byte, mime string) {
	f, ok := sniff(data)
	if !ok || f.mime != mime {
		return
	}
	once, err := f.strip(data)
	if err != nil {
		return
	}
	if twice, err := f.strip(once); err != nil || !bytes.Equal(once, twice) {
		t.Fatalf("stripping twice is not stripping once: %v", err)
	}
	f.profile(once)
	if c, err := f.config(bytes.NewReader(once)); err == nil && c.Width*c.Height < 1<<16 {
		_, _ = f.decode(bytes.NewReader(once))
	}
}
