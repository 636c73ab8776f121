package admin

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// onBoard are the dates of a series with their ids and versions left out, as
// "id start".
func onBoard(k *kit.Kit, series int64) []string {
	k.T.Helper()
	var list []string
	for _, one := range kit.Happens(k, series, "administrator") {
		list = append(list, fmt.Sprintf("%v %v", one["id"], one["start_date"]))
	}
	return list
}

// drag moves a date of a series as the calendar does, says which dates are meant, and
// returns the calendar that follows.
func drag(b *kit.Browser, date kit.Object, version, start, end, scope string) kit.Page {
	b.K.T.Helper()
	path := fmt.Sprintf("/admin/events/%v/move", date["id"])
	p := b.Post(path, url.Values{"version": {version}, "start_date": {start}, "end_date": {end}, "to": {"/admin?date=2030-03-01"}})
	if !p.Shows("Which dates?") {
		b.K.T.Fatalf("not asked: %d %.1500s", p.Status, p.Body)
	}
	form := kit.Answered(p, scope)
	form.Set("do", "move")
	if p = b.Post(path, form); p.Status != 303 {
		b.K.T.Fatalf("%s: %d %.3000s", scope, p.Status, p.Body)
	}
	return b.Follow()
}

// undone sends the form that takes back the last move.
func undone(b *kit.Browser, p kit.Page) kit.Page {
	b.K.T.Helper()
	_, form, _ := strings.Cut(p.Body, `id="calendar-status"`)
	form, _, _ = strings.Cut(form, "</form>")
	_, action, _ := strings.Cut(form, `action="`)
	action, _, _ = strings.Cut(action, `"`)
	undo := url.Values{"undo": {"1"}}
	for _, m := range undoFields.FindAllStringSubmatch(form, -1) {
		undo.Set(m[1], kit.Unescape(m[2]))
	}
	if b.Post(action, undo); b.Page.Status != 303 {
		b.K.T.Fatalf("undo: %d %.3000s", b.Page.Status, b.Page.Body)
	}
	return b.Follow()
}

// TestSeriesBoardMoves moves one date of a series, it and the following, or all: each
// shows at once, and is as before when it is taken back, ids and all.
func TestSeriesBoardMoves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scope string
		n     int // which date
		day   int // by so many days
		want  func(before []string, n int) []string
		rule  string // of the series that the date is of then
	}{
		"this":                 {"this", 2, 1, nil, "every second Thursday"},
		"following":            {"following", 2, 1, nil, "every second Friday"},
		"all":                  {"all", 2, 1, nil, "every second Friday"},
		"following, the first": {"following", 0, 1, nil, "every second Friday"},
		"all by hours":         {"all", 1, 0, nil, "every second Thursday"},
		"following by hours":   {"following", 1, 0, nil, "every second Thursday"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.NewWithFixedClock(t)
			series := kit.Weekly(k, nil)
			b := k.Person("editor")
			b.Get("/admin")
			differs := kit.Happens(k, series, "")[4]
			k.Patch(fmt.Sprintf("/events/%v", differs["id"]), "administrator", kit.Object{"title": "Guests"}).Want(t, 200, "")
			before, rule := onBoard(k, series), k.Get(fmt.Sprintf("/events/%d", series), "administrator").At("recurrence.rrule")
			date := kit.Happens(k, series, "")[c.n]
			from := fmt.Sprint(date["start_date"])
			day := fmt.Sprintf("%s%02d", from[:8], atoi(from[8:10])+c.day)
			version := k.Peek("demo", "SELECT version::text FROM events WHERE id = $1 AND site_id = $2", series, k.Sites["demo"].ID)
			p := drag(b, date, version, day+"T18:00:00", day+"T20:00:00", c.scope)
			at := k.Get(fmt.Sprintf("/events/%v", date["id"]), "administrator")
			if got := at.At("start_date"); got != day+" 18:00:00" {
				t.Errorf("the date is at %v", got)
			}
			whole := k.Get(fmt.Sprintf("/events/%v", at.At("series.id")), "administrator")
			if got := fmt.Sprint(whole.At("recurrence.text")); !strings.HasPrefix(got, c.rule) {
				t.Errorf("its rule is %q", got)
			}
			after := slices.Concat(onBoard(k, series), map[bool][]string{true: onBoard(k, int64(whole.At("id").(float64)))}[int64(whole.At("id").(float64)) != series])
			moved := 0
			for i, one := range after {
				if id, _, _ := strings.Cut(one, " "); !strings.HasPrefix(before[i], id+" ") {
					t.Errorf("date %d has another id: %s, was %s", i, one, before[i])
				}
				if one != before[i] {
					moved++
				}
			}
			if want := map[string]int{"this": 1, "following": len(before) - c.n, "all": len(before)}[c.scope]; moved != want || len(after) != len(before) {
				t.Errorf("%d of %d dates moved, want %d of %d", moved, len(after), want, len(before))
			}
			if !p.Shows("Undo") {
				t.Fatal("no undo")
			}
			if p := undone(b, p); !p.Shows("Change undone") || p.Shows(">Undo<") {
				t.Error("not undone")
			}
			if got := onBoard(k, series); !slices.Equal(got, before) {
				t.Errorf("after undo %v\nwant %v", got, before)
			}
			if got := k.Get(fmt.Sprintf("/events/%d", series), "administrator").At("recurrence.rrule"); fmt.Sprint(got) != fmt.Sprint(rule) {
				t.Errorf("rule %v, want %v", got, rule)
			}
			if got := k.Get(fmt.Sprintf("/events/%v", differs["id"]), "administrator").At("title"); got != "Guests" {
				t.Errorf("the date that differs is %v", got)
			}
			if n := k.Peek("demo", "SELECT count(*)::text FROM events WHERE site_id = $1 AND id > 0", k.Sites["demo"].ID); n != "2" {
				t.Errorf("%s events are left", n)
			}
		})
	}
}

func atoi(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}

// TestSeriesBoardLate: what somebody else changed meanwhile is neither moved nor taken
// back.
func TestSeriesBoardLate(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	series := kit.Weekly(k, nil)
	b := k.Person("editor")
	b.Get("/admin")
	date := kit.Happens(k, series, "")[2]
	version := func() string {
		return k.Peek("demo", "SELECT version::text FROM events WHERE id = $1 AND site_id = $2", series, k.Sites["demo"].ID)
	}
	path := fmt.Sprintf("/admin/events/%v/move", date["id"])
	form := url.Values{"version": {version()}, "start_date": {"2030-01-18T18:00:00"}, "end_date": {"2030-01-18T20:00:00"}, "applies_to": {"all"}, "to": {"/admin"}}
	k.Patch(fmt.Sprintf("/events/%d", series), "administrator", kit.Object{"title": "Choir, new"}).Want(t, 200, "")
	if p := b.Post(path, form); p.Status != 409 || !p.Shows("someone else has changed") {
		t.Errorf("late: %d", p.Status)
	}
	p := drag(b, date, version(), "2030-01-18T18:00:00", "2030-01-18T20:00:00", "following")
	_, undo, _ := strings.Cut(p.Body, `id="calendar-status"`)
	undo, _, _ = strings.Cut(undo, "</form>")
	fields := url.Values{"undo": {"1"}}
	for _, m := range undoFields.FindAllStringSubmatch(undo, -1) {
		fields.Set(m[1], kit.Unescape(m[2]))
	}
	k.Patch(fmt.Sprintf("/events/%d", series), "administrator", kit.Object{"title": "Choir, newer"}).Want(t, 200, "")
	if p := b.Post(path, fields); p.Status != 409 {
		t.Errorf("the part before has changed: %d", p.Status)
	}
	fields.Set("applies_to", "this")
	if p := b.Post(path, fields); p.Status != 303 {
		t.Errorf("one date of what was divided: %d", p.Status)
	}
}

// TestSeriesBoardShows: each date stands on its day with a mark, a cancelled one
// crossed out, a moved one where it is now.
func TestSeriesBoardShows(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	series := kit.Weekly(k, nil)
	k.Event(kit.Object{"title": "Alone", "start_date": "2030-02-05 10:00:00", "end_date": "2030-02-05 11:00:00"})
	dates := kit.Happens(k, series, "")
	at := func(start string) string {
		return fmt.Sprintf("/events/%v", dates[slices.IndexFunc(dates, func(o kit.Object) bool { return o["start_date"] == start })]["id"])
	}
	k.Patch(at("2030-02-14 19:30:00"), "administrator", kit.Object{"event_status": "cancelled"}).Want(t, 200, "")
	k.Patch(at("2030-02-28 19:30:00"), "administrator", kit.Object{"start_date": "2030-02-26 18:00:00", "end_date": "2030-02-26 20:00:00"}).Want(t, 200, "")
	p := k.Person("editor").Get("/admin?date=2030-02-01")
	for day, want := range map[string][]string{"2030-01-31": {"Choir", "Series"}, "2030-02-14": {"Choir", "is-cancelled", "Cancelled"}, "2030-02-26": {"Choir", "Series", `data-start="2030-02-26T18:00:00"`}, "2030-02-05": {"Alone"}} {
		for _, text := range want {
			if !strings.Contains(cellOf(p, day), text) {
				t.Errorf("%s lacks %q: %s", day, text, cellOf(p, day))
			}
		}
	}
	if cell := cellOf(p, "2030-02-28"); strings.Contains(cell, "Choir") {
		t.Error("a moved date is still on its former day")
	}
	if cell := cellOf(p, "2030-02-05"); strings.Contains(cell, "Series") {
		t.Error("what happens once has the mark of series")
	}
}
