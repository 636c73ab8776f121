package events

import (
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/storage/pg"
)

// OccurrenceColumns are the columns that lists read from an index alone.
const OccurrenceColumns = `
	o.event_id,
	o.id,
	o.n,
	o.start_local,
	o.end_local,
	o.original_start`

// Happens selects the requested occurrence p of an event; ReadOccurrence reads it.
const Happens = `,
	p.n,
	p.start_local,
	p.end_local,
	p.original_start`

// ReadOccurrence turns a series into one of its occurrences, if one was requested.
func ReadOccurrence(f *pg.Fields, e *calendar.Event) {
	n := f.Int64()
	start, end, original := f.Moment(), f.Moment(), f.Moment()
	if n == 0 {
		return
	}
	if original.IsZero() {
		original = start
	}
	e.Occur(n, original, start, end)
}

// Recurs are the columns of a series that lists do not need; ReadSeries reads them.
var Recurs = `, ` + seriesColumns.Select("e", nil) + `,
	CASE WHEN e.rules IS NOT NULL THEN ARRAY(
		SELECT ROW(x.id, x.original_start)
		FROM events x
		WHERE x.site_id = $1
		  AND x.series_id = e.id
		ORDER BY x.original_start
	) END,
	CASE WHEN e.series_id IS NOT NULL THEN (
		SELECT s.title
		FROM events s
		WHERE s.site_id = $1
		  AND s.id = e.series_id
	) END`

// ReadSeries reads Recurs.
func ReadSeries(f *pg.Fields, e *calendar.Event) {
	seriesColumns.Read(f, &row{Event: e})
	f.Records(func(f *pg.Fields) {
		e.Exceptions = append(e.Exceptions, calendar.Series{ID: f.Int64(), OriginalStart: f.Time()})
	})
	if title := f.Text(); e.Series != nil {
		e.Series.Title = title
	}
}

// readRules reads the rules of a series.
func readRules(f *pg.Fields, r *row) {
	var rules *storedRules
	f.JSON(&rules)
	if rules != nil {
		set, err := rules.set(r.Clock())
		if err != nil {
			f.Fail("field %d: %w", f.At(), err)
		}
		r.Recurrence = &set
	}
}

// storedRules are the rules of a series as they are stored: in local time, so that a change of the time zone leaves
// them unchanged. Times in UTC stand for local times.
type storedRules struct {
	Rules  []string `json:"rrule"`
	Dates  []string `json:"rdate,omitempty"`
	Except []string `json:"exdate,omitempty"`
}

// onWall returns a clock in UTC, where local times and instants are the same.
func onWall(c recur.Clock) recur.Clock { return recur.Clock{Zone: time.UTC, Start: c.Start} }

func rulesOf(e *calendar.Event) *storedRules {
	if e.Recurrence == nil {
		return nil
	}
	clock := onWall(e.Clock())
	r := &storedRules{Rules: []string{}}
	for _, rule := range e.Recurrence.Rules {
		r.Rules = append(r.Rules, rule.Text(clock))
	}
	for _, date := range e.Recurrence.Dates {
		r.Dates = append(r.Dates, date.Format(wallClock))
	}
	for _, date := range e.Recurrence.Except {
		r.Except = append(r.Except, date.Format(wallClock))
	}
	return r
}

func (r *storedRules) set(c recur.Clock) (set recur.Set, err error) {
	clock := onWall(c)
	for _, text := range r.Rules {
		rule, problems := recur.ParseRule(text, clock)
		if len(problems) > 0 {
			return set, problemError(problems[0])
		}
		set.Rules = append(set.Rules, rule)
	}
	for _, list := range []struct {
		texts []string
		into  *[]time.Time
	}{{r.Dates, &set.Dates}, {r.Except, &set.Except}} {
		for _, text := range list.texts {
			at, err := time.Parse(wallClock, text)
			if err != nil {
				return set, err
			}
			*list.into = append(*list.into, at)
		}
	}
	return set, nil
}

type problemError recur.Problem

func (p problemError) Error() string { return "stored rule: " + p.Part + " " + p.Code }

// storedSlug returns the slug under which an event is stored: for an occurrence, the slug of its series and its date.
// ownSlug removes the date.
func storedSlug(e *calendar.Event) string {
	if e.Series == nil {
		return e.Slug
	}
	return calendar.OccurrenceSlug(e.Slug, e.Series.OriginalStart)
}

func ownSlug(slug string) string {
	slug, _, _ = strings.Cut(slug, "/")
	return slug
}
