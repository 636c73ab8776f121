package api

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
)

// newView is NewView with the current time.
func (a *API) newView(ctx context.Context) *View {
	v := NewView(scopeOf(ctx))
	v.Now = a.calendar.Now()
	return v
}

// changes records when time alone changes the output.
func (v *View) changes(at time.Time) {
	if !at.IsZero() && (v.until.IsZero() || at.Before(v.until)) {
		v.until = at
	}
}

// EventPage returns the address of an event's public page. That of an occurrence includes the day.
func (v *View) EventPage(e *calendar.Event) string {
	address := v.Page("event", "tribe_events", &e.Post)
	if e.Series == nil || address[len(address)-1] != '/' {
		return address
	}
	return v.Pages + e.Path()
}

// happening writes whether and how an event takes place, if it differs from the default.
func (v *View) happening(e *calendar.Event) {
	v.Some("event_status", e.Happening.Status)
	v.Some("event_status_reason", masked(e, e.Happening.Reason))
	if !e.PreviousStart.IsZero() && !e.Masked {
		v.Time("previous_start_date", e.PreviousStart.In(e.Clock().Zone))
	}
	if e.Masked {
		return
	}
	v.Some("attendance_mode", e.Attendance.Mode)
	address, changes := e.OnlineAt(v.Now, calendar.MayEdit(v.Scope.Principal, &e.Post))
	v.changes(changes)
	v.Some("virtual_url", address)
	v.Some("virtual_url_shown", e.Attendance.Shown)
}

// series writes the series of an occurrence, or the recurrence of a series.
func (v *View) series(e *calendar.Event) {
	if e.Series != nil {
		v.Open("series", '{')
		v.Int("id", e.Series.ID)
		v.Time("original_start", e.Series.OriginalStart)
		v.Text("rest_url", v.restURL(e.Series.ID))
		v.Close('}')
	}
	if e.Recurrence != nil && !e.Masked {
		v.recurrence(e)
	}
}

func (v *View) restURL(event int64) string {
	return v.Root + "/events/" + strconv.FormatInt(event, 10)
}

// upcoming is the number of next dates listed for a series.
const upcoming = 5

// recurrence writes the rules of a series and values derived from them.
func (v *View) recurrence(e *calendar.Event) {
	clock := e.Clock()
	v.Open("recurrence", '{')
	rules := e.Recurrence.Rules
	if len(rules) == 1 {
		v.Text("rrule", rules[0].Text(clock))
	} else {
		v.Open("rrule", '[')
		for _, rule := range rules {
			v.Comma()
			v.Bytes = jsontext.AppendString(v.Bytes, rule.Text(clock))
		}
		v.Close(']')
	}
	v.dates("rdate", e.Recurrence.Dates, e.AllDay)
	v.dates("exdate", e.Recurrence.Except, e.AllDay)
	v.Text("text", i18n.Recurrence(v.Scope.Language, *e.Recurrence, clock))
	next := e.Upcoming(v.Now, upcoming)
	v.Open("next", '[')
	for i := range next {
		if i == 0 {
			v.changes(next[0].StartUTC)
		}
		v.Comma()
		v.Bytes = jsontext.AppendString(v.Bytes, next[i].Start.Format(jsontext.TimeFormat))
	}
	v.Close(']')
	v.Open("exceptions", '[')
	for _, x := range e.Exceptions {
		v.Item()
		v.Int("id", x.ID)
		v.Time("original_start", x.OriginalStart)
		v.Text("rest_url", v.restURL(x.ID))
		v.Close('}')
	}
	v.Close(']')
	if !e.StoredUntil.IsZero() {
		v.Time("stored_until", e.StoredUntil)
	}
	v.Close('}')
}

// dates writes dates in the format of the argument with that name.
func (v *View) dates(key string, list []time.Time, allDay bool) {
	form := jsontext.TimeFormat
	if allDay {
		form = jsontext.TimeFormat[:len("2006-01-02")]
	}
	v.Open(key, '[')
	for _, date := range list {
		v.Comma()
		v.Bytes = jsontext.AppendString(v.Bytes, date.Format(form))
	}
	v.Close(']')
}

// locationLD writes where an event takes place: at its first venue, online, or both.
func (v *View) locationLD(e *calendar.Event) {
	address, changes := e.OnlineAt(v.Now, false)
	v.changes(changes)
	online := address != "" && e.Attendance.Mode != ""
	venue := len(e.Venues) > 0
	if !online && !venue {
		return
	}
	if online && venue {
		v.Open("location", '[')
		v.Comma()
	} else {
		v.Key("location")
	}
	if venue {
		v.placeLD(&e.Venues[0])
	}
	if online {
		if venue {
			v.Bytes = append(v.Bytes, ',')
		}
		v.Bytes = append(v.Bytes, '{')
		v.Text("@type", "VirtualLocation")
		v.Text("url", address)
		v.Close('}')
	}
	if online && venue {
		v.Close(']')
	}
}

// seriesLD writes the series of an occurrence, or the schedule of a series (schema.org/Schedule).
func (v *View) seriesLD(e *calendar.Event) {
	if e.Series != nil {
		v.Open("superEvent", '{')
		v.Text("@type", "EventSeries")
		v.Text("name", cmp.Or(e.Series.Title, e.Title))
		v.Text("url", v.Page("event", "tribe_events", &e.Post))
		v.Close('}')
	}
	if e.Recurrence == nil {
		return
	}
	list := e.Schedules()
	if text, err := json.Marshal(list); err == nil && len(list) > 0 {
		v.Key("eventSchedule")
		v.Bytes = append(v.Bytes, text...)
	}
}
