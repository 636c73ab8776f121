package lists

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// eventPlaces lists where events take place. The map shows the places with known coordinates.
type eventPlaces struct {
	places []place
	tiled  bool         // a map is available
	area   *layout.Area // the area that was searched; nil: everywhere
	near   bool         // nearest first
	query  string
}

// place is a venue with upcoming events.
type place struct {
	*calendar.Venue
	events int     // Upcoming events; -1: not shown
	km     float64 // from the visitor's position; -1: unknown
}

// showMap lists the venues of the selected upcoming events.
func (w *Pages) showMap(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if a.Calendar {
		return w.calendarFeed(ctx, a)
	}
	name := ui.Say(ctx, "view.map")
	if ui.SiteOf(ctx).Settings.Map.Tiles == "" {
		name = ui.Say(ctx, "index.venues")
	}
	title := ui.SayTwo(ctx, "status.title", "Status", name, "Title", ui.Say(ctx, "upcoming"))
	p := &layout.Page{Title: title, Path: layout.MapPath, Rest: "/events", Section: "list", Sheet: "event.css",
		Description: ui.SayWith(ctx, "description.list", "Site", ui.SiteName(ctx))}
	c, err := w.layout.ReadChoice(ctx, a, p.Path)
	if err != nil {
		return nil, err
	}
	if to := c.Tidy(ctx, a); to != nil {
		return to, nil
	}
	c.Coming()
	p.Searched(ctx, a)
	at, err := w.calendar.Events().AtVenues(ctx, &c.Choice)
	if err != nil {
		return nil, err
	}
	m := &eventPlaces{area: c.Area, query: c.Query(1)}
	version, err := w.readPlaces(ctx, m, at)
	if err != nil {
		return nil, err
	}
	var from *layout.Point
	if c.Area == nil {
		from = layout.ReadPoint(a.Query)
	}
	m.order(from)
	if err := w.layout.Count(ctx, c, false); err != nil {
		return nil, err
	}
	c.Found = layout.UnknownCount // the places are counted, each with its number of events
	p.Choice, p.Query, p.Feeds = c, c.Query(1), c.Subscription()
	if c.Any() || from != nil {
		p.Robots = "noindex, nofollow"
	}
	f := &frame{view: "map", choice: c, day: w.layout.Today(ctx)}
	if first := w.daysOf(ctx, c).First; !first.IsZero() {
		f.day = first
	}
	answer := &layout.Shown{Page: p, Body: mapPage(p, f, m), Version: min(version, at.Version), Until: w.moves(ctx, c)}
	answer.Changes(c.Facets.Ends)
	return answer, nil
}

// readPlaces reads the venues that were counted. It leaves out venues outside the area: an event in the area may
// also have venues elsewhere.
func (w *Pages) readPlaces(ctx context.Context, m *eventPlaces, at *calendar.AtVenues) (version int64, err error) {
	drawn := ui.SiteOf(ctx).Settings.Map.Tiles != ""
	m.tiled = drawn && m.area != nil
	if len(at.Venues) == 0 {
		return at.Version, nil
	}
	page, err := w.calendar.Venues().Several(ctx, at.Venues)
	if err != nil {
		return 0, err
	}
	for _, v := range page.Items {
		if v.Status != calendar.Publish || m.area != nil && !m.area.Has(v) {
			continue
		}
		one := place{Venue: v, events: at.Events[v.ID], km: -1}
		if at.Uncounted {
			one.events = -1
		}
		m.tiled = m.tiled || located(v) && drawn
		m.places = append(m.places, one)
	}
	return min(at.Version, page.Version), nil
}

// order sorts the places by distance or, without a position, by number of events.
func (m *eventPlaces) order(from *layout.Point) {
	m.near = from != nil
	for i := range m.places {
		if one := &m.places[i]; m.near && located(one.Venue) {
			one.km = from.Away(one.Venue)
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

// pinPath is the path of the page with the events at a pin.
const pinPath = "/events/map/found/"

// mostAtPin is the number of events shown at a pin.
const mostAtPin = 5

// atPin returns the next selected events at a venue, for the script of the map. A series appears once.
func (w *Pages) atPin(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	venue, err := layout.ReadIDs([]string{a.Query("venue")})
	if err != nil {
		return nil, err
	}
	c, err := w.layout.ReadChoice(ctx, a, pinPath)
	if err != nil {
		return nil, err
	}
	c.Coming()
	c.Venue, c.PerPage, c.Once = venue, args.Some(mostAtPin), true
	page, _, err := w.calendar.Events().Choose(ctx, &c.Choice)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := pinList(page.Items, w.layout.Today(ctx)).Render(ctx, &b); err != nil {
		return nil, err
	}
	return &layout.Shown{
		File:    b.Bytes(),
		Kind:    "text/html; charset=utf-8",
		Version: page.Version,
		Until:   Ends(page.Items, w.moves(ctx, c)),
	}, nil
}

// pinTime returns the time of an event in the card of a pin. For an event that began on an earlier day, it returns
// the end.
func pinTime(ctx context.Context, e *calendar.Event, today time.Time) string {
	d := ui.DatesIn(ctx)
	if args.DayOf(e.Start).Before(today) {
		return ui.SayWith(ctx, "filter.until", "Date", d.Short(ui.LastDay(e.Start, e.End)))
	}
	return d.Event(e, d.YearOf(today))
}

// mark returns attributes with the position for the map.
func mark(v *calendar.Venue) templ.Attributes {
	if !located(v) {
		return nil
	}
	return templ.Attributes{"data-at": coordinates(v)}
}

// pin returns the attributes from which the script makes a pin for a place.
func (o *place) pin() templ.Attributes {
	attributes := mark(o.Venue)
	if attributes == nil {
		return nil
	}
	attributes["data-venue"] = layout.IDText(o.ID)
	if o.events >= 0 {
		attributes["data-events"] = strconv.Itoa(o.events)
	}
	return attributes
}

// tiles returns the map settings for the script.
func tiles(ctx context.Context) templ.Attributes {
	m := ui.SiteOf(ctx).Settings.Map
	attributes := templ.Attributes{
		"data-tiles":   m.Tiles,
		"data-library": ui.Asset("leaflet.js"),
		"data-script":  ui.Asset("map.js"),
		"data-sheet":   ui.Asset("map.css"),
		"data-in":      ui.Say(ctx, "map.in"),
		"data-out":     ui.Say(ctx, "map.out"),
		"aria-label":   ui.Say(ctx, "view.map"),
	}
	if credit, _ := tenancy.Links(m.Credit); len(credit) > 0 {
		attributes["data-credit"], attributes["data-credit-at"] = credit[0].Text, credit[0].Address
	}
	return attributes
}

// pins returns the further attributes that the script of a map with several places reads.
func (m *eventPlaces) pins(ctx context.Context) templ.Attributes {
	attributes := templ.Attributes{
		"id":         "map",
		"data-of":    "places",
		"data-found": ui.Href(ctx, pinPath) + m.query,
		"data-close": ui.Say(ctx, "map.close"),
	}
	if m.area != nil {
		attributes["data-area"] = m.area.String()
	}
	return attributes
}

// mapped reports whether a map of a venue can be shown.
func mapped(ctx context.Context, v *calendar.Venue) bool {
	return ui.SiteOf(ctx).Settings.Map.Tiles != "" && located(v)
}
