package api

import (
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// eventLinks returns all filters of an event list as applied, in TEC's order, with dates in the site's time zone.
func eventLinks(s *tenancy.Scope, q calendar.EventQuery) []Param {
	var p Params
	p.Length(q.PerPage)
	strict := p.edges(s, q.Edges, true)
	p.Text("search", q.Search.Text)
	p.bool("geoloc", q.Located)
	if q.Near != nil {
		p.float("geoloc_lat", q.Near.Lat)
		p.float("geoloc_lng", q.Near.Lng)
		p.float("geoloc_radius", q.Near.Km)
	}
	p.statuses(q.Statuses, q.Viewer)
	p.ID("post_parent", q.Parent)
	p.ids("include", q.Include)
	strict = p.edges(s, q.Edges, false) || strict
	if strict {
		p.Text("strict_dates", "true")
	}
	p.ids("venue", q.Venues)
	p.ids("organizer", q.Organizers)
	p.bool("featured", q.Featured)
	p.refs("categories", q.Categories)
	p.refs("tags", q.Tags)
	p.bool("ticketed", q.Ticketed)
	p.spoken(q.Texts)
	p.ID("series", q.Series)
	p.ID("source", q.Origin)
	if q.First {
		p.Text("series", calendar.SeriesFirst)
	}
	if q.LongerThan != nil {
		p.Text("longer_than", strconv.Itoa(*q.LongerThan))
	}
	p.refs("categories_exclude", q.But.Categories)
	p.refs("tags_exclude", q.But.Tags)
	p.ids("venue_exclude", q.But.Venues)
	p.bool("recurring", q.Recurring)
	p.Text("event_status", strings.Join(q.Happening, ","))
	p.Text("attendance_mode", q.Attendance)
	p.Text("accessibility", strings.Join(q.Accessibility, ","))
	p.Text("audience", strings.Join(q.Audience, ","))
	p.Text("event_language", strings.Join(q.Spoken, ","))
	for _, one := range q.Fields {
		p.Text(calendar.FieldParam(one.Key), strings.Join(one.Values, ","))
	}
	if q.OrderBy != "start_date" {
		p.Text("orderby", q.OrderBy)
	}
	if q.Descending {
		p.Text("order", "desc")
	}
	return p
}

// edges adds either the absolute or the relative dates, and reports whether any of them is an instant.
func (p *Params) edges(s *tenancy.Scope, edges []calendar.Edge, absolute bool) (strict bool) {
	for _, e := range edges {
		if e.On != "" {
			if absolute && e.End {
				p.Text("on", e.On)
			}
			continue
		}
		name := e.Name()
		if (name == "start_date" || name == "end_date") != absolute {
			continue
		}
		if e.Instant {
			strict = true
			p.Text(name, instant(e.At, s.Site.Location))
		} else {
			p.Text(name, e.At.Format(jsontext.TimeFormat))
		}
	}
	return strict
}

// instant formats a moment as wall-clock time at a place, or in UTC if that would be ambiguous or out of range.
func instant(at time.Time, place *time.Location) string {
	local := at.In(place)
	if year := local.Year(); year < 1 || year > 9999 || !args.Resolve(local, place).Equal(at) {
		return at.UTC().Format(time.RFC3339)
	}
	return local.Format(jsontext.TimeFormat)
}

// placeLinks returns all filters of a venue or organizer list.
func placeLinks(q calendar.PlaceQuery) []Param {
	var p Params
	p.Length(q.PerPage)
	p.ID("event", q.Event)
	p.bool("has_events", q.HasEvents)
	if q.UpcomingAfter != (time.Time{}) {
		p.Text("only_with_upcoming", "true")
	}
	p.Text("search", q.Search.Text)
	p.statuses(q.Statuses, q.Viewer)
	p.spoken(q.Texts)
	return p
}

// termLinks returns all filters of a term list, and the page length unless it is the site's default (rule 4.4).
func termLinks(q calendar.TermQuery, usual int) []Param {
	var p Params
	if q.PerPage != usual {
		p.Length(q.PerPage)
	}
	p.Text("search", q.Search)
	p.refs("include", q.Include)
	p.refs("exclude", q.Exclude)
	if q.OrderBy != "name" {
		p.Text("orderby", q.OrderBy)
	}
	if q.Descending {
		p.Text("order", "desc")
	}
	if !q.HideEmpty {
		p.Text("hide_empty", "false")
	}
	p.ID("parent", q.Parent)
	p.ID("event", q.Event)
	p.Text("slug", q.Slug)
	p.spoken(q.Texts)
	return p
}
