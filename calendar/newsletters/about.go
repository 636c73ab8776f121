package newsletters

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/tenancy"
)

// Part is one condition of a filter. Param and Value are as in the address of a list. Name is "" if Value needs no
// name.
type Part struct{ Param, Value, Name string }

// Excluded reports whether the part excludes events.
func (p *Part) Excluded() bool { return strings.HasSuffix(p.Param, "_exclude") }

// About describes the events of a subscription in the scope's language. Without parts, these are all events.
type About struct {
	Parts []Part
	Kept  []*calendar.Event // the next dates of what a reminder is about, each with a part
	area  *calendar.Circle  // of the part AreaPart
}

// AreaPart is the parameter of the part that is an area of the map. It is named after cities in it, if events there have any.
const AreaPart = "area"

// Typed reports whether a part is text that anyone may have typed, rather than a choice that the site offers.
func (a *About) Typed() bool {
	return slices.ContainsFunc(a.Parts, func(p Part) bool { return p.Param == "search" || p.Param == "city" })
}

// Query returns the query of the list with the same events, or "".
func (a *About) Query() string {
	values := url.Values{}
	for _, one := range a.Parts {
		if one.Param != AreaPart {
			values.Add(one.Param, one.Value)
		}
	}
	if a.area != nil {
		for name, number := range map[string]float64{"geoloc_lat": a.area.Lat, "geoloc_lng": a.area.Lng, "geoloc_radius": a.area.Km} {
			values.Set(name, strconv.FormatFloat(number, 'f', -1, 64))
		}
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// About returns the conditions of a filter with names. It returns calendar.ErrNotFound if the filter refers to
// something that no longer exists, or if none of the kept events is still to come.
func (s *Service) About(ctx context.Context, f Filter) (*About, error) {
	if !f.None() {
		return s.aboutKept(ctx, f.Keeping)
	}
	a := &About{}
	for _, one := range []struct {
		on           bool
		param, value string
	}{{f.Children, "for", "children"}, {f.Free, "cost", "free"}, {f.Featured, "featured", "1"}, {f.Taking != "", "how", f.Taking}} {
		if one.on {
			a.Parts = append(a.Parts, Part{Param: one.param, Value: one.value})
		}
	}
	for _, one := range []struct {
		param string
		words []string
	}{{"audience", f.Audience}, {"accessibility", f.Accessibility}, {"event_language", f.Spoken}} {
		for _, word := range one.words {
			a.Parts = append(a.Parts, Part{Param: one.param, Value: word})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(f.Fields)) {
		field := tenancy.Current(ctx).Site.FieldNamed(key)
		for _, value := range f.Fields[key] {
			if field == nil || !slices.Contains(field.Values(), value) {
				return nil, calendar.ErrNotFound
			}
			a.Parts = append(a.Parts, Part{Param: calendar.FieldParam(key), Value: value})
		}
	}
	if f.Area != nil {
		if err := s.nameArea(ctx, a, f.Area); err != nil {
			return nil, err
		}
	}
	if f.Search != "" {
		a.Parts = append(a.Parts, Part{"search", f.Search, f.Search})
	}
	for _, one := range []struct {
		param    string
		taxonomy calendar.Taxonomy
		ids      []int64
	}{{"category", calendar.Categories, f.Categories}, {"tag", calendar.Tags, f.Tags},
		{"categories_exclude", calendar.Categories, f.CategoriesExclude}, {"tags_exclude", calendar.Tags, f.TagsExclude}} {
		for _, id := range one.ids {
			term, err := s.Calendar.Terms(one.taxonomy).Get(ctx, id)
			if err != nil {
				return nil, tenancy.Wrap("term of a subscription", err)
			}
			a.Parts = append(a.Parts, Part{one.param, term.Slug, term.Name})
		}
	}
	for _, city := range f.Cities {
		a.Parts = append(a.Parts, Part{"city", city, city})
	}
	venue := func(v *calendar.Venue) (int64, string) { return v.ID, v.Name }
	err := named(ctx, a, "venue", f.Venues, s.Calendar.Venues().Several, venue)
	if err == nil {
		err = named(ctx, a, "venue_exclude", f.VenuesExclude, s.Calendar.Venues().Several, venue)
	}
	if err != nil {
		return nil, err
	}
	organizers := s.Calendar.Organizers()
	err = named(ctx, a, "organizer", f.Organizers, organizers.Several, func(o *calendar.Organizer) (int64, string) {
		return o.ID, o.Name
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// aboutKept names what was kept.
func (s *Service) aboutKept(ctx context.Context, k services.Keeping) (*About, error) {
	found, err := s.Calendar.Events().Kept(ctx, (&calendar.EventFilter{}).Coming(), k)
	if err != nil {
		return nil, fmt.Errorf("events of a reminder: %w", err)
	}
	if len(found.Items) == 0 {
		return nil, calendar.ErrNotFound
	}
	a := &About{Kept: found.Items}
	for _, e := range found.Items {
		a.Parts = append(a.Parts, Part{"ids", k.As(e), e.Title})
	}
	return a, nil
}

// named adds venues or organizers by their IDs.
func named[T any](ctx context.Context, a *About, param string, ids []int64,
	several func(context.Context, []int64) (calendar.Page[T], error), of func(*T) (int64, string)) error {
	if len(ids) == 0 {
		return nil
	}
	page, err := several(ctx, ids)
	if err != nil {
		return fmt.Errorf("place of a subscription: %w", err)
	}
	if len(page.Items) != len(ids) {
		return calendar.ErrNotFound
	}
	for _, one := range page.Items {
		id, name := of(one)
		a.Parts = append(a.Parts, Part{param, strconv.FormatInt(id, 10), name})
	}
	return nil
}

// Limits of names of areas.
const (
	mostVenues = 50 // that are looked at
	mostCities = 3
)

// nameArea adds an area of the map, named after the cities with most events there. It returns calendar.ErrNotFound
// if the plan of the site no longer includes areas.
func (s *Service) nameArea(ctx context.Context, a *About, area *calendar.Circle) error {
	if !tenancy.Current(ctx).Site.Plan.Geo {
		return calendar.ErrNotFound
	}
	c := (&Filter{Area: area}).choice()
	c.Coming()
	at, err := s.Calendar.Events().AtVenues(ctx, c)
	if err != nil {
		return fmt.Errorf("venues of an area: %w", err)
	}
	var cities []string
	if ids := at.Venues[:min(len(at.Venues), mostVenues)]; len(ids) > 0 {
		page, err := s.Calendar.Venues().Several(ctx, ids)
		if err != nil {
			return fmt.Errorf("cities of an area: %w", err)
		}
		slices.SortStableFunc(page.Items, func(a, b *calendar.Venue) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
		for _, v := range page.Items {
			if v.City != "" && area.Has(v) && !slices.Contains(cities, v.City) && len(cities) < mostCities {
				cities = append(cities, v.City)
			}
		}
	}
	a.area = area
	a.Parts = append(a.Parts, Part{Param: AreaPart, Name: strings.Join(cities, " · ")})
	return nil
}
