package media

import (
	"bytes"
	"context"
	"errors"
	"image"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// canvas is the memory in which something is drawn, in bytes: that of a card and of what encodes it.
const canvas = 24 << 20

// mostBeside is the maximum number of pixels of a picture that is drawn into another.
const mostBeside = 4_000_000

// Draw calls draw with a picture of the scope's site, whole and about as large as a card, and returns its result. It
// waits for memory as for an image that is sent. draw gets nil if there is no picture, or none that can be read. The
// error is a *calendar.BusyError if it would not be finished in time.
func (p *Pictures) Draw(ctx context.Context, of *calendar.Image, draw func(image.Image) ([]byte, error)) (file []byte, err error) {
	err = tenancy.Outside(ctx, func() error {
		give, err := p.budget.take(ctx, canvas)
		if err != nil {
			return err
		}
		defer give()
		picture, err := p.picture(ctx, tenancy.Current(ctx).Site.ID, of, "large")
		if err != nil {
			return err
		}
		defer tenancy.Work(ctx)()
		file, err = draw(picture)
		return err
	})
	return file, err
}

// Tone returns the dominant color of a stored picture of a site as #rrggbb, or "" if it has none or cannot be read. It
// waits for memory as for an image that is sent.
func (p *Pictures) Tone(ctx context.Context, site int64, of *calendar.Image) (string, error) {
	give, err := p.budget.take(ctx, 4*mostBeside)
	if err != nil {
		return "", err
	}
	defer give()
	picture, err := p.picture(ctx, site, of, "medium")
	if err != nil || picture == nil {
		return "", err
	}
	return toneOf(picture), nil
}

// picture returns a picture of a site in an uncropped size, so that a card shows what its focus is on, or nil if it cannot be had.
func (p *Pictures) picture(ctx context.Context, site int64, of *calendar.Image, size string) (image.Image, error) {
	if of == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	blob, info, err := p.blobs.Get(ctx, blobOf(site, of.Key, of.Size(size).File))
	switch {
	case errors.Is(err, ErrNoBlob):
		return nil, nil //nolint:nilnil // it is missing
	case err != nil:
		return nil, err
	}
	defer blob.Close()
	if info.Size > DefaultMaxBytes {
		return nil, nil //nolint:nilnil // it is too large
	}
	data, err := readUpTo(blob, DefaultMaxBytes)
	if err != nil {
		return nil, err
	}
	f, ok := sniff(data)
	if !ok {
		return nil, nil //nolint:nilnil // it is none
	}
	config, err := f.config(bytes.NewReader(data))
	if err != nil || config.Width < 1 || config.Height < 1 || config.Width*config.Height > mostBeside {
		return nil, nil //nolint:nilnil // the card goes without it
	}
	picture, err := f.decode(&contextReader{ctx, bytes.NewReader(data)})
	if err != nil {
		return nil, ctx.Err()
	}
	return picture, nil
}
