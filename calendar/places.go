package calendar

import (
	"context"
	"fmt"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// What venues and organizers share.

func listPlaces[T any](ctx context.Context, c *Calendar, store PlaceStore[T], f *PlaceFilter, long int) (Page[T], PlaceQuery, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return Page[T]{}, PlaceQuery{}, err
	}
	statuses, err := statuses(scope.Principal, f.Status)
	if err != nil {
		return Page[T]{}, PlaceQuery{}, err
	}
	page, perPage := f.pages(scope.Site)
	if long > 0 {
		perPage = long
	}
	q := PlaceQuery{Page: page, PerPage: perPage, Search: ParseSearch(f.Search.Or("")), Event: f.Event.Or(0),
		Statuses: statuses, Viewer: viewer(scope.Principal)}
	if has, ok := f.HasEvents.Get(); ok {
		v := bool(has)
		q.HasEvents = &v
	}
	if f.OnlyUpcoming.Or(false) {
		q.UpcomingAfter = c.Now()
		q.Until = q.UpcomingAfter
	}
	found, err := store.List(ctx, q)
	if err != nil {
		return found, q, fmt.Errorf("list: %w", err)
	}
	return found, q, nil
}

func getPlace[T any](ctx context.Context, store PlaceStore[T], key Key, post func(*T) *Post) (*T, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	item, err := store.Get(ctx, key)
	switch {
	case err != nil:
		return nil, fmt.Errorf("get: %w", err)
	case !MayRead(scope.Principal, post(item)):
		return nil, ErrNotReadable
	}
	return item, nil
}

func deletePlace[T any](ctx context.Context, c *Calendar, store PlaceStore[T], key Key, force bool, cond Condition,
	post func(*T) *Post,
) (*T, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return nil, err
	}
	check := func(item *T) error { return editable(scope.Principal, post(item), cond) }
	if force {
		return store.Delete(ctx, key, check)
	}
	return store.Update(ctx, key, func(item *T) error {
		if err := check(item); err != nil {
			return err
		}
		return post(item).trash(c.Now())
	})
}

// startWrite starts the write of an event, venue or organizer: the right to
// write at all, then the picture, which is fetched before any transaction
// begins.
func (c *Calendar) startWrite(ctx context.Context, image args.Opt[args.Image]) (*tenancy.Scope, *Image, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return nil, nil, err
	}
	made, err := c.picture(ctx, scope, image)
	return scope, made, err
}

// place is create or update for venues and organizers, whose modification day
// starts as the day of publication (reference §19.2).
func (w *postWrite) place(s *tenancy.Scope, now time.Time, p *Post, isNew bool) error {
	if !isNew {
		return w.update(s, now, p)
	}
	err := w.create(s, now, p)
	if w.dated() {
		p.Modified = p.Date
	}
	return err
}

// placeName is the name of a venue or organizer: its argument, what was sent,
// and where it goes.
type placeName struct {
	arg   string
	asked args.Opt[string]
	into  *string
}

// named is place for a write with a name and texts, which finds everything that
// is wrong with all three.
func (w *postWrite) named(s *tenancy.Scope, now time.Time, p *Post, isNew bool, n placeName, texts func() error) error {
	found := &args.Problems{}
	if name, ok := n.asked.Get(); ok {
		if *n.into = CleanTitle(name); *n.into == "" {
			found.Invalid(n.arg, "problem.blank", nil)
		}
	}
	w.name = *n.into
	if err := found.Add(w.place(s, now, p, isNew), texts()); err != nil {
		return err
	}
	return found.Err()
}

// checkPlace returns everything that is wrong with what Create would make, or
// Update of the key, and stores nothing.
func checkPlace[T any](ctx context.Context, store PlaceStore[T], key Key, post func(*T) *Post,
	apply func(s *tenancy.Scope, item *T, isNew bool) error,
) error {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return err
	}
	if key == (Key{}) {
		return apply(scope, new(T), true)
	}
	item, err := store.Get(ctx, key)
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if err := editable(scope.Principal, post(item), nil); err != nil {
		return err
	}
	return apply(scope, item, false)
}

// says reports whether author, date and status, where sent, are those of an
// existing item.
func (w *postWrite) says(existing, wanted *Post) bool {
	return (!w.Author.Given() || existing.Author == wanted.Author) &&
		(!w.dated() || existing.Date.Equal(wanted.Date)) &&
		(!w.Status.Given() || existing.Status == wanted.Status)
}

func sameImage(a, b *Image) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ID == b.ID
}

func sameNumber(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
