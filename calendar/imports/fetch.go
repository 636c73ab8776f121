package imports

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/moving"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// fetch fetches and stores the file at the address of the import. It returns the same error for every failure; only
// the log says more.
func (r *run) fetch(ctx context.Context) ([]byte, error) {
	if r.Files == nil {
		return nil, errNotFetched
	}
	var data []byte
	var err error
	if r.in.Format == Site {
		data, err = r.copySite(ctx)
	} else if data, _, _, err = r.Files.Fetch(ctx, webAddress(r.in.Address)); err == nil {
		data, err = unpacked(data)
	}
	if err != nil {
		return nil, unfetched(ctx, err)
	}
	return data, r.store.Keep(ctx, r.in.ID, r.hold, data)
}

// copySite returns a copy of the site at the address.
func (r *run) copySite(ctx context.Context) ([]byte, error) {
	reader := r.mover()
	if r.in.Secret != nil {
		secret, err := r.Box.Open(r.in.Secret, aboutSite(tenancy.Current(ctx).Site.ID))
		if err != nil {
			return nil, fmt.Errorf("open user and password: %w", err)
		}
		reader.User, reader.Password, _ = strings.Cut(string(secret), "\n")
	}
	return reader.Copy(ctx, webAddress(r.in.Address))
}

func (s *Service) mover() *moving.Reader { return &moving.Reader{Door: s.Files, Wait: s.Wait} }

// CopyOf returns a copy of the site with The Events Calendar at an address, with the events that the parameters in only
// select.
func (s *Service) CopyOf(ctx context.Context, address, user, password string, only url.Values) ([]byte, error) {
	if s.Files == nil {
		return nil, errNotFetched
	}
	reader := s.mover()
	reader.User, reader.Password, reader.Only = user, password, only
	data, err := reader.Copy(ctx, webAddress(address))
	return data, unfetched(ctx, err)
}

// unfetched returns errNotFetched for most errors of fetching an address, so that the reason remains hidden.
func unfetched(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, reading.ErrLarge) || errors.Is(err, reading.ErrMany) || errors.Is(err, moving.ErrLogin) ||
		ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %w", errNotFetched, err)
}

// webAddress returns the https address for a webcal address, and others unchanged.
func webAddress(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return address
	}
	switch strings.ToLower(u.Scheme) {
	case "webcal", "webcals":
		u.Scheme = "https"
	}
	return u.String()
}

// unpacked decompresses data that a server sent with gzip unasked. It returns reading.ErrLarge if the result is larger than
// reading.MaxBytes.
func unpacked(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, reading.ErrPacked
	}
	plain, err := io.ReadAll(io.LimitReader(z, reading.MaxBytes+1))
	switch {
	case len(plain) > reading.MaxBytes:
		return nil, reading.ErrLarge
	case err != nil:
		return nil, reading.ErrDamaged
	}
	return plain, nil
}

// tried is the result of fetching a picture.
type tried struct {
	warning *Finding // nil: the picture itself could be fetched
	writer  *writer  // the transaction that stores it
}

// begin begins the write of an event. If its picture can't be fetched, it is left out with a warning. A dry run
// tries to fetch it as well.
func (r *run) begin(ctx context.Context, w *writer, it *item, f *calendar.EventFields) (*services.EventWrite, error) {
	address := f.Image.Or(args.Image{}).URL
	if address == "" {
		return r.calendar.Events().Importing(ctx, f)
	}
	before := r.images[address]
	switch {
	case before != nil && before.warning != nil:
		it.Warnings = append(it.Warnings, *before.warning)
		f.Image = args.Opt[args.Image]{}
		return r.calendar.Events().Importing(ctx, f)
	case before != nil && r.in.DryRun:
		f.Image = args.Opt[args.Image]{}
		return r.calendar.Events().Importing(ctx, f)
	case before != nil && w != nil && before.writer == w:
		if err := r.ahead(ctx, w); err != nil { // afterwards the site has the picture
			return nil, err
		}
	}
	write, err := r.calendar.Events().Importing(ctx, f)
	r.images[address] = &tried{writer: w}
	if list := pictureFindings(err); list != nil {
		r.images[address].warning = &list[0]
		it.Warnings = append(it.Warnings, list[0])
		f.Image = args.Opt[args.Image]{}
		return r.calendar.Events().Importing(ctx, f)
	}
	if err == nil && r.in.DryRun {
		if err = write.Drop(ctx, nil); err == nil {
			f.Image = args.Opt[args.Image]{}
			return r.calendar.Events().Importing(ctx, f)
		}
	}
	return write, err
}

// pictureFindings returns the problems with the picture of an event, or nil if the error has another cause.
func pictureFindings(err error) []Finding {
	if _, ok := errors.AsType[*args.Problems](err); !ok {
		return nil
	}
	list := findings(err)
	for i := range list {
		if list[i].Param != "image" {
			return nil
		}
	}
	return list
}

// ahead writes the current transaction early.
func (r *run) ahead(ctx context.Context, w *writer) error {
	b := w.Batch
	w.Batch = r.batch()
	return r.write(ctx, w, &b)
}
