package web

import (
	"context"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/recur"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// eventFields are the fields of the form in the order in which they stand.
var eventFields = []string{"title", "start_date", "end_date", "all_day", "timezone", "recurrence", "exceptions",
	"event_status", "event_status_reason", "attendance_mode", "virtual_url", "virtual_url_shown", "venue", "organizer",
	"description", "excerpt", translations,
	"categories", "tags", "image", "cost", "tickets", "website", "status", "date", "author", "slug", "post_password", "post_parent",
	"featured", "sticky", "hide_from_listings", "show_map", "show_map_link"}

// clockForm is how fields for dates hold them.
const clockForm = "2006-01-02T15:04"

func clockText(t time.Time) string {
	if t.Second() != 0 {
		return t.Format(clockForm + ":05")
	}
	return t.Format(clockForm)
}

// instantArg is an instant as an argument.
func instantArg(at time.Time) args.Opt[args.Date] {
	d, err := args.ParseDate(at.UTC().Format(time.RFC3339))
	if err != nil {
		return args.Opt[args.Date]{}
	}
	return args.Some(d)
}

// startOfDay is when an event begins that is asked for by its day alone.
const startOfDay = 10 * time.Hour

// The hours of the day in which a new event is proposed to begin.
const (
	earliestStart = 7
	latestStart   = 20
)

// nextStart is when a new event is proposed to begin, on the wall clock on which
// it is now: at the next full hour, and where that is in the evening or the
// night, when days begin.
func nextStart(now time.Time) time.Time {
	start := now.Truncate(time.Hour).Add(time.Hour)
	switch hour := start.Hour(); {
	case hour < earliestStart:
		return ui.DayOf(start).Add(startOfDay)
	case hour > latestStart:
		return ui.DayOf(start).AddDate(0, 0, 1).Add(startOfDay)
	}
	return start
}

// freshEvent is the form of a new event: at the time the address asks for, else
// at the next hour that will do, for an hour.
func freshEvent(ctx context.Context, now time.Time, query url.Values) *form {
	site := ui.SiteOf(ctx)
	start := nextStart(ui.WallAt(now, site.Location))
	allDay := query.Get("all_day") == "1"
	start = askedTime(query, "start_date", start, map[bool]time.Duration{false: startOfDay}[allDay])
	end := askedTime(query, "end_date", start.Add(map[bool]time.Duration{false: time.Hour}[allDay]), 0)
	f := &form{kind: "event", values: map[string][]string{"start_date": {clockText(start)}, "end_date": {clockText(end)},
		"all_day": {map[bool]string{true: "1", false: "0"}[allDay]}, "timezone": {site.Timezone},
		"status": {string(calendar.Draft)}, "show_map": {"1"}, "show_map_link": {"1"}, "author": {whoever(ctx)}}}
	f.setRepeat(recur.Set{}, recur.Clock{Zone: site.Location, Start: start})
	return f
}

// askedTime is a time in an address, another where none is; a day alone means an
// hour of it.
func askedTime(query url.Values, name string, other time.Time, hour time.Duration) time.Time {
	if day, err := time.Parse(time.DateOnly, query.Get(name)); err == nil && ui.Within(day) {
		return day.Add(hour)
	}
	if at, err := time.Parse(clockForm, query.Get(name)); err == nil && ui.Within(at) {
		return at
	}
	return other
}

// copyForm is the form of a new event like another.
func copyForm(ctx context.Context, e *calendar.Event, ed *eventEditor) *form {
	ed.event = nil
	f := formOf(ctx, e, ed)
	for _, name := range []string{"slug", "date", "version", "base", "author"} {
		f.values.Del(name)
	}
	f.set("status", string(calendar.Draft))
	f.set("author", whoever(ctx))
	return f
}

// whoever is the id of the person who asks.
func whoever(ctx context.Context) string { return someID(tenancy.Current(ctx).Principal.UserID) }

// formOf is the form of an event as it stands.
func formOf(ctx context.Context, e *calendar.Event, ed *eventEditor) *form {
	site := ui.SiteOf(ctx)
	f := &form{kind: "event", values: map[string][]string{}}
	for name, text := range map[string]string{"title": e.Title, "description": e.Description, "excerpt": e.Excerpt,
		"status":   string(e.Status),
		"timezone": e.Timezone, "start_date": clockText(e.Start), "end_date": eventEnd(e), "cost": strings.Join(e.Cost, ", "),
		"website": e.Website, "slug": e.Slug, "version": idText(e.Version)} {
		f.set(name, text)
	}
	for name, is := range map[string]bool{"all_day": e.AllDay, "featured": e.Featured, "sticky": e.Sticky, "hide_from_listings": e.Hidden,
		"show_map": e.ShowMap, "show_map_link": e.ShowMapLink} {
		f.set(name, map[bool]string{true: "1", false: "0"}[is])
	}
	f.set("date", "")
	if e.Dated {
		f.set("date", clockText(ui.WallAt(e.Date, site.Location)))
	}
	f.set("author", someID(e.Author))
	f.set("post_parent", someID(e.Parent))
	f.set("image", "")
	if e.Image != nil {
		f.set("image", idText(e.Image.ID))
	}
	for i := range e.Venues {
		f.values.Add("venue", labelOf(ed.venues, e.Venues[i].ID, e.Venues[i].Name))
	}
	for i := range e.Organizers {
		f.values.Add("organizer", labelOf(ed.organizers, e.Organizers[i].ID, e.Organizers[i].Name))
	}
	f.set("categories", "")
	for i := range e.Categories {
		f.values.Add("categories", idText(e.Categories[i].ID))
	}
	tags := make([]string, 0, len(e.Tags))
	for i := range e.Tags {
		tags = append(tags, e.Tags[i].Name)
	}
	f.set("tags", strings.Join(tags, ", "))
	f.ticketsOf(e, site.Location)
	f.textsOf(ctx, e)
	f.happening(e)
	f.repeated(e, ed.series)
	f.set("base", f.digest(eventFields))
	return f
}

// happening fills in whether the event takes place, and where people take part;
// what is as usual goes without saying.
func (f *form) happening(e *calendar.Event) {
	for name, text := range map[string]string{"event_status": e.Happening.Status, "event_status_reason": e.Happening.Reason,
		"attendance_mode": e.Attendance.Mode, "virtual_url": e.Attendance.URL, "virtual_url_shown": e.Attendance.Shown} {
		if text == "scheduled" || text == "offline" || text == "always" {
			text = ""
		}
		f.set(name, text)
	}
}

// eventEnd is the end as its field holds it: of an all-day event without the
// seconds, for the day is what counts.
func eventEnd(e *calendar.Event) string {
	if e.AllDay {
		return e.End.Format(clockForm)
	}
	return clockText(e.End)
}

// someID is an id, or nothing for none.
func someID(id int64) string {
	if id == 0 {
		return ""
	}
	return idText(id)
}

// labelOf is what a choice is called in its field.
func labelOf(list []pair, id int64, name string) string {
	for _, p := range list {
		if p.Name == idText(id) {
			return p.Value
		}
	}
	return name
}

// ticketFields are the fields of a row of tickets.
var ticketFields = []string{"name", "price", "currency", "url", "available_from", "available_until", "status"}

func ticketName(row int, field string) string {
	return "tickets[" + strconv.Itoa(row) + "][" + field + "]"
}

func (f *form) ticketsOf(e *calendar.Event, place *time.Location) {
	for i := range e.Tickets {
		t := &e.Tickets[i]
		texts := map[string]string{"name": t.Name, "currency": t.Currency, "url": t.URL, "status": t.Status}
		if t.Price != nil {
			texts["price"] = strconv.FormatFloat(*t.Price, 'f', -1, 64)
		}
		if t.Available != nil {
			texts["available_from"] = clockText(ui.WallAt(*t.Available, place))
		}
		if t.Until != nil {
			texts["available_until"] = clockText(ui.WallAt(*t.Until, place))
		}
		for name, text := range texts {
			f.set(ticketName(i, name), text)
		}
	}
}

// mostTickets bounds the rows of tickets that are read; the event itself takes
// fewer and says so.
const mostTickets = 100

// ticketRows lists the rows that have anything in them.
func (f *form) ticketRows() []int {
	var rows []int
	for name := range f.values {
		digits, field, _ := strings.Cut(strings.TrimPrefix(name, "tickets["), "][")
		row, err := strconv.Atoi(digits)
		field = strings.TrimSuffix(field, "]")
		known := err == nil && row >= 0 && row < mostTickets && slices.Contains(ticketFields, field) && name == ticketName(row, field)
		if known && strings.TrimSpace(f.get(name)) != "" {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// blankTicket is the number of the row for one more ticket.
func (f *form) blankTicket() int {
	if rows := f.ticketRows(); len(rows) > 0 {
		return rows[len(rows)-1] + 1
	}
	return 0
}

// canonical is a field's content in the form in which two are compared.
func (f *form) canonical(name string) string {
	switch name {
	case "recurrence":
		return f.repeatText()
	case "tickets":
		filled := f.ticketRows()
		rows := make([]string, 0, len(filled))
		for _, row := range filled {
			texts := make([]string, 0, len(ticketFields))
			for _, field := range ticketFields {
				texts = append(texts, strings.TrimSpace(f.get(ticketName(row, field))))
			}
			rows = append(rows, strings.Join(texts, "\t"))
		}
		return strings.Join(rows, "\n")
	case "venue", "organizer":
		return strings.Join(append(f.all(name), f.newNames(name)...), "\n")
	case translations:
		return f.textsText()
	case "content_languages":
		return strings.Join(f.all(name), ",")
	case "categories", "languages":
		list := f.all(name)
		sort.Strings(list)
		return strings.Join(list, ",")
	case "tags":
		return strings.Join(splitTags(f.get(name)), ", ")
	case "post_password":
		return f.get(name) + "\n" + f.get(name+"_clear")
	}
	return strings.TrimSpace(strings.ReplaceAll(f.get(name), "\r\n", "\n"))
}

// splitTags reads tags with commas between.
func splitTags(text string) []string {
	var list []string
	for tag := range strings.SplitSeq(text, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			list = append(list, tag)
		}
	}
	return list
}
