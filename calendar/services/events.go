package services

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Events is the service over a site's events.
type Events struct{ *Calendar }

// Events returns the services over events.
func (c *Calendar) Events() Events { return Events{c} }

// List returns one page of the events that the principal may see, and the query as applied.
func (s Events) List(ctx context.Context, f *calendar.EventFilter) (calendar.Page[calendar.Event], calendar.EventQuery, error) {
	return s.list(ctx, f, func(*calendar.EventQuery) error { return nil })
}

// Once is List with each series only once, at the first occurrence in the order of the list. A search also finds
// other forms of its words, and lists the best matches first.
func (s Events) Once(ctx context.Context, f *calendar.EventFilter) (calendar.Page[calendar.Event], calendar.EventQuery, error) {
	return s.list(ctx, f, func(q *calendar.EventQuery) error {
		q.First, q.Last = true, q.Descending
		return s.forgive(ctx, q)
	})
}

// list is List with a change to the query made by our own pages.
func (s Events) list(ctx context.Context, f *calendar.EventFilter,
	change func(*calendar.EventQuery) error) (calendar.Page[calendar.Event], calendar.EventQuery, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return calendar.Page[calendar.Event]{}, calendar.EventQuery{}, err
	}
	q, err := f.Query(scope, s.Now())
	if err != nil {
		return calendar.Page[calendar.Event]{}, q, err
	}
	if err := change(&q); err != nil {
		return calendar.Page[calendar.Event]{}, q, err
	}
	t, err := s.try(scope, &q, f.Password.Or(""))
	if err != nil {
		return calendar.Page[calendar.Event]{}, q, err
	}
	page, err := s.store.Events().List(ctx, q)
	if err != nil {
		return page, q, fmt.Errorf("list events: %w", err)
	}
	translator := calendar.NewTranslator(scope)
	for _, e := range page.Items {
		t.mask(e)
		hideUnreadable(scope.Principal, e)
		translator.Event(e)
	}
	t.end()
	return page, q, nil
}

// Get returns one event. Reading may require a permission or the password. It returns ErrTrashed, ErrNotReadable, ErrPassword
// or ErrGuesses (rules 2.5, 3.11).
func (s Events) Get(ctx context.Context, key calendar.Key, password string) (*calendar.Event, error) {
	return s.read(ctx, key, func(scope *tenancy.Scope, e *calendar.Event) error { return s.open(scope, e, password) })
}

// Listed returns one event as lists show it: an event with a password is masked for those who would need it. Otherwise
// it is like Get.
func (s Events) Listed(ctx context.Context, key calendar.Key) (*calendar.Event, error) {
	return s.read(ctx, key, func(_ *tenancy.Scope, e *calendar.Event) error {
		e.Masked = true
		return nil
	})
}

// read returns one event. locked is called if it has a password that the reader needs.
func (s Events) read(
	ctx context.Context,
	key calendar.Key,
	locked func(*tenancy.Scope, *calendar.Event) error,
) (*calendar.Event, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	e, err := s.store.Events().Get(ctx, key)
	switch {
	case err != nil:
		return nil, fmt.Errorf("get event: %w", err)
	case e.Trashed() && key.ID == 0:
		return nil, calendar.ErrNotFound // its slug may be used again
	case e.Trashed():
		return nil, calendar.ErrTrashed
	case !calendar.MayRead(scope.Principal, &e.Post):
		return nil, calendar.ErrNotReadable
	case e.Protected() && !calendar.MayEdit(scope.Principal, &e.Post):
		if err := locked(scope, e); err != nil {
			return nil, err
		}
	}
	hideUnreadable(scope.Principal, e)
	e.Speak(scope)
	return e, nil
}

// Around returns the series and the neighboring dates of an occurrence. Everyone who may read an occurrence may
// know these.
func (s Events) Around(ctx context.Context, e *calendar.Event) (*calendar.Neighbours, error) {
	n, err := s.store.Events().Around(ctx, e.Series.ID, e.Place())
	if err != nil {
		return nil, fmt.Errorf("dates around: %w", err)
	}
	if n.Whole != nil {
		n.Whole.Speak(tenancy.Current(ctx))
	}
	return n, nil
}

// open returns ErrPassword unless the password is that of the event. After too many wrong passwords it returns
// ErrGuesses, even for the correct password.
func (s Events) open(scope *tenancy.Scope, e *calendar.Event, password string) error {
	one := guessAt(scope, e.ID)
	switch {
	case password == "":
		return calendar.ErrPassword
	case !s.guesses.take(one, s.Now()):
		return calendar.ErrGuesses
	case !e.Opens(password):
		return calendar.ErrPassword
	}
	s.guesses.back(one, true)
	return nil
}

// Create creates an event, together with all new items that it links to, in one transaction.
func (s Events) Create(ctx context.Context, f *calendar.EventFields) (*calendar.Event, error) {
	w, err := s.Writing(ctx, f)
	if err != nil {
		return nil, err
	}
	e := &calendar.Event{}
	if err := w.Apply(ctx, e, true); err != nil {
		return nil, s.DropImage(ctx, w.image, err)
	}
	links, err := w.Links(ctx)
	if err == nil {
		err = s.store.Events().Create(ctx, e, links)
	}
	if err != nil {
		return nil, s.undoLinks(ctx, links, nil, s.DropImage(ctx, w.image, fmt.Errorf("create event: %w", err)))
	}
	_ = s.undoLinks(ctx, links, e, nil) // the write succeeded, even if superfluous blobs remain
	hideUnreadable(w.scope.Principal, e)
	e.Speak(w.scope)
	return e, nil
}

// Update changes only the fields of an event that were sent. For an occurrence of a series it changes only the occurrence,
// unless applies_to says otherwise.
func (s Events) Update(ctx context.Context, key calendar.Key, f *calendar.EventFields, cond calendar.Condition) (*calendar.Event, error) {
	return s.UpdateWhile(ctx, key, f, cond, nil)
}

// UpdateWhile is Update with a condition for the occurrences that differ from their series.
func (s Events) UpdateWhile(ctx context.Context, key calendar.Key, f *calendar.EventFields,
	cond, still calendar.Condition) (*calendar.Event, error) {
	w, err := s.Writing(ctx, f)
	if err != nil {
		return nil, err
	}
	links, err := w.Links(ctx)
	links.Still = still
	if err != nil {
		return nil, s.undoLinks(ctx, links, nil, s.DropImage(ctx, w.image, err))
	}
	e, err := s.update(ctx, key, w, links, cond)
	if err != nil {
		return nil, s.undoLinks(ctx, links, nil, s.DropImage(ctx, w.image, fmt.Errorf("update event: %w", err)))
	}
	_ = s.undoLinks(ctx, links, e, nil) // as in Create
	hideUnreadable(w.scope.Principal, e)
	e.Speak(w.scope)
	return e, nil
}

// Delete moves an event to the trash, or deletes it permanently with force, and returns its last state. It removes an
// occurrence from its series; appliesTo "following" or "all" extends this to later occurrences or the whole series. If the
// event is in the trash or was removed from a series, the version returned is that of this write.
func (s Events) Delete(ctx context.Context, key calendar.Key, force bool, appliesTo string,
	cond calendar.Condition) (*calendar.Event, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteEvents, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	e, err := s.remove(ctx, key, force, func(e *calendar.Event) error { return calendar.Editable(scope.Principal, &e.Post, cond) })
	if one, ok := errors.AsType[*occurrenceError](err); ok {
		e, err = s.removeOccurrence(ctx, one.occurrence, force, appliesTo)
	}
	if _, removed := errors.AsType[*calendar.RemovedError](err); removed {
		err = calendar.ErrGone
	}
	if err != nil {
		return nil, fmt.Errorf("delete event: %w", err)
	}
	hideUnreadable(scope.Principal, e)
	e.Speak(scope)
	return e, nil
}

// occurrenceError reports that the event to be removed is an occurrence of a series.
type occurrenceError struct{ occurrence *calendar.Event }

func (*occurrenceError) Error() string { return "occurrence of a series" }

// remove moves an event to the trash, or deletes it permanently. It returns *occurrenceError for an occurrence.
func (s Events) remove(ctx context.Context, key calendar.Key, force bool, check func(*calendar.Event) error) (*calendar.Event, error) {
	whole := func(e *calendar.Event) error {
		if err := check(e); err != nil {
			return err
		}
		if e.Series != nil {
			occurrence := *e
			return &occurrenceError{&occurrence}
		}
		return nil
	}
	if force {
		return s.store.Events().Delete(ctx, key, whole)
	}
	return s.store.Events().Update(ctx, key, func(e *calendar.Event) (calendar.EventLinks, error) {
		if err := whole(e); err != nil {
			return calendar.EventLinks{}, err
		}
		return calendar.EventLinks{}, e.MoveToTrash(s.Now())
	})
}

// Writing begins a write of an event: it checks the general permission to write, and fetches the image. Editable
// then decides about the single event.
func (s Events) Writing(ctx context.Context, f *calendar.EventFields) (*EventWrite, error) {
	scope, image, err := s.startWrite(ctx, tenancy.WriteEvents, f.Image)
	if err != nil {
		return nil, err
	}
	return &EventWrite{EventFields: f, calendar: s.Calendar, scope: scope, now: s.Now(), image: image}, nil
}

// Open returns nil if the principal may change the stored event, according to their role and area. Otherwise it
// returns ErrUnauthenticated, ErrForbidden or ErrOutside of tenancy.
func (s Events) Open(ctx context.Context, e *calendar.Event) error {
	p := tenancy.Current(ctx).Principal
	if err := calendar.Editable(p, &e.Post, nil); err != nil || p.Area.Whole() {
		return err
	}
	id := e.ID
	if e.Series != nil {
		id = e.Series.ID
	}
	outside, err := s.Outside(ctx, []int64{id})
	if err == nil && outside[id] {
		err = tenancy.ErrOutside
	}
	return err
}

// Outside returns which of several events and occurrences are outside the area of the principal: none if it has no area.
func (s Events) Outside(ctx context.Context, ids []int64) (map[int64]bool, error) {
	area := tenancy.Current(ctx).Principal.Area
	if area.Whole() {
		return map[int64]bool{}, nil
	}
	within, err := s.store.Events().Within(ctx, ids, area)
	if err != nil {
		return nil, fmt.Errorf("find events outside an area: %w", err)
	}
	outside := make(map[int64]bool, len(ids))
	for _, id := range ids {
		outside[id] = !slices.Contains(within, id)
	}
	return outside, nil
}

// DropImage removes the blobs of an image whose write failed, and returns err. If the database did not respond, it
// keeps them, because the write may have succeeded, and a superfluous file is better than an image without a file.
func (c *Calendar) DropImage(ctx context.Context, image *calendar.Image, err error) error {
	if errors.Is(err, calendar.ErrUnavailable) {
		return err
	}
	if image != nil && image.ID == 0 && c.pictures != nil {
		err = errors.Join(err, c.pictures.Remove(context.WithoutCancel(ctx), image))
	}
	return err
}

// undoLinks removes the blobs of images made for new venues and organizers that the stored event is not linked to,
// because they already existed or because there is no event (nil). It returns err.
func (c *Calendar) undoLinks(ctx context.Context, links calendar.EventLinks, e *calendar.Event, err error) error {
	stored := map[string]bool{}
	if e != nil {
		for i := range e.Venues {
			stored[e.Venues[i].Image.BlobKey()] = true
		}
		for i := range e.Organizers {
			stored[e.Organizers[i].Image.BlobKey()] = true
		}
	}
	for _, image := range links.Pictures() {
		if !stored[image.BlobKey()] {
			err = c.DropImage(ctx, image, err)
		}
	}
	return err
}

// hideUnreadable removes linked venues and organizers that the principal may not read (rule 2.7).
func hideUnreadable(p tenancy.Principal, e *calendar.Event) {
	e.Venues = keep(e.Venues, func(v *calendar.Venue) bool { return calendar.MayRead(p, &v.Post) })
	e.Organizers = keep(e.Organizers, func(o *calendar.Organizer) bool { return calendar.MayRead(p, &o.Post) })
}

func keep[T any](list []T, may func(*T) bool) []T {
	kept := list[:0]
	for i := range list {
		if may(&list[i]) {
			kept = append(kept, list[i])
		}
	}
	return kept
}

// picture resolves an image argument: to nil for none, to an image of the site, or to a new one whose blobs exist and
// whose row the write creates.
func (c *Calendar) picture(ctx context.Context, scope *tenancy.Scope, image args.Opt[args.Image]) (*calendar.Image, error) {
	asked, ok := image.Get()
	switch {
	case !ok || asked == (args.Image{}):
		return nil, nil //nolint:nilnil // no picture is no error
	case asked.ID != 0:
		return &calendar.Image{ID: asked.ID}, nil
	}
	if key := c.pictures.Local(ctx, asked.URL); key != "" {
		if found, err := c.store.Images().ByKey(ctx, key); !errors.Is(err, calendar.ErrNotFound) {
			return found, err
		}
	}
	if found, err := c.store.Images().BySource(ctx, asked.URL); !errors.Is(err, calendar.ErrNotFound) {
		return found, err
	}
	if err := scope.Principal.RequireFor(tenancy.WriteImages, tenancy.Upload); err != nil {
		return nil, err
	}
	made, err := c.pictures.Fetch(ctx, asked.URL)
	if err != nil {
		return nil, err
	}
	made.Author, made.Created = scope.Principal.UserID, c.Now()
	return made, nil
}

// CheckAdded returns the problems with values that the added fields of events are to get.
func (s Events) CheckAdded(ctx context.Context, values map[string]any) error {
	scope, err := tenancy.From(ctx)
	if err != nil || len(values) == 0 {
		return err
	}
	_, err = calendar.WriteAdded(nil, args.Some(args.Members(values)), scope.Site, tenancy.FieldOfEvents, s.Now(), false)
	return err
}
