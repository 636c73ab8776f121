package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kalends/kalends/tenancy"
)

func samples(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"jpeg": jpegFile(t, quarters(64, 32)),
		"png":  pngFile(t, quarters(64, 32)),
		"gif":  gifFile(t, paletted(image.Rect(0, 0, 400, 200))),
		"webp": webpOf(64, 32, opaqueRed),
	}
}

func TestNotAnImage(t *testing.T) {
	t.Parallel()
	wrong := map[string]string{
		"empty": "", "text": "photo.jpg", "html": "<html><img></html>", "svg": `<svg xmlns="http://www.w3.org/2000/svg"/>`,
		"bmp": "BM" + strings.Repeat("\x00", 60), "only magic jpeg": "\xff\xd8\xff", "only magic png": pngSignature,
		"only magic gif": "GIF89a", "only magic webp": "RIFF\x04\x00\x00\x00WEBP", "riff of other kind": "RIFF\x04\x00\x00\x00WAVE",
		"script after gif": "GIF89a=1;<script>alert(1)</script>", "jpeg of text": "\xff\xd8\xff\xe0not really a picture",
		"webp too long": "RIFF\xff\xff\xff\xffWEBPVP8L", "animation without header": string(webpFile([]riffChunk{frame(0, 0, 9, 9)})),
		"frame off the canvas": string(webpFile([]riffChunk{vp8x(webpAnimation, 20, 20), frame(10, 10, 20, 20)})),
		"webp sizes at odds":   string(webpFile([]riffChunk{vp8x(0, 20, 20), {"VP8L", vp8l(40, 40, glass)}})),
	}
	for name, data := range samples(t) {
		for _, part := range []int{1, 2, 3} {
			wrong[fmt.Sprintf("%s cut to %d/4", name, part)] = string(data[:len(data)*part/4])
		}
	}
	for name, data := range wrong {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			img, err := Decode(context.Background(), strings.NewReader(data), Limits{})
			if img != nil || !errors.Is(err, ErrNotImage) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestBombsAreNotUnpacked(t *testing.T) {
	t.Parallel()
	png := pngFile(t, quarters(8, 8))
	ihdr := bytes.Clone(png[16:29])
	binary.BigEndian.PutUint32(ihdr, 60000)
	binary.BigEndian.PutUint32(ihdr[4:], 60000)
	png = append(appendChunk([]byte(pngSignature), "IHDR", ihdr), png[afterIHDR:]...)
	jpeg := jpegFile(t, quarters(8, 8))
	sof := bytes.Index(jpeg, []byte{0xff, markerSOF0})
	copy(jpeg[sof+5:], "\xff\xf0\xff\xf0")
	gif := gifFile(t, paletted(image.Rect(0, 0, 400, 200)))
	copy(gif[6:], "\xff\xff\xff\xff")
	for name, data := range map[string][]byte{
		"png": png, "jpeg": jpeg, "gif": gif, "webp": webpOf(16383, 16383, glass),
		"webp with header": webpFile([]riffChunk{vp8x(0, 16383, 16383), {"VP8L", vp8l(16383, 16383, glass)}}),
	} {
		if _, err := Decode(context.Background(), bytes.NewReader(data), Limits{}); !errors.Is(err, ErrTooManyPixels) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A PNG may declare much longer rows than other formats with few bytes.
func TestSidesAreLimited(t *testing.T) {
	t.Parallel()
	for _, size := range []image.Point{{maxSide + 1, 1}, {1, maxSide + 1}} {
		file := flatPNG(t, image.NewGray(image.Rectangle{Max: size}))
		if _, err := Decode(t.Context(), bytes.NewReader(file), Limits{}); !errors.Is(err, ErrTooManyPixels) {
			t.Errorf("%v in %d bytes: %v", size, len(file), err)
		}
	}
}

// doubtful is a context that counts how often it is checked.
type doubtful struct {
	context.Context
	times int
}

func (a *doubtful) Err() error {
	a.times++
	return nil
}

// A few bytes may request another pass over the whole image, so the context is checked every few bytes.
func TestDecodersAreStoppedSoon(t *testing.T) {
	t.Parallel()
	file := jpegFile(t, quarters(1200, 900))
	ctx := &doubtful{Context: t.Context()}
	if _, err := Decode(ctx, bytes.NewReader(file), Limits{}); err != nil {
		t.Fatal(err)
	}
	if least := 2 * len(file) / 600; ctx.times < least { // to read it, and to decode it
		t.Errorf("asked %d times over %d bytes, want %d", ctx.times, len(file), least)
	}
}

func TestLimitsAreInclusive(t *testing.T) {
	t.Parallel()
	file := pngFile(t, quarters(10, 10))
	n := int64(len(file))
	for _, c := range []struct {
		limit Limits
		want  error
	}{
		{Limits{MaxBytes: n, MaxPixels: 100}, nil},
		{Limits{MaxBytes: n - 1}, ErrTooLarge},
		{Limits{MaxPixels: 99}, ErrTooManyPixels},
	} {
		if _, err := Decode(context.Background(), bytes.NewReader(file), c.limit); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c.limit, err)
		}
	}
}

func TestDecodeStops(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken pipe")
	if _, err := Decode(context.Background(), iotest.ErrReader(broken), Limits{}); !errors.Is(err, broken) {
		t.Errorf("reader's error: %v", err)
	}
	for name, file := range samples(t) {
		ctx, cancel := context.WithCancel(context.Background())
		r := io.MultiReader(bytes.NewReader(file), readerFunc(func() { cancel() }))
		if _, err := Decode(ctx, r, Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// readerFunc calls itself once at the end of the input.
type readerFunc func()

func (f readerFunc) Read([]byte) (int, error) { f(); return 0, io.EOF }

// slot is what a request occupies.
type slot struct{ worked, works int }

// Outside implements tenancy.Slot.
func (s *slot) Outside(_ context.Context, do func() error) error { return do() }

// Work implements tenancy.Slot.
func (s *slot) Work() func() {
	s.worked, s.works = s.worked+1, s.works+1
	return func() { s.works-- }
}

// Decoding a picture counts as work of its request, and refusing one does not.
func TestDecodingIsWork(t *testing.T) {
	t.Parallel()
	s := &slot{}
	ctx := tenancy.WithSlot(t.Context(), s)
	data := pngFile(t, quarters(64, 32))
	if _, err := Decode(ctx, bytes.NewReader(data), Limits{}); err != nil || s.worked != 1 || s.works != 0 {
		t.Errorf("a picture: %v, worked %d, works %d", err, s.worked, s.works)
	}
	if _, err := Decode(ctx, bytes.NewReader(data), Limits{MaxPixels: 10}); err == nil || s.worked != 1 || s.works != 0 {
		t.Errorf("a refused one: %v, worked %d, works %d", err, s.worked, s.works)
	}
}
