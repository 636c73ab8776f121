package calendar

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// maxPerPage is the maximum page length; longer ones are reduced to it (rule 5.4).
const maxPerPage = 50

// Query translates the arguments of GET /events to a store query (rule 5.2).
func (f *EventFilter) Query(s *tenancy.Scope, now time.Time) (EventQuery, error) {
	statuses, err := AskedStatuses(s.Principal, f.Status)
	if err != nil {
		return EventQuery{}, err
	}
	page, perPage := f.Pages(s.Site)
	q := EventQuery{
		Page: page, PerPage: perPage,
		Categories: f.Categories.Or(nil), Tags: f.Tags.Or(nil),
		Venues: f.Venue.Or(nil), Organizers: f.Organizer.Or(nil),
		But:      But{f.CategoriesExclude.Or(nil), f.TagsExclude.Or(nil), f.VenueExclude.Or(nil)},
		Featured: pointer(f.Featured), Ticketed: pointer(f.Ticketed), Located: pointer(f.Geoloc),
		Parent: f.PostParent.Or(0), Origin: f.Source.Or(0),
		Search:   wording.ParseSearch(f.Search.Or("")),
		Statuses: statuses, Viewer: ViewerOf(s.Principal),
		OrderBy: f.OrderBy.Or("start_date"), Descending: strings.EqualFold(f.Order.Or("asc"), "desc"),
		Series: seriesID(f.Series.Or("")), First: f.Series.Or("") == SeriesFirst, Recurring: pointer(f.Recurring),
		Happening: f.EventStatus.Or(nil), Attendance: f.Attendance.Or(""), Lacks: f.Lacks,
		Accessibility: f.Accessibility.Or(nil), Audience: f.Audience.Or(nil), Spoken: f.Spoken.Or(nil),
	}
	if q.Fields, err = chosenFields(f.Fields.Or(nil), s.Site); err != nil {
		return q, err
	}
	q.Texts = f.Asked(s, f.Translated)
	if after, ok := f.After.Get(); ok {
		place, _ := ParsePlace(after)
		q.After, q.Page = &place, 1
	}
	q.Edges, q.Until = f.edges(s.Site.Location, s.Site.Settings.WeekStart, now)
	if days, ok := f.LongerThan.Get(); ok {
		q.LongerThan = &days
	}
	if ids, ok := f.Include.Get(); ok {
		q.Include = append([]int64{}, ids...)
	}
	if _, there := s.Site.Sources[q.Origin]; !there && q.Origin != 0 {
		q.Include = []int64{} // events of a deleted source no longer have a source
	}
	if lat, ok := f.GeolocLat.Get(); ok {
		q.Near = &Circle{Lat: lat, Lng: f.GeolocLng.Or(0), Km: f.GeolocRadius.Or(25)}
	}
	if (q.Near != nil || q.Located != nil) && !s.Site.Plan.Geo {
		return q, args.Invalid(f.firstGeo(), "problem.geo.off", nil)
	}
	if o := OpenerOf(s.Principal, f.Password.Or("")); q.looksBehindMasks() && !o.All {
		q.Opener = &o
	}
	return q, nil
}

// looksBehindMasks reports whether the query filters by contents that a masked event hides (rule 5.7).
func (q *EventQuery) looksBehindMasks() bool {
	return len(q.Categories)+len(q.Tags)+len(q.Venues)+len(q.Organizers)+len(q.Search.Words)+len(q.Search.Without) > 0 ||
		!q.But.None() || q.Featured != nil || q.Ticketed != nil || q.Located != nil || q.Near != nil ||
		q.Attendance != "" || q.Lacks != (Lack{}) || len(q.Cities) > 0 || q.Free || q.Taking != "" || q.Children != nil ||
		q.Recurring != nil || q.Series != 0 ||
		len(q.Accessibility)+len(q.Audience)+len(q.Spoken)+len(q.Fields) > 0 || q.Texts.Translated != "" || q.Texts.Lacking != ""
}

func (f *EventFilter) firstGeo() string {
	if f.Geoloc.Given() {
		return "geoloc"
	}
	return "geoloc_lat"
}

// Pages returns the page number and length: by default the site's length, and at most 50.
func (p *Paging) Pages(site *tenancy.Site) (page, perPage int) {
	return p.Page.Or(1), min(p.PerPage.Or(site.Settings.PerPage), maxPerPage)
}

func pointer(b args.Opt[bool]) *bool {
	if v, ok := b.Get(); ok {
		return &v
	}
	return nil
}

// AskedStatuses returns the requested statuses. The public sees only published events and may not request others (rule 5.8).
func AskedStatuses(p tenancy.Principal, asked args.Opt[args.Texts]) ([]Status, error) {
	texts, ok := asked.Get()
	if !ok {
		return nil, nil
	}
	public := !p.MayRead(tenancy.EditOwn)
	if public && (len(texts) != 1 || Status(texts[0]) != Publish) {
		return nil, args.Invalid("status", "problem.status.right", nil)
	}
	list := make([]Status, 0, len(texts))
	for _, text := range texts {
		if text != "" {
			list = append(list, Status(text))
		}
	}
	return list, nil
}

// dateFilter is one date argument of GET /events.
type dateFilter struct {
	Name  string
	value args.Opt[args.Date]
	edge  Edge
}

// Dated reports whether the filter names dates or single events.
func (f *EventFilter) Dated() bool {
	return f.Include.Or(nil) != nil || f.On.Given() ||
		slices.ContainsFunc(f.dates(), func(d dateFilter) bool { return d.value.Given() })
}

func (f *EventFilter) dates() []dateFilter {
	return []dateFilter{
		{"start_date", f.Start, Edge{Compare: From}},
		{"end_date", f.End, Edge{End: true, Compare: Until}},
		{"starts_before", f.StartsBefore, Edge{Compare: Before}},
		{"starts_after", f.StartsAfter, Edge{Compare: After}},
		{"ends_before", f.EndsBefore, Edge{End: true, Compare: Before}},
		{"ends_after", f.EndsAfter, Edge{End: true, Compare: After}},
	}
}

// edges returns the date conditions: those of the request, or by default the window from today to today in two
// years, unless a relative filter, a named period or include is given. It also returns how long they hold: until
// the next midnight for the default window, until the end of a named period, until now for relative dates. The zero
// time means forever.
func (f *EventFilter) edges(place *time.Location, weekStart int, now time.Time) (edges []Edge, until time.Time) {
	if f.Include.Or(nil) != nil {
		return nil, until
	}
	filters := f.dates()
	relative := f.On.Given()
	if on, ok := f.On.Get(); ok {
		period := PeriodOf(on, now, place, weekStart)
		edges, until = period.edges(on), period.Until
	}
	for _, d := range filters[2:] {
		relative = relative || d.value.Given()
	}
	from, to := Window(now, place)
	defaults := []time.Time{from, to}
	moving := false
	for i, d := range filters {
		date, given := d.value.Get()
		switch {
		case given:
			moving = moving || !date.Fixed()
			edges = append(edges, f.edge(d.edge, date, place, now))
		case i < 2 && !relative:
			d.edge.At = defaults[i]
			edges = append(edges, d.edge)
			until = Midnight(now, place)
		}
	}
	if moving {
		until = now
	}
	return edges, until
}

// Window returns the bounds of a list without dates as wall-clock times in time.UTC: from the first second of today
// to the last of the day in two years (rule 5.1).
func Window(now time.Time, place *time.Location) (from, to time.Time) {
	today := args.WallTime(now, place)
	return args.DayOf(today), args.LastSecond(today.AddDate(2, 0, 0))
}

// Midnight returns the instant at which the current day ends in a time zone.
func Midnight(now time.Time, place *time.Location) time.Time {
	return args.Resolve(args.DayOf(args.WallTime(now, place)).AddDate(0, 0, 1), place)
}

// DayBegan returns the instant at which the current day began in a time zone.
func DayBegan(now time.Time, place *time.Location) time.Time {
	return args.Resolve(args.DayOf(args.WallTime(now, place)), place)
}

// Coming restricts f to events that are not over now, and returns it.
func (f *EventFilter) Coming() *EventFilter {
	f.EndsAfter, f.StrictDates = args.DateArg("now"), args.Some(args.Truthy(true))
	return f
}

// Over restricts f to events that are over or end now, sorted from the latest, and returns it.
func (f *EventFilter) Over() *EventFilter {
	f.EndsBefore, f.StrictDates, f.Order = args.DateArg("+1 second"), args.Some(args.Truthy(true)), args.Some("desc")
	return f
}

// edge resolves one condition. Strict dates are instants; others are whole days in the event's own time zone (rule
// 5.2).
func (f *EventFilter) edge(e Edge, date args.Date, place *time.Location, now time.Time) Edge {
	switch {
	case bool(f.StrictDates.Or(false)):
		e.At, e.Instant = date.In(place, now).UTC(), true
	case e.Compare == From:
		e.At = args.DayOf(date.Day(place, now))
	default:
		e.At = args.LastSecond(date.Day(place, now))
	}
	return e
}

// Name returns the name of the argument an edge comes from.
func (e Edge) Name() string {
	for _, d := range (&EventFilter{}).dates() {
		if d.edge.Compare == e.Compare && d.edge.End == e.End {
			return d.Name
		}
	}
	return ""
}

// SeriesFirst requests only the first occurrence of each series.
const SeriesFirst = "first"

// seriesID returns the id in a text, or 0 if the text is not an id.
func seriesID(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// Following returns the query of all events that a follower of changes can see with this filter, whatever their
// dates.
func (f *EventFilter) Following(s *tenancy.Scope, now time.Time) (EventQuery, error) {
	q, err := f.Query(s, now)
	q.Edges, q.Until, q.Page, q.PerPage, q.After = nil, time.Time{}, 1, 0, nil
	if len(q.Search.Words)+len(q.Search.Without)+len(q.Categories)+len(q.Tags) == 0 && q.Texts.Translated == "" {
		q.Texts = TextQuery{} // what is selected is the same in all languages
	}
	return q, err
}

// Reviewed reports whether the filter asks for what waits for the principal's review: pending events, of editors with an area those in it.
func (f *EventFilter) Reviewed(p tenancy.Principal) bool {
	return p.May(tenancy.EditOthers|tenancy.Publish) && slices.Equal(f.Status.Or(nil), args.Texts{string(Pending)})
}

// Everything reports whether the query has no conditions except dates.
func (q *EventQuery) Everything() bool {
	return q.Include == nil && len(q.Categories)+len(q.Tags)+len(q.Venues)+len(q.Organizers) == 0 && q.Featured == nil &&
		q.Ticketed == nil && q.Located == nil && q.Near == nil && q.Parent == 0 && q.Origin == 0 &&
		len(q.Search.Words)+len(q.Search.Without) == 0 && q.Series == 0 && q.Recurring == nil &&
		len(q.Happening) == 0 && q.Attendance == "" && len(q.Cities) == 0 && !q.Free && q.Taking == "" &&
		q.But.None() && q.LongerThan == nil && q.Children == nil &&
		len(q.Accessibility)+len(q.Audience)+len(q.Spoken)+len(q.Fields)+q.Brief == 0
}

// ByRelevance is the order of searches: events with the words in their title come first, then events with the words
// in their terms, in their venues and organizers, and in their text; whole words come before parts of words; equal
// matches are sorted by start. Without words, the order is by start.
const ByRelevance = "relevance"
