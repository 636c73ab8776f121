package media

import (
	"context"
	"errors"
	"image"
	"image/color"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/tenancy"
)

// broken is a store of which something doesn't work.
type broken struct {
	Store
	put, get, remove error
	keeps            bool   // what is removed
	instead          string // of what was written
}

func (b broken) Put(ctx context.Context, key string, r io.Reader, size int64, mime string) error {
	if b.put != nil {
		return b.put
	}
	if b.instead != "" {
		r, size = strings.NewReader(b.instead), int64(len(b.instead))
	}
	return b.Store.Put(ctx, key, r, size, mime)
}

func (b broken) Get(ctx context.Context, key string) (io.ReadSeekCloser, Info, error) {
	if b.get != nil {
		return nil, Info{}, b.get
	}
	return b.Store.Get(ctx, key)
}

func (b broken) Delete(ctx context.Context, keys ...string) error {
	if b.remove != nil || b.keeps {
		return b.remove
	}
	return b.Store.Delete(ctx, keys...)
}

// A store is examined by writing, reading and removing a file; each that doesn't work is named, and a good store is left as it was.
func TestProbe(t *testing.T) {
	t.Parallel()
	away := errors.New("away")
	for what, c := range map[string]struct {
		make func(Store) Store
		want string
		left bool
	}{
		"a good one":   {func(s Store) Store { return s }, "", false},
		"read-only":    {func(s Store) Store { return broken{Store: s, put: away} }, "nothing can be written: away", false},
		"write-only":   {func(s Store) Store { return broken{Store: s, get: away} }, "a written file cannot be read: away", false},
		"forgetful":    {func(s Store) Store { return broken{Store: s, instead: "other"} }, "a written file cannot be read: its content is different", false},
		"it keeps all": {func(s Store) Store { return broken{Store: s, remove: away} }, "a written file cannot be removed: away", true},
		"it lies":      {func(s Store) Store { return broken{Store: s, keeps: true} }, "a removed file still exists", true},
	} {
		dir := t.TempDir()
		disk := must[*Disk](t)(NewDisk(dir))
		err := Probe(t.Context(), c.make(disk))
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
		list, _ := os.ReadDir(dir + "/doctor") // which isn't there if nothing was written
		if found := len(list) > 0; found != c.left {
			t.Errorf("%s: %v", what, list)
		}
		_ = disk.Close()
	}
}

// A picture is upright after it was turned, whatever form its samples have: none is lost and none lies elsewhere.
func TestOrientEveryForm(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	const w, h = 12, 8
	forms := map[string]image.Image{}
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410} {
		m := image.NewYCbCr(image.Rect(0, 0, w, h), ratio)
		for _, plane := range [][]byte{m.Y, m.Cb, m.Cr} {
			for i := range plane {
				plane[i] = byte(random.IntN(256))
			}
		}
		forms[ratio.String()] = m
	}
	gray := image.NewGray(image.Rect(0, 0, w, h))
	for i := range gray.Pix {
		gray.Pix[i] = byte(random.IntN(256))
	}
	forms["gray"] = gray
	forms["odd"] = forms["YCbCrSubsampleRatio420"].(*image.YCbCr).SubImage(image.Rect(0, 0, 11, 7))
	forms["a part"] = forms["YCbCrSubsampleRatio444"].(*image.YCbCr).SubImage(image.Rect(3, 2, 9, 7))
	for name, m := range forms {
		b := m.Bounds()
		for o := orientation(1); o <= 8; o++ {
			got := orient(m, o)
			gw, gh := got.Bounds().Dx(), got.Bounds().Dy()
			if o >= 5 && (gw != b.Dy() || gh != b.Dx()) || o < 5 && (gw != b.Dx() || gh != b.Dy()) {
				t.Fatalf("%s, %d: %dx%d", name, o, gw, gh)
			}
			for y := range b.Dy() {
				for x := range b.Dx() {
					tx, ty := placed(o, x, y, b.Dx(), b.Dy())
					want := color.RGBAModel.Convert(m.At(b.Min.X+x, b.Min.Y+y))
					if is := color.RGBAModel.Convert(got.At(got.Bounds().Min.X+tx, got.Bounds().Min.Y+ty)); is != want {
						t.Fatalf("%s, %d: %v at %d,%d, which was %v at %d,%d", name, o, is, tx, ty, want, x, y)
					}
				}
			}
		}
	}
}

// placed is where a pixel of a w×h picture is when the picture is upright, as EXIF defines its orientations.
func placed(o orientation, x, y, w, h int) (int, int) {
	switch o {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}

// What can't be an orientation is none: the picture stays as it is.
func TestOrientationIsRead(t *testing.T) {
	t.Parallel()
	little := func(parts ...string) string { return "II*\x00" + strings.Join(parts, "") }
	entry := func(tag, kind, value string) string { return tag + kind + "\x01\x00\x00\x00" + value + "\x00\x00" }
	for what, c := range map[string]struct {
		tiff string
		want orientation
	}{
		"six":             {little("\x08\x00\x00\x00", "\x01\x00", entry("\x12\x01", "\x03\x00", "\x06\x00")), 6},
		"behind another":  {little("\x08\x00\x00\x00", "\x02\x00", entry("\x00\x01", "\x03\x00", "\x08\x00"), entry("\x12\x01", "\x03\x00", "\x03\x00")), 3},
		"big-endian":      {"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x08\x00\x00", 8},
		"zero":            {little("\x08\x00\x00\x00", "\x01\x00", entry("\x12\x01", "\x03\x00", "\x00\x00")), 1},
		"nine":            {little("\x08\x00\x00\x00", "\x01\x00", entry("\x12\x01", "\x03\x00", "\x09\x00")), 1},
		"of another type": {little("\x08\x00\x00\x00", "\x01\x00", entry("\x12\x01", "\x04\x00", "\x06\x00")), 1},
		"none":            {little("\x08\x00\x00\x00", "\x01\x00", entry("\x00\x01", "\x03\x00", "\x06\x00")), 1},
		"fewer than said": {little("\x08\x00\x00\x00", "\xff\xff", entry("\x00\x01", "\x03\x00", "\x06\x00")), 1},
		"beyond the end":  {little("\xff\xff\xff\xff"), 1},
		"at the end":      {little("\x08\x00\x00\x00"), 1},
		"no such order":   {"XX*\x00\x08\x00\x00\x00\x00\x00", 1},
		"too short":       {"II*\x00", 1},
		"empty":           {"", 1},
	} {
		if got := tiffOrientation([]byte(c.tiff)); got != c.want {
			t.Errorf("%s: %d, want %d", what, got, c.want)
		}
	}
}

// An address of a picture of this site is known by its key. One of another site, or of another place on this one, is none of its own.
func TestLocal(t *testing.T) {
	t.Parallel()
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: 7}, Base: tenancy.Base{Origin: "https://riverton.example"}})
	p := NewPictures(nil, nil, nil)
	for address, want := range map[string]string{
		"https://riverton.example/media/key/a.png": "key", "https://riverton.example/media/key/": "key", "https://riverton.example/media/key/a/b": "key",
		"https://riverton.example/media/key": "", "https://riverton.example/media/": "", "https://riverton.example.evil/media/key/a.png": "",
		"http://riverton.example/media/key/a.png": "", "/media/key/a.png": "", "https://other.example/media/key/a.png": "", "": "",
	} {
		if got := p.Local(ctx, address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
	if _, err := blobKey(t.Context(), "key", "a.png"); !errors.Is(err, tenancy.ErrNoScope) {
		t.Errorf("without a site: %v", err)
	}
	if key, err := blobKey(ctx, "key", "a.png"); err != nil || key != "7/key/a.png" {
		t.Errorf("%s %v", key, err)
	}
}

// A blob is served as what its name says; a name that says nothing is no picture.
func TestTypes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"1/k/a.jpg": mimeJPEG, "1/k/a.jpeg": mimeJPEG, "1/k/a.png": mimePNG, "1/k/a.gif": mimeGIF, "1/k/a.webp": mimeWebP,
		"1/k/a.html": "application/octet-stream", "1/k/a.svg": "application/octet-stream", "1/k/a": "application/octet-stream", "1/k/png": "application/octet-stream"} {
		if got := mimeOf(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, mime := range []string{mimeJPEG, mimePNG, mimeGIF, mimeWebP} {
		if got := mimeOf("a." + extOf(mime)); got != mime {
			t.Errorf("%s is stored as %s", mime, got)
		}
	}
	bad := []string{"", "a", "a/b", "a/b/c/d", "/a/b", "a//b", "a/./b", "a/../b", "a/.b/c", "a/b/.c", `a/b\/c`, "a/b:/c", "a/b/c\x00", "a/b/c\n", "a/b/" + strings.Repeat("c", 256)}
	for _, key := range bad {
		if checkKey(key) == nil {
			t.Errorf("%q is a key", key)
		}
	}
	good := []string{"1/k/a.png", "job-7-1/0/archive.zip", "1/k/夏祭り.webp", "1/k/" + strings.Repeat("c", 255)}
	if i := slices.IndexFunc(good, func(key string) bool { return checkKey(key) != nil }); i >= 0 {
		t.Errorf("%q is no key", good[i])
	}
	if checkSite("7") != nil || checkSite("7/8") == nil || checkSite("..") == nil || checkSite("") == nil {
		t.Error("what can be cleared is wrong")
	}
}
