package reading

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// row is the state of reading a row of a table.
type row struct {
	table  *table
	entry  *Entry
	cells  cells
	series *tableSeries // the series that it is a date of
	last   time.Time    // the last day that the cell of the start names
}

// tableSeries is a series of a table to which later rows refer.
type tableSeries struct {
	uid     string
	start   time.Time
	length  time.Duration
	allDay  bool
	refused bool
}

// unescaped removes the apostrophe that exports put before texts that a spreadsheet would take for a formula.
func unescaped(text string) string { return wording.UnescapeFormula(text) }

// read reads the cells.
func (r *row) read(series map[string]*tableSeries) {
	e, c := r.entry, r.cells
	e.UID, e.Exported, e.Series, e.Title = c["uid"], c["exported"], c["series"], wording.CleanTitle(c["title"])
	original := c["original_start"]
	if e.UID == "" && e.Series != "" {
		e.UID = seriesUID(e.Series)
	}
	if original != "" {
		e.Recurrence = original // until it is understood
		r.findSeries(series)
	}
	switch {
	case len(e.Problems) > 0:
	case original == "" && e.Title == "":
		e.refuse("title-missing", "title", "")
	case original == "" && c["start_date"] == "":
		e.refuse("start-missing", "start_date", "")
	default:
		r.values()
	}
	if original == "" && e.Series != "" {
		r.recordSeries(series)
	}
}

// seriesUID returns the UID of a series from its name in a table. It is the same in later versions of the table whose rows use
// that name.
func seriesUID(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "series-" + hex.EncodeToString(sum[:8])
}

// recordSeries records a series for the rows of its dates.
func (r *row) recordSeries(series map[string]*tableSeries) {
	e := r.entry
	if series[e.Series] != nil {
		e.refuse("series-twice", "series", e.Series)
		return
	}
	s := &tableSeries{uid: e.UID, refused: len(e.Problems) > 0}
	series[e.Series] = s
	s.start, _ = time.Parse(layout, e.Start)
	s.allDay = e.Values["all_day"] == true
	end, _ := e.Values["end_date"].(string)
	if last, err := time.Parse(layout, end); err == nil {
		s.length = last.Sub(s.start)
	} else if last, err := time.Parse(time.DateOnly, end); err == nil {
		s.length = last.Sub(args.DayOf(s.start))
	}
}

// findSeries finds the series of a changed date, and which date of the series it is.
func (r *row) findSeries(series map[string]*tableSeries) {
	e := r.entry
	s := series[e.Series]
	switch {
	case e.Series == "":
		e.refuse("series-missing", "series", "")
		return
	case s == nil:
		e.refuse("series-unknown", "series", e.Series)
		return
	case s.refused:
		e.refuse("series-refused", "series", e.Series)
		return
	}
	original, ok := r.moment("original_start")
	if !ok {
		return
	}
	at := original.Day.Add(s.start.Sub(args.DayOf(s.start)))
	if original.Timed && !s.allDay {
		at = original.Day.Add(original.At)
	}
	r.series, e.UID, e.Recurrence = s, s.uid, at.Format(layout)
}

// moment reads a cell with a date or time. If the text is neither, it refuses the row and returns false.
func (r *row) moment(name string) (moments.Moment, bool) {
	text := r.cells[name]
	var s moments.Moment
	var ok bool
	if name == "start_date" {
		s, r.last, ok = moments.ReadSpan(text, r.table.order)
	} else {
		s, ok = moments.Read(text, r.table.order)
	}
	if ok && s.Differs() {
		r.entry.warn("weekday-differs", name, text)
	}
	if ok && (!s.Day.IsZero() || strings.HasSuffix(name, "_time")) {
		return s, true
	}
	if s.Unsure {
		r.entry.refuse("date-ambiguous", name, text)
		return s, false
	}
	if moments.Impossible(text, r.table.order) {
		r.entry.refuse("date-none", argumentOf(name), text)
		return s, false
	}
	date, err := args.ParseDate(text)
	whole := strings.HasSuffix(name, "_date") || name == "registration_until"
	if whole && err == nil && date.Fixed() && !strings.Contains(text, "/") {
		wall := date.Wall(r.zone(), time.Time{})
		return moments.Moment{Day: args.DayOf(wall), At: wall.Sub(args.DayOf(wall)), Timed: date.HasTime()}, true
	}
	r.entry.refuse("date-unreadable", argumentOf(name), text)
	return s, false
}

// argumentOf returns the argument to which a column with a date or time belongs.
func argumentOf(name string) string {
	if before, is := strings.CutSuffix(name, "_time"); is {
		return before + "_date"
	}
	return name
}

// zone returns the zone of the row.
func (r *row) zone() *time.Location {
	if zone, ok := zoneNamed(r.cells["timezone"]); ok {
		return zone
	}
	return r.table.options.Zone
}

// lastEpoch is the year of the day before which spreadsheets write times that have no day.
const lastEpoch = 1904

// times sets start and end. A missing end date or time defaults to that of the start. An event without any time is
// all-day unless the row says otherwise.
func (r *row) times() {
	c := r.cells
	day, date, timed := map[string]time.Time{}, map[string]moments.Moment{}, map[string]moments.Moment{}
	for _, name := range []string{"start", "end"} {
		if c[name+"_date"] != "" {
			date[name], _ = r.moment(name + "_date")
			day[name] = date[name].Day
		}
		if c[name+"_time"] != "" {
			timed[name], _ = r.moment(name + "_time")
		}
		if other := timed[name].Day; other.Year() > lastEpoch && !other.Equal(day[name]) { // of a date in the column of times
			if c[name+"_date"] != "" || name == "start" {
				r.entry.refuse("date-unreadable", name+"_date", c[name+"_time"])
			}
			day[name] = other
		}
		if clock, written := timed[name]; !written || !clock.Timed && !clock.AllDay {
			timed[name] = date[name]
		}
	}
	if len(r.entry.Problems) > 0 {
		return
	}
	if c["end_date"] == "" && day["end"].IsZero() {
		day["end"] = r.last
	}
	if start := timed["start"]; start.Ends && !timed["end"].Timed {
		timed["end"] = moments.Moment{At: start.End, Timed: true}
	}
	if r.series != nil {
		r.ownTimes(day, timed)
		return
	}
	r.wholeTimes(day, timed)
}

// wholeTimes sets the times of an event or series.
func (r *row) wholeTimes(day map[string]time.Time, timed map[string]moments.Moment) {
	e, v := r.entry, r.entry.Values
	start, end := day["start"].Add(timed["start"].At), timed["end"]
	_, said := v["all_day"]
	if whole := timed["start"].AllDay || !timed["start"].Timed && !end.Timed; whole && !said {
		v["all_day"] = true
	}
	form := layout
	if !timed["start"].Timed && !end.Timed {
		form = time.DateOnly
	}
	last := day["end"]
	if last.IsZero() {
		last = day["start"]
	}
	if !end.Timed {
		end.At = timed["start"].At
	}
	until := last.Add(end.At)
	if until.Before(start) && day["end"].IsZero() {
		until = until.AddDate(0, 0, 1)
		e.warn("end-next-day", "end_date", r.cells["end_time"])
	}
	yes := v["all_day"]
	if (yes == true || yes == "True" || yes == "TRUE") && until.After(start) && form == layout && isMidnight(start) && isMidnight(until) {
		until = until.AddDate(0, 0, -1) // Outlook writes the midnight after the last day
	}
	e.Start = start.Format(layout)
	v["start_date"], v["end_date"] = start.Format(form), until.Format(form)
}

// ownTimes sets the times of a changed date that the row contains. A time without a date refers to the original
// day, an end time to the day of the start. Without an end, the date has the same duration as the others.
func (r *row) ownTimes(day map[string]time.Time, timed map[string]moments.Moment) {
	v, e := r.entry.Values, r.entry
	original, _ := time.Parse(layout, e.Recurrence)
	first, moved := day["start"], !day["start"].IsZero() || timed["start"].Timed
	if first.IsZero() {
		first = args.DayOf(original)
	}
	start := first.Add(original.Sub(args.DayOf(original)))
	if timed["start"].Timed {
		start = first.Add(timed["start"].At)
	}
	if moved {
		v["start_date"] = start.Format(layout)
	}
	e.Start = start.Format(layout)
	last := day["end"]
	switch {
	case last.IsZero() && !timed["end"].Timed:
		if moved {
			v["end_date"] = start.Add(r.series.length).Format(layout)
		}
		return
	case last.IsZero():
		last = first
	}
	end := last.Add(start.Add(r.series.length).Sub(args.DayOf(start.Add(r.series.length))))
	if timed["end"].Timed {
		end = last.Add(timed["end"].At)
	}
	v["end_date"] = end.Format(layout)
}
