package media

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/tenancy"
)

// Path is the path under which the server serves blobs, followed by the image's key, a slash and the file.
const Path = "/media/"

// Pictures creates a site's images and stores their blobs. It implements calendar.Pictures.
type Pictures struct {
	blobs   Store
	fetcher *Fetcher
	budget  *Budget
	fetched *Budget // of the files of others, until they are stored
}

// Unpacking returns a function that returns the bytes with which images are being decoded, and the most that may be.
func (p *Pictures) Unpacking() (held func() int64, most int64) {
	_, most = p.budget.Held()
	return func() int64 { held, _ := p.budget.Held(); return held }, most
}

// NewPictures returns Pictures that stores in blobs, fetches with fetcher and decodes within budget.
func NewPictures(blobs Store, fetcher *Fetcher, budget *Budget) *Pictures {
	return &Pictures{blobs, fetcher, budget, newBudget(mostFetched, 0)}
}

// mostFetched is the maximum memory of fetched files in bytes. A site may use half of it, which is enough for the largest.
const mostFetched = 2 * (DefaultMaxBytes + 64<<10)

// Fetch implements calendar.Pictures.
func (p *Pictures) Fetch(ctx context.Context, address string) (image *calendar.Image, err error) {
	err = tenancy.Outside(ctx, func() error {
		image, err = p.fetch(ctx, address)
		return err
	})
	if err != nil {
		return nil, problem("image", err)
	}
	return image, nil
}

func (p *Pictures) fetch(ctx context.Context, address string) (*calendar.Image, error) {
	if giver := calendar.PicturesOf(ctx); giver != 0 {
		return p.given(ctx, giver, address)
	}
	give := func() {}
	defer func() { give() }()
	data, _, final, err := p.fetcher.fetchWithin(ctx, address, func(bytes int64) (err error) {
		give, err = p.fetched.take(ctx, bytes)
		if err != nil {
			give = func() {}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	name := path.Base(address)
	if u, err := url.Parse(final); err == nil {
		name = path.Base(u.Path)
	}
	image, err := p.keep(ctx, name, args.NewContent(data))
	if err != nil {
		return nil, err
	}
	image.Source = address
	return image, nil
}

// given copies a picture from another site of the installation.
func (p *Pictures) given(ctx context.Context, giver int64, address string) (*calendar.Image, error) {
	_, rest, found := strings.Cut(address, Path)
	key, file, whole := strings.Cut(rest, "/")
	file, err := url.PathUnescape(file)
	if !found || !whole || err != nil || strings.Contains(file, "/") {
		return nil, ErrFetch
	}
	r, _, err := p.blobs.Get(ctx, blobOf(giver, key, file))
	if err != nil {
		return nil, ErrFetch
	}
	image, err := p.keep(ctx, file, r)
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	image.Source = address
	return image, nil
}

// Make implements calendar.Pictures.
func (p *Pictures) Make(ctx context.Context, name string, r io.Reader) (image *calendar.Image, err error) {
	err = tenancy.Outside(ctx, func() error {
		image, err = p.keep(ctx, name, r)
		return err
	})
	if err != nil {
		return nil, problem("file", err)
	}
	return image, nil
}

// keep decodes an image and stores it with its sizes under a new key.
func (p *Pictures) keep(ctx context.Context, name string, r io.Reader) (*calendar.Image, error) {
	decoded, err := Decode(ctx, r, Limits{Budget: p.budget})
	if err != nil {
		return nil, err
	}
	image := &calendar.Image{Key: strings.ToLower(rand.Text()), File: FileName(name, decoded.Ext), MIME: decoded.MIME,
		Extension: decoded.Ext, Width: decoded.Width, Height: decoded.Height, Bytes: int64(len(decoded.Original)),
		Tone: decoded.Tone, Focus: calendar.Middle}
	if err := p.put(ctx, image.Key, image.File, decoded.MIME, decoded.Original); err != nil {
		return nil, err
	}
	for _, s := range decoded.Sizes {
		size := calendar.ImageSize{Name: s.Name, File: s.FileName(image.File), MIME: s.MIME, Width: s.Width,
			Height: s.Height, Bytes: int64(len(s.Data))}
		image.Sizes = append(image.Sizes, size)
		if err := p.put(ctx, image.Key, size.File, s.MIME, s.Data); err != nil {
			return nil, errors.Join(err, p.Remove(context.WithoutCancel(ctx), image))
		}
	}
	return image, nil
}

func (p *Pictures) put(ctx context.Context, key, file, mime string, data []byte) error {
	name, err := blobKey(ctx, key, file)
	if err != nil {
		return err
	}
	return p.blobs.Put(ctx, name, bytes.NewReader(data), int64(len(data)), mime)
}

// Remove implements calendar.Pictures.
func (p *Pictures) Remove(ctx context.Context, image *calendar.Image) error {
	files := []string{image.File}
	for _, s := range image.Sizes {
		files = append(files, s.File)
	}
	for i, file := range files {
		name, err := blobKey(ctx, image.Key, file)
		if err != nil {
			return err
		}
		files[i] = name
	}
	return p.blobs.Delete(ctx, files...)
}

// Clear removes all blobs of a site by its id. It is idempotent.
func (p *Pictures) Clear(ctx context.Context, site int64) error {
	return p.blobs.Clear(ctx, strconv.FormatInt(site, 10))
}

// Open returns a blob of the scope's site, or ErrNoBlob.
func (p *Pictures) Open(ctx context.Context, key, file string) (io.ReadSeekCloser, Info, error) {
	name, err := blobKey(ctx, key, file)
	if err != nil {
		return nil, Info{}, err
	}
	return p.blobs.Get(ctx, name)
}

// Local implements calendar.Pictures.
func (p *Pictures) Local(ctx context.Context, address string) string {
	rest, ok := strings.CutPrefix(address, tenancy.Current(ctx).Base.Origin+Path)
	key, _, found := strings.Cut(rest, "/")
	if !ok || !found {
		return ""
	}
	return key
}

// blobKey returns the store key of a blob, which includes the site.
func blobKey(ctx context.Context, key, file string) (string, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return "", err
	}
	return blobOf(scope.Site.ID, key, file), nil
}

// blobOf returns the name of a file of a picture in the store.
func blobOf(site int64, key, file string) string {
	return strconv.FormatInt(site, 10) + "/" + key + "/" + file
}

// problem converts an error caused by the image to a problem with the argument. It returns errors of the store
// unchanged.
func problem(arg string, err error) error {
	switch {
	case errors.Is(err, outbound.ErrRefusedAddress):
		return args.Invalid(arg, "problem.image.refused", nil)
	case errors.Is(err, ErrTooLarge):
		return args.Invalid(arg, "problem.image.large", map[string]any{"Max": DefaultMaxBytes >> 20})
	case errors.Is(err, ErrTooManyPixels):
		return args.Invalid(arg, "problem.image.pixels", nil)
	case errors.Is(err, ErrNotImage):
		return args.Invalid(arg, "problem.file", nil)
	case errors.Is(err, ErrFetch):
		return args.Invalid(arg, "problem.image.fetch", nil)
	}
	return fmt.Errorf("store image: %w", err)
}
