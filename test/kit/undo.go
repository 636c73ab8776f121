package kit

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// Counted fails the test if the count of a term differs from its events, or the used dates of series from those
// stored.
func (c *UndoCase) Counted(when string) {
	c.K.T.Helper()
	if wrong := c.K.Peek("demo", WrongTerms, c.K.Sites["demo"].ID); wrong != "0" {
		c.K.T.Errorf("%s: %s terms are counted wrong", when, wrong)
	}
	if used := c.K.Usage("occurrences"); used != c.K.Stored() {
		c.K.T.Errorf("%s: %d occurrences in use, %d stored", when, used, c.K.Stored())
	}
}

// Difference are the lines that only one of two texts has.
func Difference(was, is string) string {
	lines := func(text string) []string { return strings.Split(text, "\n") }
	without := func(list, others []string, mark string) (left []string) {
		for _, line := range list {
			if !slices.Contains(others, line) {
				left = append(left, mark+line)
			}
		}
		return left
	}
	return strings.Join(slices.Concat(without(lines(was), lines(is), "- "), without(lines(is), lines(was), "+ ")), "\n")
}

// Undoing is the form by which a page takes back what the one before did.
func Undoing(b *Browser) (path string, form url.Values) {
	if !b.Page.Shows(UndoAction) {
		b.K.T.Fatalf("no undo: %d %.3000s", b.Page.Status, b.Page.Body)
	}
	return "/admin/events/undo", FormAt(b.Page, UndoAction)
}

// UndoAction is the form that undoes what was done last.
const UndoAction = `action="/admin/events/undo"`

// UndoCase is a series with a differing date, a single event, and an action on them.
type UndoCase struct {
	K                     *Kit
	B                     *Browser
	Series, single, venue int64
	Locked, moved         int64    // one with a password, one that was rescheduled
	Dates, daily          []string // ids of the choir's, and of what happens every day
}

// NewUndoCase makes what it describes, with somebody signed in who may do everything.
func NewUndoCase(t *testing.T) *UndoCase {
	t.Helper()
	k := New(t)
	c := &UndoCase{K: k, venue: k.Made("/venues", Object{"venue": "Town hall"})}
	c.Series = Weekly(k, Object{"recurrence": Object{"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;COUNT=12", "exdate": []string{"2030-01-03"}}})
	c.single = k.Event(Object{"title": "Alone", "start_date": "2029-12-07 10:00:00", "end_date": "2029-12-07 11:00:00", "timezone": "Europe/Berlin"})
	c.Dates = EachOf(Happens(k, c.Series, ""), "id")
	own := Object{"title": "Guests", "start_date": "2030-02-15 18:00:00", "end_date": "2030-02-15 20:00:00", "venue": c.venue, "event_status": "postponed",
		"event_status_reason": "Ice", "categories": []string{"Guests"}}
	k.Patch("/events/"+c.Dates[4], "administrator", own).Want(t, 200, "")
	k.Patch("/events/"+c.Dates[1], "administrator", Object{"categories": []string{"Guests"}}).Want(t, 200, "")
	every := Weekly(k, Object{"title": "Swim", "start_date": "2030-01-01 08:00:00", "end_date": "2030-01-01 09:00:00",
		"recurrence": Object{"every": "day", "count": 12}})
	c.daily = EachOf(Happens(k, every, ""), "id")
	for _, n := range []int{0, 5, 11} {
		k.Patch("/events/"+c.daily[n], "administrator", Object{"title": "Dive"}).Want(t, 200, "")
	}
	c.Locked = k.Event(Object{"title": "Locked", "start_date": "2029-12-08 10:00:00", "end_date": "2029-12-08 11:00:00", "post_password": "anchor"})
	c.moved = k.Event(Object{"title": "Moved", "start_date": "2029-12-09 10:00:00", "end_date": "2029-12-09 11:00:00", "timezone": "Europe/Berlin"})
	k.Patch(Item("events", c.moved), "administrator", Object{"event_status": "rescheduled", "start_date": "2029-12-10 10:00:00",
		"end_date": "2029-12-10 11:00:00"}).Want(t, 200, "")
	k.Patch("/events/"+c.Dates[7], "administrator", Object{"event_status": "rescheduled", "start_date": "2030-04-01 10:00:00",
		"end_date": "2030-04-01 11:00:00"}).Want(t, 200, "")
	c.B = k.Person("editor")
	return c
}

// Save sends the form of an event, and answers which dates are meant.
func (c *UndoCase) Save(id any, scope string, typed url.Values) {
	c.K.T.Helper()
	path := fmt.Sprintf("/admin/events/%v", id)
	p := c.B.Post(path, c.B.Fill(path, EveryEditor, typed))
	if scope != "" {
		p = c.B.Post(path, Answered(p, scope))
	}
	if p.Status != http.StatusSeeOther {
		c.K.T.Fatalf("save: %d %.3000s", p.Status, p.Body)
	}
}

// Remove deletes an event by its form.
func (c *UndoCase) Remove(id any, scope string) {
	c.K.T.Helper()
	path := fmt.Sprintf("/admin/events/%v", id)
	p := c.B.Post(path+"/remove", c.B.Fill(path, `<form class="after"`, url.Values{"do": {"remove"}}))
	if scope != "" {
		form := Answered(p, scope)
		form.Set("do", "remove")
		p = c.B.Post(path+"/remove", form)
	}
	if p.Status != http.StatusSeeOther {
		c.K.T.Fatalf("remove: %d %.3000s", p.Status, p.Body)
	}
}

// Many does something with several events of a list.
func (c *UndoCase) Many(do string, ids ...any) {
	c.K.T.Helper()
	form := url.Values{"do": {do}, "sure": {"1"}, "to": {"/admin/events"}}
	for _, id := range ids {
		form.Add("id", fmt.Sprint(id))
	}
	c.B.Get("/admin/events")
	form.Set("csrf", FormAt(c.B.Page, `<form class="language"`).Get("csrf"))
	if p := c.B.Post("/admin/events", form); p.Status != http.StatusSeeOther {
		c.K.T.Fatalf("%s: %d %.3000s", do, p.Status, p.Body)
	}
}

// UndoDeeds are the actions that can be undone.
var UndoDeeds = map[string]func(c *UndoCase){
	"an event": func(c *UndoCase) {
		c.Save(c.single, "", url.Values{"title": {"Together"}, "start_date": {"2029-12-08T09:00"}, "end_date": {"2029-12-08T12:00"}, "status": {"draft"},
			"venue": {"Town hall"}, "description": {"<p>New</p>"}, "slug": {"together"}})
	},
	"an event becomes a series": func(c *UndoCase) {
		c.Save(c.single, "", url.Values{"repeat": {"day"}, "repeat_end": {"after"}, "repeat_count": {"5"}})
	},
	"a series becomes an event": func(c *UndoCase) { c.Save(c.Series, "", url.Values{"repeat": {""}}) },
	"a series resets its dates": func(c *UndoCase) {
		c.Save(c.Series, "", url.Values{"title": {"Singers"}, "exceptions": {"reset"}})
	},
	"a series gets a rule without most dates": func(c *UndoCase) {
		c.Save(c.Series, "", url.Values{"repeat_every": {"1"}, "repeat_end": {"after"}, "repeat_count": {"3"}})
	},
	"a series is on another day": func(c *UndoCase) {
		c.Save(c.Series, "", url.Values{"start_date": {"2029-12-07T18:00"}, "end_date": {"2029-12-07T20:00"}})
	},
	"a series is cancelled": func(c *UndoCase) { c.Save(c.Series, "", url.Values{"event_status": {"cancelled"}}) },
	"one date":              func(c *UndoCase) { c.Save(c.Dates[1], "this", url.Values{"title": {"Carols"}}) },
	"a password":            func(c *UndoCase) { c.Save(c.single, "", url.Values{"post_password": {"rope"}}) },
	"another password":      func(c *UndoCase) { c.Save(c.Locked, "", url.Values{"post_password": {"rope"}}) },
	"no password":           func(c *UndoCase) { c.Save(c.Locked, "", url.Values{"post_password_clear": {"1"}}) },
	"a password and title":  func(c *UndoCase) { c.Save(c.Locked, "", url.Values{"post_password": {"rope"}, "title": {"Open"}}) },
	"a password of a series": func(c *UndoCase) {
		c.Save(c.Series, "", url.Values{"post_password": {"rope"}, "title": {"Singers"}})
	},
	"a password of what follows": func(c *UndoCase) { c.Save(c.Dates[2], "following", url.Values{"post_password": {"rope"}}) },
	"a day it was planned for": func(c *UndoCase) {
		c.Save(c.single, "", url.Values{"event_status": {"rescheduled"}, "start_date": {"2029-12-08T10:00"}, "end_date": {"2029-12-08T11:00"}})
	},
	"no day it was planned for": func(c *UndoCase) { c.Save(c.moved, "", url.Values{"event_status": {"cancelled"}}) },
	"moved once more": func(c *UndoCase) {
		c.Save(c.moved, "", url.Values{"start_date": {"2029-12-11T10:00"}, "end_date": {"2029-12-11T11:00"}})
	},
	"a date that was moved":      func(c *UndoCase) { c.Save(c.Dates[7], "this", url.Values{"event_status": {"scheduled"}}) },
	"a date that was moved goes": func(c *UndoCase) { c.Remove(c.Dates[7], "this") },
	"one date is moved": func(c *UndoCase) {
		c.Save(c.Dates[1], "this", url.Values{"start_date": {"2029-12-21T19:30"}, "end_date": {"2029-12-21T21:30"}})
	},
	"a date of its own": func(c *UndoCase) { c.Save(c.Dates[4], "this", url.Values{"title": {"Carols"}, "venue": {""}}) },
	"a date is as the others": func(c *UndoCase) {
		c.Save(c.Dates[4], "this", url.Values{"title": {"Choir"}, "venue": {""}, "start_date": {"2030-02-14T19:30"}, "end_date": {"2030-02-14T21:30"},
			"event_status": {"scheduled"}, "event_status_reason": {""}})
	},
	"following": func(c *UndoCase) {
		c.Save(c.Dates[2], "following", url.Values{"title": {"Carols"}, "venue": {"Town hall"}})
	},
	"following by another rule": func(c *UndoCase) {
		c.Save(c.Dates[2], "following", url.Values{"repeat_every": {"3"}, "start_date": {"2030-01-18T19:30"}, "end_date": {"2030-01-18T21:30"}})
	},
	"following of every day": func(c *UndoCase) {
		c.Save(c.daily[3], "following", url.Values{"start_date": {"2030-01-05T09:00"}, "end_date": {"2030-01-05T10:00"}})
	},
	"all of every day": func(c *UndoCase) {
		c.Save(c.daily[3], "all", url.Values{"start_date": {"2030-01-05T08:00"}, "end_date": {"2030-01-05T09:00"}})
	},
	"following from the first":     func(c *UndoCase) { c.Save(c.Dates[0], "following", url.Values{"title": {"Carols"}}) },
	"all":                          func(c *UndoCase) { c.Save(c.Dates[2], "all", url.Values{"title": {"Carols"}}) },
	"an event is removed":          func(c *UndoCase) { c.Remove(c.single, "") },
	"a date is removed":            func(c *UndoCase) { c.Remove(c.Dates[1], "this") },
	"a date of its own is removed": func(c *UndoCase) { c.Remove(c.Dates[4], "this") },
	"following are removed":        func(c *UndoCase) { c.Remove(c.Dates[2], "following") },
	"all are removed":              func(c *UndoCase) { c.Remove(c.Dates[2], "all") },
	"many dates are removed":       func(c *UndoCase) { c.Many("drop", c.Dates[1], c.Dates[4], c.Dates[2]) },
	"many dates are cancelled":     func(c *UndoCase) { c.Many("cancel", c.Dates[1], c.Dates[4], c.Series) },
	"many events are removed":      func(c *UndoCase) { c.Many("trash", c.Series, c.single) },
	"many events are drafts":       func(c *UndoCase) { c.Many("draft", c.Series, c.single) },
}

// Announced is what a page says of what was done before.
func Announced(p Page) string {
	_, text, _ := strings.Cut(p.Body, `class="said`)
	text, _, _ = strings.Cut(text, "</p>")
	return fmt.Sprintf("%.300s", text)
}
