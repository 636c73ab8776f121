package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"reflect"
	"testing"
)

func accept(t testing.TB, file []byte) *Image {
	t.Helper()
	img, err := Decode(context.Background(), bytes.NewReader(file), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range img.Sizes {
		if bytes.Contains(s.Data, []byte(secret)) {
			t.Errorf("size %s tells the secret", s.Name)
		}
	}
	if bytes.Contains(img.Original, []byte(secret)) {
		t.Error("the original tells the secret")
	}
	return img
}

func TestJPEGIsStrippedWithoutLoss(t *testing.T) {
	t.Parallel()
	plain := jpegFile(t, quarters(64, 32))
	jfif := jpegSegment{marker: markerAPP0, payload: []byte("JFIF\x00\x01\x02\x00\x00\x01\x00\x01\x00\x00")}
	preview := jpegSegment{marker: markerAPP0, payload: append([]byte("JFIF\x00\x01\x02\x00\x00\x01\x00\x01\x01\x01"), secret[:3]...)}
	icc := jpegSegment{marker: markerAPP2, payload: append([]byte(iccTag+"\x01\x01"), rgbProfile(200)...)}
	dirty := withSegments(plain, preview,
		jpegSegment{marker: markerAPP1, payload: exif(binary.BigEndian, 1)},
		jpegSegment{marker: markerAPP1, payload: []byte("http://ns.adobe.com/xap/1.0/\x00" + secret)},
		jpegSegment{marker: 0xed, payload: []byte("Photoshop 3.0\x00" + secret)},
		jpegSegment{marker: markerAPP2, payload: []byte("MPF\x00" + secret)},
		jpegSegment{marker: markerAPP0, payload: []byte("JFXX\x00\x10" + secret)},
		icc,
		jpegSegment{marker: 0xfe, payload: []byte(secret)})
	img := accept(t, append(dirty, "trailing "+secret...))
	if want := withSegments(plain, jfif, icc); !bytes.Equal(img.Original, want) {
		t.Error("not exactly the picture is left")
	}
	if img.MIME != mimeJPEG || img.Ext != "jpg" || img.Width != 64 || img.Height != 32 || img.Sizes != nil {
		t.Errorf("got %s %s %d×%d", img.MIME, img.Ext, img.Width, img.Height)
	}
}

func TestJPEGIsTurnedUpright(t *testing.T) {
	t.Parallel()
	want := map[uint16][4]int{
		0: {0, 1, 2, 3}, 1: {0, 1, 2, 3}, 2: {1, 0, 3, 2}, 3: {3, 2, 1, 0}, 4: {2, 3, 0, 1},
		5: {0, 2, 1, 3}, 6: {2, 0, 3, 1}, 7: {3, 1, 2, 0}, 8: {1, 3, 0, 2}, 9: {0, 1, 2, 3},
	}
	for o, corner := range want {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			img := accept(t, withSegments(jpegFile(t, quarters(400, 200)),
				jpegSegment{marker: markerAPP1, payload: exif(order, o)},
				jpegSegment{marker: markerAPP2, payload: append([]byte(iccTag+"\x01\x01"), rgbProfile(200)...)}))
			w, h := 400, 200
			if o >= 5 && o <= 8 {
				w, h = h, w
			}
			m := must[image.Image](t)(jpeg.Decode(bytes.NewReader(img.Original)))
			if m.Bounds() != image.Rect(0, 0, w, h) || img.Width != w || img.Height != h || corners(m) != corner {
				t.Errorf("orientation %d: %v, corners %v, want %v", o, m.Bounds(), corners(m), corner)
			}
			if jpegOrientation(img.Original) != upright || !bytes.Equal(jpegProfile(img.Original), rgbProfile(200)) {
				t.Errorf("orientation %d: still asked for, or the profile is lost", o)
			}
			medium := must[image.Image](t)(jpeg.Decode(bytes.NewReader(img.Sizes[1].Data)))
			if corners(medium) != corner || !bytes.Equal(jpegProfile(img.Sizes[1].Data), rgbProfile(200)) {
				t.Errorf("orientation %d: size has corners %v", o, corners(medium))
			}
		}
	}
}

func TestGrayJPEGStaysGray(t *testing.T) {
	t.Parallel()
	gray := image.NewGray(image.Rect(0, 0, 20, 10))
	gray.Pix[0] = 255
	img := accept(t, withSegments(jpegFile(t, gray), jpegSegment{marker: markerAPP1, payload: exif(binary.BigEndian, 6)}))
	m := must[image.Image](t)(jpeg.Decode(bytes.NewReader(img.Original)))
	if _, ok := m.(*image.Gray); !ok || img.Width != 10 {
		t.Errorf("got %T, %d wide", m, img.Width)
	}
}

func TestOrientationOfNonsense(t *testing.T) {
	t.Parallel()
	whole := exif(binary.LittleEndian, 6)[len(exifTag):]
	for n := range 22 {
		if o := tiffOrientation(whole[:n]); o != upright {
			t.Errorf("%d bytes: %d", n, o)
		}
	}
	for name, tiff := range map[string]string{
		"far away": "II*\x00\xff\xff\xff\xff", "no order": "XX*\x00\x08\x00\x00\x00\x00\x00",
		"many": "II*\x00\x08\x00\x00\x00\xff\xff\x00\x00",
	} {
		if o := tiffOrientation([]byte(tiff)); o != upright {
			t.Errorf("%s: %d", name, o)
		}
	}
}

func TestJPEGWithEndlessScansIsRefused(t *testing.T) {
	t.Parallel()
	file := jpegFile(t, quarters(8, 8))
	scan := bytes.LastIndex(file, []byte{0xff, markerSOS})
	end := len(file) - 2
	many := append(bytes.Clone(file[:end]), bytes.Repeat(file[scan:end], maxScans)...)
	many = append(many, 0xff, markerEOI)
	if _, err := stripJPEG(many); !errors.Is(err, ErrNotImage) {
		t.Errorf("got %v", err)
	}
}

func TestLongProfileIsCutAndJoined(t *testing.T) {
	t.Parallel()
	icc := rgbProfile(150_000)
	file := withProfile(jpegFile(t, quarters(8, 8)), mimeJPEG, icc)
	if got := jpegProfile(file); !bytes.Equal(got, icc) {
		t.Errorf("got %d bytes back", len(got))
	}
	must[image.Image](t)(jpeg.Decode(bytes.NewReader(file)))
}

func FuzzStripJPEG(f *testing.F) {
	f.Add(jpegFile(f, quarters(16, 8)))
	f.Add(withSegments(jpegFile(f, quarters(9, 9)), jpegSegment{marker: markerAPP1, payload: exif(binary.LittleEndian, 6)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		jpegOrientation(data)
		stripped, err := stripJPEG(data)
		if err != nil {
			return
		}
		if again, err := stripJPEG(stripped); err != nil || !bytes.Equal(again, stripped) {
			t.Fatal("stripping twice is not stripping once")
		}
		if c, err := jpeg.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width*c.Height > 1<<16 {
			return
		}
		before, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		after, err := jpeg.Decode(bytes.NewReader(stripped))
		if err != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("the picture changed: %v", err)
		}
	})
}
