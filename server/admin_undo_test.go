package server_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// stored is everything that is stored of the events of a site, a line for each field,
// but for what each write raises.
func stored(k *kit) string {
	k.t.Helper()
	return k.peek("demo", `
		SELECT string_agg(format('%s %s %s', x.id, f.key, f.value), E'\n' ORDER BY x.id, x.kind, f.key)
		FROM (
			SELECT e.id, 'event' AS kind, to_jsonb(e) AS doc FROM events e WHERE e.site_id = $1
			UNION ALL
			SELECT o.id, 'occurrence', to_jsonb(o) FROM occurrences o WHERE o.site_id = $1
		) x, jsonb_each(x.doc) f
		WHERE f.key <> ALL ('{version,modified_at,sequence}')`, k.sites["demo"].ID)
}

// counted fails the test when a term's count isn't that of its events, or the dates of
// series in use aren't those stored.
func (c *undoCase) counted(when string) {
	c.k.t.Helper()
	if wrong := c.k.peek("demo", wrongTerms, c.k.sites["demo"].ID); wrong != "0" {
		c.k.t.Errorf("%s: %s terms are counted wrong", when, wrong)
	}
	if used := c.k.usage("occurrences"); used != c.k.stored() {
		c.k.t.Errorf("%s: %d occurrences in use, %d stored", when, used, c.k.stored())
	}
}

// difference are the lines that only one of two texts has.
func difference(was, is string) string {
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

// undoing is the form by which a page takes back what the one before did.
func undoing(b *browser) (path string, form url.Values) {
	if !b.page.shows(undoAction) {
		b.k.t.Fatalf("no undo: %d %.3000s", b.page.Status, b.page.Body)
	}
	return "/admin/events/undo", formAt(b.page, undoAction)
}

const undoAction = `action="/admin/events/undo"`

// undoCase is a choir with a date of its own and an event that happens once, and what
// somebody does there.
type undoCase struct {
	k                     *kit
	b                     *browser
	series, single, venue int64
	locked, moved         int64    // one with a password, one that was rescheduled
	dates, daily          []string // ids of the choir's, and of what happens every day
}

func newUndoCase(t *testing.T) *undoCase {
	t.Helper()
	k := newKit(t)
	c := &undoCase{k: k, venue: k.made("/venues", object{"venue": "Town hall"})}
	c.series = weekly(k, object{"recurrence": object{"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;COUNT=12", "exdate": []string{"2030-01-03"}}})
	c.single = k.event(object{"title": "Alone", "start_date": "2029-12-07 10:00:00", "end_date": "2029-12-07 11:00:00", "timezone": "Europe/Berlin"})
	c.dates = eachOf(happens(k, c.series, ""), "id")
	own := object{"title": "Guests", "start_date": "2030-02-15 18:00:00", "end_date": "2030-02-15 20:00:00", "venue": c.venue, "event_status": "postponed",
		"event_status_reason": "Ice", "categories": []string{"Guests"}}
	k.patch("/events/"+c.dates[4], "administrator", own).want(t, 200, "")
	k.patch("/events/"+c.dates[1], "administrator", object{"categories": []string{"Guests"}}).want(t, 200, "")
	every := weekly(k, object{"title": "Swim", "start_date": "2030-01-01 08:00:00", "end_date": "2030-01-01 09:00:00",
		"recurrence": object{"every": "day", "count": 12}})
	c.daily = eachOf(happens(k, every, ""), "id")
	for _, n := range []int{0, 5, 11} {
		k.patch("/events/"+c.daily[n], "administrator", object{"title": "Dive"}).want(t, 200, "")
	}
	c.locked = k.event(object{"title": "Locked", "start_date": "2029-12-08 10:00:00", "end_date": "2029-12-08 11:00:00", "post_password": "anchor"})
	c.moved = k.event(object{"title": "Moved", "start_date": "2029-12-09 10:00:00", "end_date": "2029-12-09 11:00:00", "timezone": "Europe/Berlin"})
	k.patch(item("events", c.moved), "administrator", object{"event_status": "rescheduled", "start_date": "2029-12-10 10:00:00",
		"end_date": "2029-12-10 11:00:00"}).want(t, 200, "")
	k.patch("/events/"+c.dates[7], "administrator", object{"event_status": "rescheduled", "start_date": "2030-04-01 10:00:00",
		"end_date": "2030-04-01 11:00:00"}).want(t, 200, "")
	c.b = k.person("editor")
	return c
}

// save sends the form of an event, and answers which dates are meant.
func (c *undoCase) save(id any, scope string, typed url.Values) {
	c.k.t.Helper()
	path := fmt.Sprintf("/admin/events/%v", id)
	p := c.b.post(path, c.b.fill(path, everyEditor, typed))
	if scope != "" {
		p = c.b.post(path, answered(p, scope))
	}
	if p.Status != http.StatusSeeOther {
		c.k.t.Fatalf("save: %d %.3000s", p.Status, p.Body)
	}
}

// remove deletes an event by its form.
func (c *undoCase) remove(id any, scope string) {
	c.k.t.Helper()
	path := fmt.Sprintf("/admin/events/%v", id)
	p := c.b.post(path+"/remove", c.b.fill(path, `<form class="after"`, url.Values{"do": {"remove"}}))
	if scope != "" {
		form := answered(p, scope)
		form.Set("do", "remove")
		p = c.b.post(path+"/remove", form)
	}
	if p.Status != http.StatusSeeOther {
		c.k.t.Fatalf("remove: %d %.3000s", p.Status, p.Body)
	}
}

// many does something with several events of a list.
func (c *undoCase) many(do string, ids ...any) {
	c.k.t.Helper()
	form := url.Values{"do": {do}, "to": {"/admin/events"}}
	for _, id := range ids {
		form.Add("id", fmt.Sprint(id))
	}
	c.b.get("/admin/events")
	form.Set("csrf", formAt(c.b.page, `<form class="language"`).Get("csrf"))
	if p := c.b.post("/admin/events", form); p.Status != http.StatusSeeOther {
		c.k.t.Fatalf("%s: %d %.3000s", do, p.Status, p.Body)
	}
}

// undoDeeds are what can be taken back.
var undoDeeds = map[string]func(c *undoCase){
	"an event": func(c *undoCase) {
		c.save(c.single, "", url.Values{"title": {"Together"}, "start_date": {"2029-12-08T09:00"}, "end_date": {"2029-12-08T12:00"}, "status": {"draft"},
			"venue": {"Town hall"}, "description": {"<p>New</p>"}, "slug": {"together"}})
	},
	"an event becomes a series": func(c *undoCase) {
		c.save(c.single, "", url.Values{"repeat": {"day"}, "repeat_end": {"after"}, "repeat_count": {"5"}})
	},
	"a series becomes an event": func(c *undoCase) { c.save(c.series, "", url.Values{"repeat": {""}}) },
	"a series resets its dates": func(c *undoCase) {
		c.save(c.series, "", url.Values{"title": {"Singers"}, "exceptions": {"reset"}})
	},
	"a series gets a rule without most dates": func(c *undoCase) {
		c.save(c.series, "", url.Values{"repeat_every": {"1"}, "repeat_end": {"after"}, "repeat_count": {"3"}})
	},
	"a series is on another day": func(c *undoCase) {
		c.save(c.series, "", url.Values{"start_date": {"2029-12-07T18:00"}, "end_date": {"2029-12-07T20:00"}})
	},
	"a series is cancelled": func(c *undoCase) { c.save(c.series, "", url.Values{"event_status": {"cancelled"}}) },
	"one date":              func(c *undoCase) { c.save(c.dates[1], "this", url.Values{"title": {"Carols"}}) },
	"a password":            func(c *undoCase) { c.save(c.single, "", url.Values{"post_password": {"rope"}}) },
	"another password":      func(c *undoCase) { c.save(c.locked, "", url.Values{"post_password": {"rope"}}) },
	"no password":           func(c *undoCase) { c.save(c.locked, "", url.Values{"post_password_clear": {"1"}}) },
	"a password and title":  func(c *undoCase) { c.save(c.locked, "", url.Values{"post_password": {"rope"}, "title": {"Open"}}) },
	"a password of a series": func(c *undoCase) {
		c.save(c.series, "", url.Values{"post_password": {"rope"}, "title": {"Singers"}})
	},
	"a password of what follows": func(c *undoCase) { c.save(c.dates[2], "following", url.Values{"post_password": {"rope"}}) },
	"a day it was planned for": func(c *undoCase) {
		c.save(c.single, "", url.Values{"event_status": {"rescheduled"}, "start_date": {"2029-12-08T10:00"}, "end_date": {"2029-12-08T11:00"}})
	},
	"no day it was planned for": func(c *undoCase) { c.save(c.moved, "", url.Values{"event_status": {"cancelled"}}) },
	"moved once more": func(c *undoCase) {
		c.save(c.moved, "", url.Values{"start_date": {"2029-12-11T10:00"}, "end_date": {"2029-12-11T11:00"}})
	},
	"a date that was moved":      func(c *undoCase) { c.save(c.dates[7], "this", url.Values{"event_status": {"scheduled"}}) },
	"a date that was moved goes": func(c *undoCase) { c.remove(c.dates[7], "this") },
	"one date is moved": func(c *undoCase) {
		c.save(c.dates[1], "this", url.Values{"start_date": {"2029-12-21T19:30"}, "end_date": {"2029-12-21T21:30"}})
	},
	"a date of its own": func(c *undoCase) { c.save(c.dates[4], "this", url.Values{"title": {"Carols"}, "venue": {""}}) },
	"a date is as the others": func(c *undoCase) {
		c.save(c.dates[4], "this", url.Values{"title": {"Choir"}, "venue": {""}, "start_date": {"2030-02-14T19:30"}, "end_date": {"2030-02-14T21:30"},
			"event_status": {"scheduled"}, "event_status_reason": {""}})
	},
	"following": func(c *undoCase) {
		c.save(c.dates[2], "following", url.Values{"title": {"Carols"}, "venue": {"Town hall"}})
	},
	"following by another rule": func(c *undoCase) {
		c.save(c.dates[2], "following", url.Values{"repeat_every": {"3"}, "start_date": {"2030-01-18T19:30"}, "end_date": {"2030-01-18T21:30"}})
	},
	"following of every day": func(c *undoCase) {
		c.save(c.daily[3], "following", url.Values{"start_date": {"2030-01-05T09:00"}, "end_date": {"2030-01-05T10:00"}})
	},
	"all of every day": func(c *undoCase) {
		c.save(c.daily[3], "all", url.Values{"start_date": {"2030-01-05T08:00"}, "end_date": {"2030-01-05T09:00"}})
	},
	"following from the first":     func(c *undoCase) { c.save(c.dates[0], "following", url.Values{"title": {"Carols"}}) },
	"all":                          func(c *undoCase) { c.save(c.dates[2], "all", url.Values{"title": {"Carols"}}) },
	"an event is removed":          func(c *undoCase) { c.remove(c.single, "") },
	"a date is removed":            func(c *undoCase) { c.remove(c.dates[1], "this") },
	"a date of its own is removed": func(c *undoCase) { c.remove(c.dates[4], "this") },
	"following are removed":        func(c *undoCase) { c.remove(c.dates[2], "following") },
	"all are removed":              func(c *undoCase) { c.remove(c.dates[2], "all") },
	"many dates are removed":       func(c *undoCase) { c.many("drop", c.dates[1], c.dates[4], c.dates[2]) },
	"many dates are cancelled":     func(c *undoCase) { c.many("cancel", c.dates[1], c.dates[4], c.series) },
	"many events are removed":      func(c *undoCase) { c.many("trash", c.series, c.single) },
	"many events are drafts":       func(c *undoCase) { c.many("draft", c.series, c.single) },
}

// TestAdminUndoes takes back whatever the administration does to events: everything is
// stored as it was.
func TestAdminUndoes(t *testing.T) {
	t.Parallel()
	c := newUndoCase(t)
	for _, name := range slices.Sorted(maps.Keys(undoDeeds)) { // one after the other: each leaves all as it was
		t.Run(name, func(t *testing.T) {
			before := stored(c.k)
			undoDeeds[name](c)
			c.b.follow()
			if stored(c.k) == before {
				t.Fatal("nothing was changed")
			}
			c.counted("done")
			p := c.b.post(undoing(c.b))
			if p.Status != http.StatusSeeOther {
				t.Fatalf("undo: %d %.2000s", p.Status, p.Body)
			}
			if p := c.b.follow(); p.Status != http.StatusOK || !p.shows("Change undone.") || p.shows(undoAction) {
				t.Errorf("then %d %s", p.Status, said(p))
			}
			c.counted("undone")
			if after := stored(c.k); after != before {
				t.Errorf("stored is\n%s", difference(before, after))
			}
		})
	}
}

// said is what a page says of what was done before.
func said(p page) string {
	_, text, _ := strings.Cut(p.Body, `class="said`)
	text, _, _ = strings.Cut(text, "</p>")
	return fmt.Sprintf("%.300s", text)
}

// TestAdminUndoIsRefused: what somebody else has changed since stays, a date of the
// series too, and the page says so.
func TestAdminUndoIsRefused(t *testing.T) {
	t.Parallel()
	meanwhile := map[string]func(c *undoCase) string{
		"the series":        func(c *undoCase) string { return item("events", c.series) },
		"one of its dates":  func(c *undoCase) string { return "/events/" + c.dates[3] },
		"a date of its own": func(c *undoCase) string { return "/events/" + c.dates[4] },
		"the following part": func(c *undoCase) string {
			return fmt.Sprintf("/events/%v", c.k.get("/events/"+c.dates[6], "editor").at("series.id"))
		},
	}
	for name, path := range meanwhile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newUndoCase(t)
			undoDeeds["following"](c)
			c.b.follow()
			c.k.patch(path(c), "administrator", object{"title": "Meanwhile"}).want(t, 200, "")
			before := stored(c.k)
			if p := c.b.post(undoing(c.b)); p.Status != http.StatusSeeOther {
				t.Fatalf("undo: %d", p.Status)
			}
			if p := c.b.follow(); p.Status != http.StatusOK || !p.shows("something has changed since") {
				t.Errorf("then %d %.2000s", p.Status, p.Body)
			}
			if after := stored(c.k); after != before {
				t.Errorf("stored is\n%s", difference(before, after))
			}
		})
	}
	t.Run("twice", func(t *testing.T) {
		t.Parallel()
		c := newUndoCase(t)
		undoDeeds["an event"](c)
		c.b.follow()
		path, form := undoing(c.b)
		c.b.post(path, form)
		before := stored(c.k)
		c.b.post(path, form)
		if c.b.follow(); !c.b.page.shows("something has changed since") || stored(c.k) != before {
			t.Errorf("taken back twice: %.2000s", c.b.page.Body)
		}
	})
}

// TestAdminUndoIsNotForAll: nobody takes back what they may not change, and nothing is
// what was made up.
func TestAdminUndoIsNotForAll(t *testing.T) {
	t.Parallel()
	c := newUndoCase(t)
	undoDeeds["an event"](c)
	c.b.follow()
	path, form := undoing(c.b)
	before := stored(c.k)
	other := c.k.person("contributor")
	other.get("/admin/events")
	own := formAt(other.page, `<form class="language"`)
	own.Set("to", "/admin/events")
	for _, writes := range []string{form.Get("writes"), "", "undo~", "undo~1", "undo~1.1~x", "undo~0.0", "undo~99999999.3", "undo~-1.-1",
		"undo~" + strings.Repeat("1.1~", 200) + "1.1", fmt.Sprintf("undo~%d.1", c.series)} {
		own.Set("writes", writes)
		if p := other.post(path, own); p.Status != http.StatusSeeOther && p.Status != http.StatusForbidden {
			t.Errorf("%.40s: %d", writes, p.Status)
		}
		if stored(c.k) != before {
			t.Fatalf("%.40s changed something", writes)
		}
	}
}

// TestKeptValuesAreHidden: what undoing needs of a password is in no page, answer or export.
func TestKeptValuesAreHidden(t *testing.T) {
	t.Parallel()
	c := newUndoCase(t)
	digest := c.k.peek("demo", `SELECT encode(e.password, 'base64') FROM events e WHERE e.site_id = $1 AND e.id = $2`, c.k.sites["demo"].ID, c.locked)
	undoDeeds["another password"](c)
	if kept := c.k.peek("demo", `SELECT string_agg(x.kept ->> 'post_password', ' ') FROM changes x WHERE x.site_id = $1`, c.k.sites["demo"].ID); !strings.Contains(
		strings.ReplaceAll(digest, "\n", ""), kept) {
		t.Fatalf("kept is %s, the password was %s", kept, digest)
	}
	admin, part := c.k.person("administrator"), digest[:20]
	for _, path := range []string{"/admin/audit", "/admin/audit?kind=event&open=1", "/admin/audit/export?format=csv", "/admin/audit/export?format=jsonl",
		fmt.Sprintf("/admin/events/%d", c.locked), fmt.Sprintf("/admin/events/%d/revisions", c.locked), "/admin/events"} {
		if p := admin.get(path); p.Status != http.StatusOK || strings.Contains(p.Body, part) || strings.Contains(p.Body, `kept"`) {
			t.Errorf("%s: %d, it may tell the password", path, p.Status)
		}
	}
	for _, path := range []string{"/events", item("events", c.locked)} {
		if a := c.k.get(path, "administrator"); a.Status != http.StatusOK || strings.Contains(string(a.Raw), part) {
			t.Errorf("%s: %d, it may tell the password", path, a.Status)
		}
	}
	if a := c.k.provider("GET", "/sites/demo/audit?per_page=50", nil); a.Status != http.StatusOK || strings.Contains(string(a.Raw), part) || strings.Contains(string(a.Raw), `"kept"`) {
		t.Errorf("the audit of the platform: %d, it may tell the password", a.Status)
	}
}
