package imports

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
)

// withinSeries stands in place of an original start. It marks a single event of a copied site that is a date of a
// series here.
const withinSeries = "="

// fewestDates is the minimum number of single events that can look like a series.
const fewestDates = 3

// group is a set of single events of a copied site that look like the dates of one series.
type group struct {
	entries []*reading.Entry // in the order of their starts
	starts  []time.Time
	rule    string
	except  []any
	uid     string // of the series
	joined  bool
}

// join recognizes single events of a copied site that are dates of one series: they are equal except for their
// start, and at regular distances. Series that an earlier import joined stay joined. Others are joined if the
// import asks for that; otherwise the report offers it.
func (r *run) join(ctx context.Context) error {
	if r.file.Format != reading.TEC {
		return nil
	}
	list, err := r.store.Identities(ctx, r.in.Source)
	if err != nil {
		return err
	}
	single, partOf, series := map[string]bool{}, map[string]int64{}, map[int64]string{}
	for _, id := range list {
		switch {
		case id.Status == "":
		case id.Recurrence == withinSeries:
			partOf[id.UID] = id.Event
		case id.Recurrence == "":
			single[id.UID], series[id.Event] = true, id.UID
		}
	}
	of := map[int]*group{}
	for _, g := range groupsOf(r.file) {
		known := ""
		for _, e := range g.entries {
			if uid := series[partOf[e.UID]]; uid != "" && known == "" {
				known = uid
			}
		}
		alone := slices.ContainsFunc(g.entries, func(e *reading.Entry) bool { return single[e.UID] })
		switch {
		case known != "":
			g.uid, g.joined = known, true
		case alone: // people edit them as separate events
			continue
		default:
			g.joined = r.ask.Series.Or(false)
		}
		for _, e := range g.entries {
			of[e.Number] = g
		}
	}
	if len(of) > 0 {
		plain := r.file.Entries
		r.file.Entries = func(yield func(reading.Entry) bool) {
			for e := range plain {
				if g := of[e.Number]; g != nil {
					g.mark(&e)
				}
				if !yield(e) {
					return
				}
			}
		}
	}
	return nil
}

// mark turns an entry into the series or one of its dates. If the group is not joined, it adds a warning that the entry may be
// part of a series.
func (g *group) mark(e *reading.Entry) {
	switch {
	case !g.joined:
		e.Warnings = append(slices.Clone(e.Warnings), reading.Finding{Code: "may-be-series", Value: g.rule})
	case e.Number == g.entries[0].Number:
		e.Series, e.UID = e.UID, g.uid
		e.Values = maps.Clone(e.Values)
		recurrence := map[string]any{"rrule": g.rule}
		if len(g.except) > 0 {
			recurrence["exdate"] = g.except
		}
		e.Values["recurrence"] = recurrence
	default:
		e.Within, e.Series, e.Recurrence = true, g.uid, withinSeries
	}
}

// groupsOf returns the groups of a file.
func groupsOf(file *reading.File) (list []*group) {
	by := map[string]*group{}
	for e := range file.Entries {
		start, err := time.Parse(time.DateTime, e.Start)
		if err != nil || e.Values == nil || e.Values["recurrence"] != nil {
			continue
		}
		key := string(digest(alike(&e, start)))
		g := by[key]
		if g == nil {
			g = &group{}
			by[key] = g
			list = append(list, g)
		}
		one := e
		g.entries, g.starts = append(g.entries, &one), append(g.starts, start)
	}
	return slices.DeleteFunc(list, func(g *group) bool { return !g.regular() })
}

// alike returns the arguments that all dates of a series have in common.
func alike(e *reading.Entry, start time.Time) args.Values {
	values := maps.Clone(e.Values)
	for _, name := range []string{"start_date", "end_date", "slug", "date_utc"} {
		delete(values, name)
	}
	end, _ := e.Values["end_date"].(string)
	if at, err := time.Parse(time.DateTime, end); err == nil {
		values["end_date"] = at.Sub(start).String()
	}
	values["start_date"] = start.Format(time.TimeOnly)
	return values
}

// regular reports whether the events follow a rule, and sets that rule.
func (g *group) regular() bool {
	if len(g.entries) < fewestDates {
		return false
	}
	order := make([]int, len(g.entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(g.starts[a].Compare(g.starts[b]), g.entries[a].Number-g.entries[b].Number)
	})
	entries, starts := make([]*reading.Entry, 0, len(order)), make([]time.Time, 0, len(order))
	for _, i := range order {
		if n := len(starts); n > 0 && starts[n-1].Equal(g.starts[i]) {
			return false // twice at the same time
		}
		entries, starts = append(entries, g.entries[i]), append(starts, g.starts[i])
	}
	g.entries, g.starts = entries, starts
	g.uid = seriesUID(g.entries)
	return g.byWeeks() || g.byMonths() || g.byDays()
}

// seriesUID returns the UID of a series made of single events: the UID of the event with the lowest id, with a mark.
func seriesUID(list []*reading.Entry) string {
	first := slices.MinFunc(list, func(a, b *reading.Entry) int { return cmp.Or(cmp.Compare(a.ID, b.ID), strings.Compare(a.UID, b.UID)) })
	return strings.Replace(first.UID, "?", "?series&", 1)
}

const day = 24 * time.Hour

// steps returns the largest number of days that divides all intervals.
func (g *group) steps() int {
	n := 0
	for i := 1; i < len(g.starts); i++ {
		a, b := int(g.starts[i].Sub(g.starts[i-1])/day), n
		for b != 0 {
			a, b = b, a%b
		}
		n = a
	}
	return n
}

func (g *group) byWeeks() bool {
	n := g.steps()
	return n > 0 && n%7 == 0 && g.every(n, "WEEKLY", n/7)
}

func (g *group) byDays() bool {
	n := g.steps()
	return n > 0 && g.every(n, "DAILY", n)
}

// every reports whether the events are most of the dates of a rule that repeats every few days. It treats the
// missing dates as exceptions.
func (g *group) every(days int, frequency string, interval int) bool {
	last := g.starts[len(g.starts)-1]
	n, next := 0, 0
	var except []any
	for at := g.starts[0]; !at.After(last); at = at.AddDate(0, 0, days) {
		n++
		if at.Equal(g.starts[next]) {
			next++
			continue
		}
		if except = append(except, at.Format(time.DateTime)); len(except)*2 > len(g.starts) {
			return false
		}
	}
	g.rule, g.except = fmt.Sprintf("FREQ=%s;INTERVAL=%d;COUNT=%d", frequency, interval, n), except
	return true
}

// byMonths reports whether the events repeat every few months, on the same day of the month or the same weekday of it.
func (g *group) byMonths() bool {
	month := func(t time.Time) int { return t.Year()*12 + int(t.Month()) }
	nth := func(t time.Time) int { return (t.Day() - 1) / 7 }
	first, n := g.starts[0], month(g.starts[1])-month(g.starts[0])
	sameDay, sameWeekday := first.Day() <= 28, nth(first) < 4
	for i, at := range g.starts {
		if i > 0 && month(at)-month(g.starts[i-1]) != n {
			return false
		}
		sameDay = sameDay && at.Day() == first.Day()
		sameWeekday = sameWeekday && at.Weekday() == first.Weekday() && nth(at) == nth(first)
	}
	if n <= 0 || !sameDay && !sameWeekday {
		return false
	}
	g.rule = fmt.Sprintf("FREQ=MONTHLY;INTERVAL=%d;COUNT=%d", n, len(g.starts))
	if !sameDay {
		g.rule += fmt.Sprintf(";BYDAY=%d%s", nth(first)+1, strings.ToUpper(first.Weekday().String()[:2]))
	}
	return true
}
