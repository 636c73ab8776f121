package storage

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// What venues and organizers share.

// nullable returns nil for 0, the id of nothing.
func nullable(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

// nullableText returns nil for "", the absence of a text.
func nullableText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// picture makes sure that an item's picture is stored, and returns its id.
func (t *tx) picture(ctx context.Context, p *calendar.Post) (*int64, error) {
	switch {
	case p.Image == nil:
		return nil, nil //nolint:nilnil // no picture is no error
	case p.Image.ID == 0:
		image := *p.Image // what is rolled back leaves the caller's as it was
		if err := t.insertImage(ctx, &image); err != nil {
			return nil, err
		}
		p.Image = &image
	case p.Image.Key == "":
		image, err := t.image(ctx, p.Image.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, args.Invalid("image", "problem.image.unknown", nil)
		}
		if err != nil {
			return nil, err
		}
		p.Image = image
	}
	return &p.Image.ID, nil
}

// lines returns the folded fields of an item, one per line: what a search
// looks through.
func lines(fields ...string) string {
	folded := make([]string, 0, len(fields))
	for _, f := range fields {
		if f = strings.Join(strings.Fields(calendar.Fold(f)), " "); f != "" {
			folded = append(folded, f)
		}
	}
	return strings.Join(folded, "\n")
}

// createPlace makes what link names, or finds the one it is the same as.
func createPlace[T any](ctx context.Context, db *DB, link calendar.Link[T],
	resolve func(*tx, context.Context, calendar.Link[T]) (*T, bool, error),
) (*T, error) {
	var item *T
	var made bool
	err := db.write(ctx, func(ctx context.Context, t *tx) (err error) {
		item, made, err = resolve(t, ctx, link)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case made:
		*link.New = *item
		return link.New, nil
	}
	return item, nil
}

// resolve returns the first of those named alike that is the same as link.New,
// or else link.New newly made; named finds the former. link.New itself stays as
// it was: the transaction may yet fail.
func resolve[T any](ctx context.Context, t *tx, link calendar.Link[T], named, name string, s scan[T],
	insert func(context.Context, *T) error,
) (item *T, made bool, err error) {
	if link.Same != nil {
		rows, err := t.conn.Query(ctx, named, t.site, strings.ToLower(name))
		if err != nil {
			return nil, false, err
		}
		existing, err := s.all(rows)
		if err != nil {
			return nil, false, err
		}
		for _, one := range existing {
			if link.Same(one) {
				return one, false, nil
			}
		}
	}
	item = new(T)
	*item = *link.New
	return item, true, insert(ctx, item)
}
