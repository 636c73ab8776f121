package media

import (
	"bytes"
	"image"
	"image/gif"
	"image/png"
	"reflect"
	"testing"
)

func TestGIFIsStripped(t *testing.T) {
	t.Parallel()
	plain := gifFile(t, paletted(image.Rect(0, 0, 400, 200)), paletted(image.Rect(0, 0, 400, 200)))
	start := gifHeader + gifTable(plain[10])
	comment := "\x21\xfe\x11" + secret + "\x00"
	xmp := "\x21\xff\x0bXMP DataXMP\x11" + secret + "\x00"
	text := "\x21\x01\x0c" + "123456789012" + "\x11" + secret + "\x00"
	dirty := append([]byte(string(plain[:start])+comment+xmp+text), plain[start:]...)
	img := accept(t, append(dirty, secret...))
	if !bytes.Equal(img.Original, plain) {
		t.Error("not exactly the picture is left")
	}
	before := must[*gif.GIF](t)(gif.DecodeAll(bytes.NewReader(plain)))
	after := must[*gif.GIF](t)(gif.DecodeAll(bytes.NewReader(img.Original)))
	if !reflect.DeepEqual(before, after) || after.LoopCount != 7 {
		t.Error("the animation changed")
	}
	if img.MIME != mimeGIF || img.Ext != "gif" || img.Sizes[0].MIME != mimeJPEG {
		t.Errorf("got %s %s, sizes %s", img.MIME, img.Ext, img.Sizes[0].MIME)
	}
}

func TestGIFFrameSmallerThanScreen(t *testing.T) {
	t.Parallel()
	img := accept(t, gifFile(t, paletted(image.Rect(100, 50, 300, 150))))
	if img.Width != 400 || img.Height != 200 {
		t.Errorf("got %d×%d", img.Width, img.Height)
	}
	small := must[image.Image](t)(png.Decode(bytes.NewReader(img.Sizes[1].Data)))
	_, _, _, outside := small.At(0, 0).RGBA()
	_, _, _, inside := small.At(150, 75).RGBA()
	if outside != 0 || inside != 0xffff {
		t.Errorf("alpha %x outside, %x inside", outside, inside)
	}
}

func TestGIFWithoutTrailerIsForgiven(t *testing.T) {
	t.Parallel()
	plain := gifFile(t, paletted(image.Rect(0, 0, 400, 200)))
	img := accept(t, plain[:len(plain)-1])
	if !bytes.Equal(img.Original, plain) {
		t.Error("the trailer is not put back")
	}
}

func FuzzStripGIF(f *testing.F) {
	f.Add(gifFile(f, paletted(image.Rect(0, 0, 9, 9))))
	f.Fuzz(func(t *testing.T, data []byte) { strippedTwice(t, data, mimeGIF) })
}
