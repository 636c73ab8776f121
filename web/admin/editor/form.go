package editor

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/admin/planner"
	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/forms/texts"
	"github.com/kalends/kalends/web/ui"
)

// The earliest and the latest hour that the form of a new event proposes as the start.
const (
	earliestStart = 7
	latestStart   = 20
)

// nextStart returns the proposed start of a new event: the next full hour or, in the evening and at night, the
// earliest hour of the next day. Both times are on the wall clock.
func nextStart(now time.Time) time.Time {
	start := now.Truncate(time.Hour).Add(time.Hour)
	switch hour := start.Hour(); {
	case hour < earliestStart:
		return args.DayOf(start).Add(planner.StartOfDay)
	case hour > latestStart:
		return args.DayOf(start).AddDate(0, 0, 1).Add(planner.StartOfDay)
	}
	return start
}

// freshEvent returns the form of a new event. The event takes place at the time in the address; by default it lasts
// one hour from nextStart.
func freshEvent(ctx context.Context, now time.Time, query url.Values) *frame.Form {
	site := ui.SiteOf(ctx)
	start := nextStart(ui.WallAt(now, site.Location))
	allDay := query.Get("all_day") == "1"
	start = askedTime(query, "start_date", start, map[bool]time.Duration{false: planner.StartOfDay}[allDay])
	end := askedTime(query, "end_date", start.Add(map[bool]time.Duration{false: time.Hour}[allDay]), 0)
	f := &frame.Form{Kind: "event", Values: map[string][]string{"start_date": {frame.ClockText(start)}, "end_date": {frame.ClockText(end)},
		"all_day": {map[bool]string{true: "1", false: "0"}[allDay]}, "timezone": {site.Timezone},
		"status": {string(calendar.Draft)}, "show_map": {"1"}, "show_map_link": {"1"}, "author": {offers.Whoever(ctx)}}}
	repeats.Fill(f, recur.Set{}, recur.Clock{Zone: site.Location, Start: start})
	return f
}

// askedTime returns a time in the address, or other if there is none. If the address has only a day, the time of
// day is hour.
func askedTime(query url.Values, name string, other time.Time, hour time.Duration) time.Time {
	if day, err := time.Parse(time.DateOnly, query.Get(name)); err == nil && ui.Within(day) {
		return day.Add(hour)
	}
	if at, err := frame.ReadClock(query.Get(name)); err == nil && ui.Within(at) {
		return at
	}
	return other
}

// copyForm returns the form of a new event that copies another event. It includes the URL for taking part only if
// the user may see it.
func copyForm(ctx context.Context, now time.Time, e *calendar.Event, ed *eventEditor) *frame.Form {
	ed.event = nil
	f := formOf(ctx, e, ed)
	online, _ := e.OnlineAt(now, calendar.MayEdit(tenancy.Current(ctx).Principal, &e.Post))
	f.Set("virtual_url", online)
	for _, name := range []string{"slug", "date", "version", "base", "author", "review_note"} {
		f.Values.Del(name)
	}
	f.Set("status", string(calendar.Draft))
	f.Set("author", offers.Whoever(ctx))
	return f
}

// formOf returns the form of a stored event.
func formOf(ctx context.Context, e *calendar.Event, ed *eventEditor) *frame.Form {
	site := ui.SiteOf(ctx)
	f := &frame.Form{Kind: "event", Values: map[string][]string{}}
	fields := calendar.AllEventFields()
	for i := range fields {
		switch value := fields[i].Value(e).(type) {
		case string:
			f.Set(fields[i].Name, *fields[i].Text(e))
		case []string:
			f.Set(fields[i].Name, append([]string{""}, value...)...)
		case bool:
			f.Set(fields[i].Name, map[bool]string{true: "1", false: "0"}[value])
		}
	}
	for name, text := range map[string]string{"status": string(e.Status), "start_date": frame.ClockText(e.Start), "end_date": eventEnd(e),
		"cost": strings.Join(e.Cost, ", "), "slug": e.Slug} {
		f.Set(name, text)
	}
	if until, _ := e.RegisterBy(); !until.IsZero() {
		f.Set("registration_until", frame.ClockText(until))
	}
	f.Set("date", "")
	if e.Dated {
		f.Set("date", frame.ClockText(ui.WallAt(e.Date, site.Location)))
	}
	f.Set("author", frame.SomeID(e.Author))
	f.Set("post_parent", frame.SomeID(e.Parent))
	f.Set("image", "")
	if e.Image != nil {
		f.Set("image", frame.IDText(e.Image.ID))
	}
	for i := range e.Venues {
		f.Values.Add("venue", frame.ValueOf(ed.venues, frame.IDText(e.Venues[i].ID), e.Venues[i].Name))
	}
	for i := range e.Organizers {
		f.Values.Add("organizer", frame.ValueOf(ed.organizers, frame.IDText(e.Organizers[i].ID), e.Organizers[i].Name))
	}
	f.Set("categories", "")
	for i := range e.Categories {
		f.Values.Add("categories", frame.IDText(e.Categories[i].ID))
	}
	tags := make([]string, 0, len(e.Tags))
	for i := range e.Tags {
		tags = append(tags, e.Tags[i].Name)
	}
	f.Set("tags", strings.Join(tags, ", "))
	added.Fill(ctx, f, e.Fields, tenancy.FieldOfEvents)
	fillTickets(f, e, site.Location)
	texts.Fill(ctx, f, e.Texts)
	repeats.FillFrom(f, e, ed.series)
	eventFields.Stamp(f, frame.IDText(e.Version))
	return f
}

// eventEnd returns the end of an event in the format of its field. For all-day events it leaves out the seconds,
// because only the day counts.
func eventEnd(e *calendar.Event) string {
	if e.AllDay {
		return e.End.Format(frame.ClockForm)
	}
	return frame.ClockText(e.End)
}

// mostTickets is the most rows of tickets that the form reads. An event allows fewer; for more, it reports an
// error.
const mostTickets = 100

// SplitTags splits a text into tags at commas.
func SplitTags(text string) []string {
	var list []string
	for tag := range strings.SplitSeq(text, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			list = append(list, tag)
		}
	}
	return list
}
