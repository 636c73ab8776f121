package calendar

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Organizers are the services over a site's organizers.
type Organizers struct{ *Calendar }

// Organizers returns the services over organizers.
func (c *Calendar) Organizers() Organizers { return Organizers{c} }

// List returns one page of what the principal may see.
func (s Organizers) List(ctx context.Context, f *PlaceFilter) (Page[Organizer], PlaceQuery, error) {
	return listPlaces(ctx, s.Calendar, s.store.Organizers(), f, 0)
}

// Get returns one organizer; ErrNotReadable when the principal may not see it.
func (s Organizers) Get(ctx context.Context, key Key) (*Organizer, error) {
	return getPlace(ctx, s.store.Organizers(), key, func(o *Organizer) *Post { return &o.Post })
}

// Create makes an organizer, or returns the one that says the same already
// (wire.md §3, "says nothing new").
func (s Organizers) Create(ctx context.Context, f *OrganizerFields) (*Organizer, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	link, err := s.newOrganizer(ctx, scope, f)
	if err != nil {
		return nil, err
	}
	o, err := s.store.Organizers().Create(ctx, link)
	if err != nil || o.Image.key() != link.New.Image.key() {
		err = s.undo(ctx, link.New.Image, err)
	}
	if err != nil {
		return nil, fmt.Errorf("create organizer: %w", err)
	}
	return o, nil
}

// Update changes what was sent of an organizer and nothing else.
func (s Organizers) Update(ctx context.Context, key Key, f *OrganizerFields, cond Condition) (*Organizer, error) {
	scope, image, err := s.startWrite(ctx, f.Image)
	if err != nil {
		return nil, err
	}
	o, err := s.store.Organizers().Update(ctx, key, func(o *Organizer) error {
		if err := editable(scope.Principal, &o.Post, cond); err != nil {
			return err
		}
		return f.apply(scope, s.Now(), o, image, false)
	})
	if err != nil {
		return nil, s.undo(ctx, image, fmt.Errorf("update organizer: %w", err))
	}
	return o, nil
}

// Check returns everything that is wrong with what Create would make, or Update
// of the key: *args.Problems, as both would. It stores nothing and fetches no
// picture.
func (s Organizers) Check(ctx context.Context, key Key, f *OrganizerFields) error {
	return checkPlace(ctx, s.store.Organizers(), key, func(o *Organizer) *Post { return &o.Post },
		func(scope *tenancy.Scope, o *Organizer, isNew bool) error {
			return f.apply(scope, s.Now(), o, nil, isNew)
		})
}

// Delete moves an organizer to the trash, or removes it for good with force. It
// returns the organizer's last state.
func (s Organizers) Delete(ctx context.Context, key Key, force bool, cond Condition) (*Organizer, error) {
	return deletePlace(ctx, s.Calendar, s.store.Organizers(), key, force, cond, func(o *Organizer) *Post { return &o.Post })
}

// newOrganizer prepares an organizer to be made.
func (c *Calendar) newOrganizer(ctx context.Context, scope *tenancy.Scope, f *OrganizerFields) (Link[Organizer], error) {
	_, image, err := c.startWrite(ctx, f.Image)
	if err != nil {
		return Link[Organizer]{}, err
	}
	o := &Organizer{}
	if err := f.apply(scope, c.Now(), o, image, true); err != nil {
		return Link[Organizer]{}, c.undo(ctx, image, err)
	}
	same := func(existing *Organizer) bool {
		return !existing.Trashed() && MayRead(scope.Principal, &existing.Post) && f.says(existing, o)
	}
	return Link[Organizer]{New: o, Same: same}, nil
}

func (c *Calendar) organizerLinks(ctx context.Context, scope *tenancy.Scope, asked args.Links[OrganizerFields],
) (*[]Link[Organizer], error) {
	links := make([]Link[Organizer], 0, len(asked))
	for _, a := range asked {
		link := Link[Organizer]{ID: a.ID}
		if a.New != nil {
			var err error
			if link, err = c.newOrganizer(ctx, scope, a.New); err != nil {
				return &links, args.Within("organizer", err)
			}
		}
		links = append(links, link)
	}
	return &links, nil
}

// apply changes o as the write says, and returns everything that is wrong with
// that.
func (f *OrganizerFields) apply(s *tenancy.Scope, now time.Time, o *Organizer, image *Image, isNew bool) error {
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status, Slug: f.Slug, unasked: Pending}
	err := post.named(s, now, &o.Post, isNew, placeName{"organizer", f.Name, &o.Name},
		func() error { return descriptions(f.Description, f.Excerpt, &o.Description, &o.Excerpt) })
	if err != nil {
		return err
	}
	if f.Image.Given() {
		o.Image = image
	}
	if f.Phone.Given() {
		o.Phone = CleanLine(f.Phone.Or(""))
	}
	if f.Website.Given() {
		o.Website = string(f.Website.Or(""))
	}
	if f.Email.Given() {
		o.Email = string(f.Email.Or(""))
	}
	return nil
}

// says reports whether every field sent equals the existing organizer's, letter
// case aside; wanted is the organizer the write would make.
func (f *OrganizerFields) says(existing, wanted *Organizer) bool {
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status}
	return post.says(&existing.Post, &wanted.Post) &&
		(!f.Image.Given() || sameImage(existing.Image, wanted.Image)) &&
		strings.EqualFold(existing.Name, wanted.Name) &&
		(f.Slug.Or("") == "" || existing.Slug == wanted.Slug) &&
		(!f.Description.Given() || strings.EqualFold(existing.Description, wanted.Description)) &&
		(!f.Excerpt.Given() || strings.EqualFold(existing.Excerpt, wanted.Excerpt)) &&
		(!f.Phone.Given() || strings.EqualFold(existing.Phone, wanted.Phone)) &&
		(!f.Website.Given() || strings.EqualFold(existing.Website, wanted.Website)) &&
		(!f.Email.Given() || strings.EqualFold(existing.Email, wanted.Email))
}
