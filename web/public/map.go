package public

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

const mapPath = "/events/map/"

// eventPlaces lists where events take place. The map shows the places with known coordinates.
type eventPlaces struct {
	places []place
	tiled  bool // a map is available
	near   bool // nearest first
}

// place is a venue with upcoming events.
type place struct {
	*calendar.Venue
	events int     // upcoming events; -1: not shown
	km     float64 // from the visitor's position; -1: unknown
}

// showMap lists the venues of the selected upcoming events.
func (w *Pages) showMap(ctx context.Context, a asked) (*shown, error) {
	if a.calendar {
		return w.calendarFeed(ctx, a)
	}
	title := ui.SayTwo(ctx, "status.title", "Status", ui.Say(ctx, "view.map"), "Title", ui.Say(ctx, "upcoming"))
	p := &page{title: title, path: mapPath, rest: "/events", section: "list",
		description: ui.SayWith(ctx, "description.list", "Site", ui.SiteName(ctx))}
	c, err := w.readChoice(ctx, a, p.path)
	if err != nil {
		return nil, err
	}
	if to := c.tidy(ctx, a); to != nil {
		return to, nil
	}
	c.Coming()
	p.searched(ctx, a)
	at, err := w.calendar.Events().AtVenues(ctx, &c.Choice)
	if err != nil {
		return nil, err
	}
	m, version, err := w.eventPlacesOf(ctx, at)
	if err != nil {
		return nil, err
	}
	from := readPoint(a)
	m.order(from)
	if err := w.count(ctx, c, nil); err != nil {
		return nil, err
	}
	p.choice, p.query, p.feeds = c, c.query(1), c.subscription()
	if c.any() || from != nil {
		p.robots = "noindex, nofollow"
	}
	f := &frame{view: "map", choice: c, day: w.today(ctx)}
	if c.Days != nil && !c.Days.First.IsZero() {
		f.day = c.Days.First
	}
	answer := &shown{page: p, body: mapPage(p, f, m), version: min(version, at.Version), until: w.moves(ctx, c)}
	answer.changes(c.facets.Ends)
	return answer, nil
}

// eventPlacesOf reads the venues that at has counted.
func (w *Pages) eventPlacesOf(ctx context.Context, at *calendar.AtVenues) (*eventPlaces, int64, error) {
	m, version := &eventPlaces{}, at.Version
	if len(at.Venues) == 0 {
		return m, version, nil
	}
	page, err := w.calendar.Venues().Several(ctx, at.Venues)
	if err != nil {
		return nil, 0, err
	}
	for _, v := range page.Items {
		if v.Status != calendar.Publish {
			continue
		}
		one := place{Venue: v, events: at.Events[v.ID], km: -1}
		if at.Uncounted {
			one.events = -1
		}
		m.tiled = m.tiled || located(v) && ui.SiteOf(ctx).Settings.Map.Tiles != ""
		m.places = append(m.places, one)
	}
	return m, min(version, page.Version), nil
}

// order sorts the nearest first or, without a position, those with most events first.
func (m *eventPlaces) order(from *point) {
	m.near = from != nil
	for i := range m.places {
		if one := &m.places[i]; m.near && located(one.Venue) {
			one.km = from.away(one.Venue)
		}
	}
	slices.SortStableFunc(m.places, func(a, b place) int {
		switch {
		case m.near && (a.km < 0) != (b.km < 0):
			return cmp.Compare(b.km, a.km) // unknown positions come last
		case m.near && a.km != b.km:
			return cmp.Compare(a.km, b.km)
		}
		return cmp.Or(cmp.Compare(b.events, a.events), strings.Compare(a.Name, b.Name))
	})
}

// mark returns attributes with the position for the map.
func mark(v *calendar.Venue) templ.Attributes {
	if !located(v) {
		return nil
	}
	return templ.Attributes{"data-at": coordinates(v)}
}

// tiles returns the map settings for the script.
func tiles(ctx context.Context) templ.Attributes {
	m := ui.SiteOf(ctx).Settings.Map
	attributes := templ.Attributes{"data-tiles": m.Tiles, "data-library": ui.Asset("leaflet.js"), "data-sheet": ui.Asset("leaflet.css"), "data-in": ui.Say(ctx, "map.in"),
		"data-out": ui.Say(ctx, "map.out"), "aria-label": ui.Say(ctx, "view.map")}
	if credit, _ := tenancy.Links(m.Credit); len(credit) > 0 {
		attributes["data-credit"], attributes["data-credit-at"] = credit[0].Text, credit[0].Address
	}
	return attributes
}

// mapped reports whether a map of a venue can be shown.
func mapped(ctx context.Context, v *calendar.Venue) bool {
	return ui.SiteOf(ctx).Settings.Map.Tiles != "" && located(v)
}
