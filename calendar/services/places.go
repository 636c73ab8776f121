package services

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Places is the service for a site's venues or organizers. F are the arguments of its writes.
type Places[T any, F calendar.PlaceFields[T]] struct {
	*Calendar
	kind *calendar.PlaceKind[T]
}

func (s Places[T, F]) of() calendar.PlaceStore[T] { return s.kind.Store(s.store) }

// shown readies a stored item for the reader, in their language and with whether it is outside of their area.
func (s Places[T, F]) shown(item *T, scope *tenancy.Scope) {
	s.kind.Speak(item, scope)
	post := s.kind.Post(item)
	post.Outside = calendar.OutsideArea(scope.Principal, s.kind.Name, post)
}

// List returns one page of the items that the principal may see.
func (s Places[T, F]) List(ctx context.Context, f *calendar.PlaceFilter) (calendar.Page[T], calendar.PlaceQuery, error) {
	return s.list(ctx, f, 0, nil)
}

// Several returns the items with the given ids that the principal may see.
func (s Places[T, F]) Several(ctx context.Context, ids []int64) (calendar.Page[T], error) {
	page, _, err := s.list(ctx, &calendar.PlaceFilter{}, max(1, len(ids)), append([]int64{}, ids...))
	return page, err
}

// ListLong is List with any page length.
func (s Places[T, F]) ListLong(ctx context.Context, f *calendar.PlaceFilter, perPage int) (calendar.Page[T], error) {
	page, _, err := s.list(ctx, f, perPage, nil)
	return page, err
}

func (s Places[T, F]) list(ctx context.Context, f *calendar.PlaceFilter, long int,
	ids []int64) (calendar.Page[T], calendar.PlaceQuery, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return calendar.Page[T]{}, calendar.PlaceQuery{}, err
	}
	statuses, err := calendar.AskedStatuses(scope.Principal, f.Status)
	if err != nil {
		return calendar.Page[T]{}, calendar.PlaceQuery{}, err
	}
	page, perPage := f.Pages(scope.Site)
	if long > 0 {
		perPage = long
	}
	q := calendar.PlaceQuery{
		Page:     page,
		PerPage:  perPage,
		ByName:   f.ByName,
		Search:   wording.ParseSearch(f.Search.Or("")),
		Event:    f.Event.Or(0),
		IDs:      ids,
		Statuses: statuses,
		Viewer:   calendar.ViewerOf(scope.Principal),
		Opener:   calendar.OpenerOf(scope.Principal, ""),
		Texts:    f.Asked(scope, f.Translated),
	}
	if has, ok := f.HasEvents.Get(); ok {
		v := bool(has)
		q.HasEvents = &v
	}
	if f.OnlyUpcoming.Or(false) {
		q.UpcomingAfter = s.Now()
		q.Until = q.UpcomingAfter
	}
	found, err := s.of().List(ctx, q)
	if err != nil {
		return found, q, fmt.Errorf("list: %w", err)
	}
	for _, item := range found.Items {
		s.shown(item, scope)
	}
	return found, q, nil
}

// EventCounts returns the number of events of each item that the principal can find. A series counts once.
func (s Places[T, F]) EventCounts(ctx context.Context, ids []int64) (map[int64]int, error) {
	scope, err := tenancy.From(ctx)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	counts, err := s.of().EventCounts(ctx, ids, calendar.ViewerOf(scope.Principal))
	if err != nil {
		return nil, fmt.Errorf("count events: %w", err)
	}
	return counts, nil
}

// Get returns one item, or ErrNotReadable if the principal may not see it.
func (s Places[T, F]) Get(ctx context.Context, key calendar.Key) (*T, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	item, err := s.of().Get(ctx, key)
	switch {
	case err != nil:
		return nil, fmt.Errorf("get: %w", err)
	case !calendar.MayRead(scope.Principal, s.kind.Post(item)):
		return nil, calendar.ErrNotReadable
	}
	s.shown(item, scope)
	return item, nil
}

// Create creates an item, or returns an existing one if the write adds nothing to it (rule 3.6).
func (s Places[T, F]) Create(ctx context.Context, f F) (*T, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	link, err := s.link(ctx, scope, f)
	if err != nil {
		return nil, err
	}
	item, err := s.of().Create(ctx, link)
	if image := s.kind.Post(link.New).Image; err != nil || s.kind.Post(item).Image.BlobKey() != image.BlobKey() {
		err = s.DropImage(ctx, image, err)
	}
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", s.kind.Name, err)
	}
	s.shown(item, scope)
	return item, nil
}

// Return creates a permanently deleted item again, with its former ID and author. It requires the permission to
// merge.
func (s Places[T, F]) Return(ctx context.Context, id, author int64, f F) (*T, error) {
	scope, err := tenancy.Permitted(ctx, s.kind.Access, calendar.MergeRight)
	if err != nil {
		return nil, err
	}
	link, err := s.link(ctx, scope, f)
	if err != nil {
		return nil, err
	}
	link.Same = nil
	p := s.kind.Post(link.New)
	p.ID, p.Author = id, author
	item, err := s.of().Create(ctx, link)
	if err != nil {
		return nil, s.DropImage(ctx, p.Image, fmt.Errorf("return %s: %w", s.kind.Name, err))
	}
	s.shown(item, scope)
	return item, nil
}

// Parted says that items that were merged into another have returned.
func (s Places[T, F]) Parted(ctx context.Context, keep int64, others []int64) error {
	if _, err := tenancy.Permitted(ctx, s.kind.Access, calendar.MergeRight); err != nil {
		return err
	}
	return tenancy.Wrap("part "+s.kind.Name, s.of().Parted(ctx, keep, others))
}

// link prepares an item for creation.
func (s Places[T, F]) link(ctx context.Context, scope *tenancy.Scope, f F) (calendar.Link[T], error) {
	_, image, err := s.startWrite(ctx, s.kind.Access, f.Picture())
	if err != nil {
		return calendar.Link[T]{}, err
	}
	item := s.kind.Fresh()
	if err := f.Apply(scope, s.Now(), item, image, true); err != nil {
		return calendar.Link[T]{}, s.DropImage(ctx, image, err)
	}
	same := func(existing *T) bool {
		p := s.kind.Post(existing)
		return !p.Trashed() && calendar.MayRead(scope.Principal, p) && f.Matches(existing, item)
	}
	return calendar.Link[T]{New: item, Same: same}, nil
}

// Update changes the given fields of an item and nothing else.
func (s Places[T, F]) Update(ctx context.Context, key calendar.Key, f F, cond calendar.Condition) (*T, error) {
	scope, image, err := s.startWrite(ctx, s.kind.Access, f.Picture())
	if err != nil {
		return nil, err
	}
	item, err := s.of().Update(ctx, key, func(item *T) error {
		if err := calendar.Editable(scope.Principal, s.kind.Post(item), cond); err != nil {
			return err
		}
		return f.Apply(scope, s.Now(), item, image, false)
	})
	if err != nil {
		return nil, s.DropImage(ctx, image, fmt.Errorf("update %s: %w", s.kind.Name, err))
	}
	s.shown(item, scope)
	return item, nil
}

// Check returns all problems of a Create, or of an Update of the key, as *args.Problems. It neither stores anything nor
// fetches an image.
func (s Places[T, F]) Check(ctx context.Context, key calendar.Key, f F) error {
	scope, err := tenancy.Permitted(ctx, s.kind.Access, tenancy.EditOwn)
	if err != nil {
		return err
	}
	if key == (calendar.Key{}) {
		return f.Apply(scope, s.Now(), s.kind.Fresh(), nil, true)
	}
	item, err := s.of().Get(ctx, key)
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if err := calendar.Editable(scope.Principal, s.kind.Post(item), nil); err != nil {
		return err
	}
	return f.Apply(scope, s.Now(), item, nil, false)
}

// Delete moves an item to the trash, or deletes it permanently with force. It returns the item's last state.
func (s Places[T, F]) Delete(ctx context.Context, key calendar.Key, force bool, cond calendar.Condition) (*T, error) {
	scope, err := tenancy.Permitted(ctx, s.kind.Access, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	check := func(item *T) error { return calendar.Editable(scope.Principal, s.kind.Post(item), cond) }
	if force {
		return s.of().Delete(ctx, key, check)
	}
	return s.of().Update(ctx, key, func(item *T) error {
		if err := check(item); err != nil {
			return err
		}
		return s.kind.Post(item).MoveToTrash(s.Now())
	})
}

// placeLinks resolves the venues or organizers of an event and prepares new ones for creation in the same
// transaction.
func placeLinks[T, W any, F interface {
	*W
	calendar.PlaceFields[T]
}](ctx context.Context, s Places[T, F], scope *tenancy.Scope, asked args.Links[W]) (*[]calendar.Link[T], error) {
	links := make([]calendar.Link[T], 0, len(asked))
	for _, a := range asked {
		link := calendar.Link[T]{ID: a.ID}
		if a.New != nil {
			var err error
			if link, err = s.link(ctx, scope, F(a.New)); err != nil {
				return &links, args.Within(s.kind.Name, err)
			}
		}
		links = append(links, link)
	}
	return &links, nil
}

// startWrite begins the write of an event, venue or organizer: it checks the general permission to write and then
// fetches the image, before any transaction begins.
func (c *Calendar) startWrite(ctx context.Context, access tenancy.Access,
	image args.Opt[args.Image]) (*tenancy.Scope, *calendar.Image, error) {
	scope, err := tenancy.Permitted(ctx, access, tenancy.EditOwn)
	if err != nil {
		return nil, nil, err
	}
	made, err := c.picture(ctx, scope, image)
	return scope, made, err
}

// Organizers is the service over a site's organizers.
type Organizers = Places[calendar.Organizer, *calendar.OrganizerFields]

// Organizers returns the service over organizers.
func (c *Calendar) Organizers() Organizers { return Organizers{c, calendar.OrganizerKind} }

// Venues is the service over a site's venues.
type Venues = Places[calendar.Venue, *calendar.VenueFields]

// Venues returns the service over venues.
func (c *Calendar) Venues() Venues { return Venues{c, calendar.VenueKind} }
