package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Image is an accepted image, ready to store.
type Image struct {
	MIME, Ext     string // detected from the content: image/jpeg, jpg
	Width, Height int    // as displayed, after applying the orientation
	Original      []byte // without EXIF, GPS and other metadata
	Tone          string // dominant color as #rrggbb, or ""
	Sizes         []Size // smallest first, then the preview; none for a small image
}

// Size is a smaller copy of an image, named as in WordPress.
type Size struct {
	Name, MIME    string
	Width, Height int
	Data          []byte
}

// Limits configures Decode. Zero means the default. Without a Budget, memory use is not limited.
type Limits struct {
	MaxBytes  int64
	MaxPixels int64
	Budget    *Budget
}

// Default limits for uploads and fetched images.
const (
	DefaultMaxBytes  = calendar.LargestImage
	DefaultMaxPixels = 50_000_000
	strangersPixels  = 12_000_000 // of images that come without an account
)

// smallFile is up to which size a file is looked at as a whole before it has a place in the budget.
const smallFile = 64 << 10

// soon is how long to wait before sending a picture again that was not finished in time.
const soon = 5 * time.Second

// maxSide is the maximum width and height in pixels, which is the maximum of JPEG and GIF. A PNG with a single row
// may declare more, and scaling a row needs memory for each of its pixels.
const maxSide = 1<<16 - 1

// Decode reads an image in one of the four formats of rule 6.1, detected from its content, and returns it without
// metadata together with its smaller sizes. It waits for memory from the budget. It returns ErrTooLarge or
// ErrTooManyPixels beyond the limits, *calendar.BusyError if the budget doesn't let it finish in time, ErrNotImage if
// the bytes are not a complete image, the context's error, and errors of the reader.
func Decode(ctx context.Context, r io.Reader, limit Limits) (*Image, error) {
	if queueOf(ctx) == anonymous {
		limit.MaxPixels = min(orDefault(limit.MaxPixels, DefaultMaxPixels), strangersPixels)
	}
	if _, whole := r.(loaded); !whole {
		r = &contextReader{ctx, r}
	}
	data, err := readUpTo(r, orDefault(limit.MaxBytes, DefaultMaxBytes))
	if err != nil {
		return nil, err
	}
	img, err := decode(ctx, data, limit)
	var busy *calendar.BusyError
	switch {
	case errors.As(err, &busy):
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && limit.Budget != nil: // it came too late, or others kept the processors busy
		err = &calendar.BusyError{Wait: soon}
	case ctx.Err() != nil:
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return img, nil
}

func decode(ctx context.Context, data []byte, limit Limits) (*Image, error) {
	f, ok := sniff(data)
	if !ok {
		return nil, ErrNotImage
	}
	config, err := f.config(bytes.NewReader(data))
	if err != nil || config.Width < 1 || config.Height < 1 {
		return nil, notImage(err)
	}
	pixels := int64(config.Width) * int64(config.Height)
	// What is no picture is not called a large one.
	if _, err := f.strip(data[:min(len(data), smallFile)]); len(data) <= smallFile && err != nil {
		return nil, err
	}
	if max(config.Width, config.Height) > maxSide || pixels > orDefault(limit.MaxPixels, DefaultMaxPixels) {
		return nil, fmt.Errorf("%w: %d×%d", ErrTooManyPixels, config.Width, config.Height)
	}
	list := targets()
	if queueOf(ctx) == anonymous {
		list = smallTargets()
	}
	turn := upright
	if f.mime == mimeJPEG {
		turn = jpegOrientation(data)
	}
	if limit.Budget != nil {
		give, err := limit.Budget.take(ctx, f.weigh(data, config, list, turn != upright))
		if err != nil {
			return nil, err
		}
		defer give()
	}
	defer tenancy.Work(ctx)()
	stripped, err := f.strip(data)
	if err != nil {
		return nil, err
	}
	data = nil //nolint:wastedassign // the copy without metadata is what is needed from here on
	picture, err := f.decode(&contextReader{ctx, bytes.NewReader(stripped)})
	if err != nil {
		return nil, notImage(err)
	}
	profile := f.profile(stripped)
	if turn != upright {
		picture = orient(picture, turn)
		if stripped, err = encode(picture, mimeJPEG, turnedQuality, profile); err != nil {
			return nil, fmt.Errorf("turn image upright: %w", err)
		}
	}
	b := picture.Bounds()
	img := &Image{MIME: f.mime, Ext: f.ext, Width: b.Dx(), Height: b.Dy(), Original: stripped, Tone: toneOf(picture)}
	img.Sizes, err = sizes(ctx, list, picture, f.mime, profile, int64(len(stripped)))
	return img, err
}

func notImage(err error) error {
	if err == nil {
		return ErrNotImage
	}
	return fmt.Errorf("%w: %w", ErrNotImage, err)
}

func orDefault(n, otherwise int64) int64 {
	if n > 0 {
		return n
	}
	return otherwise
}
