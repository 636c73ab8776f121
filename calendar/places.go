package calendar

import (
	"context"
	"fmt"
	"time"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Places is the service for a site's venues or organizers. F are the arguments of its writes.
type Places[T any, F PlaceFields[T]] struct {
	*Calendar
	kind *placeKind[T]
}

// PlaceFields are the arguments of a write to a venue or organizer.
type PlaceFields[T any] interface {
	// apply applies the write to an item and returns all problems with it. image is the resolved argument picture.
	apply(ctx context.Context, s *tenancy.Scope, now time.Time, item *T, image *Image, isNew bool) error
	// matches reports whether every given field equals that of the existing item, ignoring letter case. wanted is the
	// item that the write would create.
	matches(existing, wanted *T) bool
	picture() args.Opt[args.Image]
}

// placeKind holds the differences between venues and organizers.
type placeKind[T any] struct {
	name   string         // of the kind, and of the event's argument
	access tenancy.Access // access that a key needs to write it
	store  func(Store) PlaceStore[T]
	fresh  func() *T // returns a new item with its initial values
	post   func(*T) *Post
	speak  func(*T, *tenancy.Scope)
	words  func(*T) textFields
	names  func(*T) Naming
	fields []string // fields of Merging.Take
	take   func(to, from *T, field string)
}

func (s Places[T, F]) of() PlaceStore[T] { return s.kind.store(s.store) }

// List returns one page of the items that the principal may see.
func (s Places[T, F]) List(ctx context.Context, f *PlaceFilter) (Page[T], PlaceQuery, error) {
	return s.list(ctx, f, 0, nil)
}

// Several returns the items with the given ids that the principal may see.
func (s Places[T, F]) Several(ctx context.Context, ids []int64) (Page[T], error) {
	page, _, err := s.list(ctx, &PlaceFilter{}, max(1, len(ids)), append([]int64{}, ids...))
	return page, err
}

// ListLong is List with any page length.
func (s Places[T, F]) ListLong(ctx context.Context, f *PlaceFilter, perPage int) (Page[T], error) {
	page, _, err := s.list(ctx, f, perPage, nil)
	return page, err
}

func (s Places[T, F]) list(ctx context.Context, f *PlaceFilter, long int, ids []int64) (Page[T], PlaceQuery, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return Page[T]{}, PlaceQuery{}, err
	}
	statuses, err := statuses(scope.Principal, f.Status)
	if err != nil {
		return Page[T]{}, PlaceQuery{}, err
	}
	page, perPage := f.Pages(scope.Site)
	if long > 0 {
		perPage = long
	}
	q := PlaceQuery{
		Page:     page,
		PerPage:  perPage,
		ByName:   f.ByName,
		Search:   wording.ParseSearch(f.Search.Or("")),
		Event:    f.Event.Or(0),
		IDs:      ids,
		Statuses: statuses,
		Viewer:   viewer(scope.Principal),
		Opener:   opener(scope.Principal, ""),
		Texts:    f.asked(scope, f.Translated),
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
		s.kind.speak(item, scope)
	}
	return found, q, nil
}

// EventCounts returns the number of events of each item that the principal can find. A series counts once.
func (s Places[T, F]) EventCounts(ctx context.Context, ids []int64) (map[int64]int, error) {
	scope, err := tenancy.From(ctx)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	counts, err := s.of().EventCounts(ctx, ids, viewer(scope.Principal))
	if err != nil {
		return nil, fmt.Errorf("count events: %w", err)
	}
	return counts, nil
}

// Get returns one item, or ErrNotReadable if the principal may not see it.
func (s Places[T, F]) Get(ctx context.Context, key Key) (*T, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	item, err := s.of().Get(ctx, key)
	switch {
	case err != nil:
		return nil, fmt.Errorf("get: %w", err)
	case !MayRead(scope.Principal, s.kind.post(item)):
		return nil, ErrNotReadable
	}
	s.kind.speak(item, scope)
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
	if image := s.kind.post(link.New).Image; err != nil || s.kind.post(item).Image.key() != image.key() {
		err = s.DropImage(ctx, image, err)
	}
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", s.kind.name, err)
	}
	s.kind.speak(item, scope)
	return item, nil
}

// Return creates a permanently deleted item again, with its former ID and author. It requires the permission to
// merge.
func (s Places[T, F]) Return(ctx context.Context, id, author int64, f F) (*T, error) {
	scope, err := tenancy.Permitted(ctx, s.kind.access, MergeRight)
	if err != nil {
		return nil, err
	}
	link, err := s.link(ctx, scope, f)
	if err != nil {
		return nil, err
	}
	link.Same = nil
	p := s.kind.post(link.New)
	p.ID, p.Author = id, author
	item, err := s.of().Create(ctx, link)
	if err != nil {
		return nil, s.DropImage(ctx, p.Image, fmt.Errorf("return %s: %w", s.kind.name, err))
	}
	s.kind.speak(item, scope)
	return item, nil
}

// link prepares an item for creation.
func (s Places[T, F]) link(ctx context.Context, scope *tenancy.Scope, f F) (Link[T], error) {
	_, image, err := s.startWrite(ctx, s.kind.access, f.picture())
	if err != nil {
		return Link[T]{}, err
	}
	item := s.kind.fresh()
	if err := f.apply(ctx, scope, s.Now(), item, image, true); err != nil {
		return Link[T]{}, s.DropImage(ctx, image, err)
	}
	same := func(existing *T) bool {
		p := s.kind.post(existing)
		return !p.Trashed() && MayRead(scope.Principal, p) && f.matches(existing, item)
	}
	return Link[T]{New: item, Same: same}, nil
}

// Update changes the given fields of an item and nothing else.
func (s Places[T, F]) Update(ctx context.Context, key Key, f F, cond Condition) (*T, error) {
	scope, image, err := s.startWrite(ctx, s.kind.access, f.picture())
	if err != nil {
		return nil, err
	}
	item, err := s.of().Update(ctx, key, func(item *T) error {
		if err := Editable(scope.Principal, s.kind.post(item), cond); err != nil {
			return err
		}
		return f.apply(ctx, scope, s.Now(), item, image, false)
	})
	if err != nil {
		return nil, s.DropImage(ctx, image, fmt.Errorf("update %s: %w", s.kind.name, err))
	}
	s.kind.speak(item, scope)
	return item, nil
}

// Check returns all problems of a Create, or of an Update of the key, as *args.Problems. It neither stores anything nor
// fetches an image.
func (s Places[T, F]) Check(ctx context.Context, key Key, f F) error {
	scope, err := tenancy.Permitted(ctx, s.kind.access, tenancy.EditOwn)
	if err != nil {
		return err
	}
	if key == (Key{}) {
		return f.apply(ctx, scope, s.Now(), s.kind.fresh(), nil, true)
	}
	item, err := s.of().Get(ctx, key)
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if err := Editable(scope.Principal, s.kind.post(item), nil); err != nil {
		return err
	}
	return f.apply(ctx, scope, s.Now(), item, nil, false)
}

// Delete moves an item to the trash, or deletes it permanently with force. It returns the item's last state.
func (s Places[T, F]) Delete(ctx context.Context, key Key, force bool, cond Condition) (*T, error) {
	scope, err := tenancy.Permitted(ctx, s.kind.access, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	check := func(item *T) error { return Editable(scope.Principal, s.kind.post(item), cond) }
	if force {
		return s.of().Delete(ctx, key, check)
	}
	return s.of().Update(ctx, key, func(item *T) error {
		if err := check(item); err != nil {
			return err
		}
		return s.kind.post(item).MoveToTrash(s.Now())
	})
}

// placeLinks resolves the venues or organizers of an event and prepares new ones for creation in the same
// transaction.
func placeLinks[T, W any, F interface {
	*W
	PlaceFields[T]
}](ctx context.Context, s Places[T, F], scope *tenancy.Scope, asked args.Links[W]) (*[]Link[T], error) {
	links := make([]Link[T], 0, len(asked))
	for _, a := range asked {
		link := Link[T]{ID: a.ID}
		if a.New != nil {
			var err error
			if link, err = s.link(ctx, scope, F(a.New)); err != nil {
				return &links, args.Within(s.kind.name, err)
			}
		}
		links = append(links, link)
	}
	return &links, nil
}

// startWrite begins the write of an event, venue or organizer: it checks the general permission to write and then
// fetches the image, before any transaction begins.
func (c *Calendar) startWrite(ctx context.Context, access tenancy.Access, image args.Opt[args.Image]) (*tenancy.Scope, *Image, error) {
	scope, err := tenancy.Permitted(ctx, access, tenancy.EditOwn)
	if err != nil {
		return nil, nil, err
	}
	made, err := c.picture(ctx, scope, image)
	return scope, made, err
}

// place creates or updates the Post of a venue or organizer. On creation its modification time is the date of
// publication (rule 9.4).
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

// placeWords are the texts of a venue or organizer. arg is the argument of its name.
type placeWords struct {
	arg                        string
	post                       *Post
	name, description, excerpt *string
	address, city, country     *string // of a venue; nil for none
}

// text returns the item's own texts.
func (p *placeWords) text() translations.Text {
	t := translations.Text{Title: *p.name, Description: *p.description, Excerpt: *p.excerpt, Slug: p.post.Slug}
	if p.address != nil {
		t.Address, t.City, t.Country = *p.address, *p.city, *p.country
	}
	return t
}

// take sets the item's own texts.
func (p *placeWords) take(t translations.Text) {
	*p.name, *p.description, *p.excerpt, p.post.Slug = t.Title, t.Description, t.Excerpt, t.Slug
	if p.address != nil {
		*p.address, *p.city, *p.country = t.Address, t.City, t.Country
	}
}

// worded is place for a write with a name and texts in several languages. was are the item's former texts. It
// returns all problems at once.
func (w *postWrite) worded(s *tenancy.Scope, now time.Time, isNew bool, own *translations.Write,
	said *translations.Said, was translations.Text, p *placeWords) error {
	found := &args.Problems{}
	if asked, ok := own.Title.Get(); ok {
		if *p.name = wording.CleanTitle(asked); *p.name == "" {
			found.Invalid(p.arg, "problem.blank", nil)
		}
	}
	w.name, w.in = *p.name, s.Site.Language
	err := found.Add(w.place(s, now, p.post, isNew), translations.Descriptions(own.Description, own.Excerpt, p.description, p.excerpt))
	if err != nil {
		return err
	}
	words := p.text()
	r := &translations.Update{Said: said, Name: p.arg, Clean: wording.CleanTitle}
	texts, err := r.Apply(p.post.Texts, was, &words)
	if err := found.Add(err); err != nil {
		return err
	}
	p.post.Texts = texts
	p.take(words)
	return found.Err()
}

// matches reports whether author, date and status, as far as they are given, are those of an existing item.
func (w *postWrite) matches(existing, wanted *Post) bool {
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
