package calendar

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Venues are the services over a site's venues.
type Venues struct{ *Calendar }

// Venues returns the services over venues.
func (c *Calendar) Venues() Venues { return Venues{c} }

// List returns one page of what the principal may see.
func (s Venues) List(ctx context.Context, f *PlaceFilter) (Page[Venue], PlaceQuery, error) {
	return listPlaces(ctx, s.Calendar, s.store.Venues(), f, 0)
}

// Get returns one venue; ErrNotReadable when the principal may not see it.
func (s Venues) Get(ctx context.Context, key Key) (*Venue, error) {
	return getPlace(ctx, s.store.Venues(), key, func(v *Venue) *Post { return &v.Post })
}

// Create makes a venue, or returns the one that says the same already (wire.md
// §3, "says nothing new").
func (s Venues) Create(ctx context.Context, f *VenueFields) (*Venue, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	link, err := s.newVenue(ctx, scope, f)
	if err != nil {
		return nil, err
	}
	v, err := s.store.Venues().Create(ctx, link)
	if err != nil || v.Image.key() != link.New.Image.key() {
		err = s.undo(ctx, link.New.Image, err)
	}
	if err != nil {
		return nil, fmt.Errorf("create venue: %w", err)
	}
	return v, nil
}

// Update changes what was sent of a venue and nothing else.
func (s Venues) Update(ctx context.Context, key Key, f *VenueFields, cond Condition) (*Venue, error) {
	scope, image, err := s.startWrite(ctx, f.Image)
	if err != nil {
		return nil, err
	}
	v, err := s.store.Venues().Update(ctx, key, func(v *Venue) error {
		if err := editable(scope.Principal, &v.Post, cond); err != nil {
			return err
		}
		return f.apply(scope, s.Now(), v, image, false)
	})
	if err != nil {
		return nil, s.undo(ctx, image, fmt.Errorf("update venue: %w", err))
	}
	return v, nil
}

// Check returns everything that is wrong with what Create would make, or Update
// of the key: *args.Problems, as both would. It stores nothing and fetches no
// picture.
func (s Venues) Check(ctx context.Context, key Key, f *VenueFields) error {
	return checkPlace(ctx, s.store.Venues(), key, func(v *Venue) *Post { return &v.Post },
		func(scope *tenancy.Scope, v *Venue, isNew bool) error {
			return f.apply(scope, s.Now(), v, nil, isNew)
		})
}

// Delete moves a venue to the trash, or removes it for good with force. It
// returns the venue's last state.
func (s Venues) Delete(ctx context.Context, key Key, force bool, cond Condition) (*Venue, error) {
	return deletePlace(ctx, s.Calendar, s.store.Venues(), key, force, cond, func(v *Venue) *Post { return &v.Post })
}

// newVenue prepares a venue to be made.
func (c *Calendar) newVenue(ctx context.Context, scope *tenancy.Scope, f *VenueFields) (Link[Venue], error) {
	_, image, err := c.startWrite(ctx, f.Image)
	if err != nil {
		return Link[Venue]{}, err
	}
	v := &Venue{ShowMap: true, ShowMapLink: true}
	if err := f.apply(scope, c.Now(), v, image, true); err != nil {
		return Link[Venue]{}, c.undo(ctx, image, err)
	}
	same := func(existing *Venue) bool {
		return !existing.Trashed() && MayRead(scope.Principal, &existing.Post) && f.says(existing, v)
	}
	return Link[Venue]{New: v, Same: same}, nil
}

func (c *Calendar) venueLinks(ctx context.Context, scope *tenancy.Scope, asked args.Links[VenueFields]) (*[]Link[Venue], error) {
	links := make([]Link[Venue], 0, len(asked))
	for _, a := range asked {
		link := Link[Venue]{ID: a.ID}
		if a.New != nil {
			var err error
			if link, err = c.newVenue(ctx, scope, a.New); err != nil {
				return &links, args.Within("venue", err)
			}
		}
		links = append(links, link)
	}
	return &links, nil
}

// apply changes v as the write says, and returns everything that is wrong with
// that.
func (f *VenueFields) apply(s *tenancy.Scope, now time.Time, v *Venue, image *Image, isNew bool) error {
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status, Slug: f.Slug, unasked: Pending}
	err := post.named(s, now, &v.Post, isNew, placeName{"venue", f.Name, &v.Name},
		func() error { return descriptions(f.Description, f.Excerpt, &v.Description, &v.Excerpt) })
	if err != nil {
		return err
	}
	if f.Image.Given() {
		v.Image = image
	}
	for _, t := range f.texts(v) {
		if t.arg.Given() {
			*t.field = CleanLine(t.arg.Or(""))
		}
	}
	if f.Website.Given() {
		v.Website = string(f.Website.Or(""))
	}
	f.region(v, isNew)
	if f.ShowMap.Given() {
		v.ShowMap = bool(f.ShowMap.Or(true))
	}
	if f.ShowMapLink.Given() {
		v.ShowMapLink = bool(f.ShowMapLink.Or(true))
	}
	place(&v.GeoLat, f.GeoLat)
	place(&v.GeoLng, f.GeoLng)
	return nil
}

func place(target **float64, arg args.Opt[float64]) {
	if arg.Given() {
		*target = nil
		if degrees, ok := arg.Get(); ok {
			*target = &degrees
		}
	}
}

// region fills an unsaid stateprovince from state (in the United States, or
// where no country is said) or province (reference §14.4).
func (f *VenueFields) region(v *Venue, isNew bool) {
	if !isNew || f.StateProvince.Or("") != "" {
		return
	}
	v.StateProvince = region(f.Country.Or(""), v)
}

func region(country string, v *Venue) string {
	if american := country == "" || country == "US" || country == "United States"; american && v.State != "" {
		return v.State
	}
	return v.Province
}

// Region returns the state or province in an address, "" when none is known.
func (v *Venue) Region() string {
	for _, name := range []string{v.StateProvince, region(v.Country, v), v.State} {
		if name != "" {
			return name
		}
	}
	return ""
}

// venueText ties an argument to the field it sets.
type venueText struct {
	arg   args.Opt[string]
	field *string
}

func (f *VenueFields) texts(v *Venue) []venueText {
	return []venueText{
		{f.Address, &v.Address}, {f.City, &v.City}, {f.Country, &v.Country}, {f.Province, &v.Province},
		{f.State, &v.State}, {f.StateProvince, &v.StateProvince}, {f.Zip, &v.Zip}, {f.Phone, &v.Phone},
	}
}

// says reports whether every field sent equals the existing venue's, letter
// case aside; wanted is the venue the write would make.
func (f *VenueFields) says(existing, wanted *Venue) bool {
	changed := *existing
	post := &postWrite{Author: f.Author, Date: f.Date, DateUTC: f.DateUTC, Status: f.Status}
	if !post.says(&existing.Post, &wanted.Post) || f.Image.Given() && !sameImage(existing.Image, wanted.Image) {
		return false
	}
	equal := strings.EqualFold(existing.Name, wanted.Name) &&
		(!f.Description.Given() || strings.EqualFold(existing.Description, wanted.Description)) &&
		(!f.Excerpt.Given() || strings.EqualFold(existing.Excerpt, wanted.Excerpt)) &&
		(!f.Website.Given() || strings.EqualFold(existing.Website, wanted.Website)) &&
		(f.Slug.Or("") == "" || existing.Slug == wanted.Slug) &&
		(!f.ShowMap.Given() || existing.ShowMap == wanted.ShowMap) &&
		(!f.ShowMapLink.Given() || existing.ShowMapLink == wanted.ShowMapLink) &&
		(!f.GeoLat.Given() || sameNumber(existing.GeoLat, wanted.GeoLat)) &&
		(!f.GeoLng.Given() || sameNumber(existing.GeoLng, wanted.GeoLng))
	have, want := f.texts(&changed), f.texts(wanted)
	for i, t := range have {
		equal = equal && (!t.arg.Given() || strings.EqualFold(*t.field, *want[i].field))
	}
	return equal
}
