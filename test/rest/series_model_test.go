package rest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// These tests compare series after random edits with a model that knows no rules: a list of dates with everything
// known about each. The rules of the model count days from a start.

// modelled is what a test expects of a series.
type modelled struct {
	id         int64
	title      string
	start, end time.Time // of the series itself
	dates      map[time.Time]*modelledDate
	removed    map[time.Time]int64 // ids by original start
	out        map[time.Time]bool  // those of them that are left out of the rules
}

// modelledDate is what a test expects of an occurrence.
type modelledDate struct {
	id         int64 // 0: not known yet
	title      string
	start, end time.Time // zero: as the series says
}

func wallOf(text any) time.Time {
	at, _ := time.Parse(kit.WallForm, fmt.Sprint(text))
	return at
}

// steps are rules with the dates they give, counted from a start.
var steps = []struct {
	rule string
	step func(time.Time, int) time.Time
}{
	{"FREQ=DAILY", func(t time.Time, n int) time.Time { return t.AddDate(0, 0, n) }},
	{"FREQ=DAILY;INTERVAL=3", func(t time.Time, n int) time.Time { return t.AddDate(0, 0, 3*n) }},
	{"FREQ=WEEKLY", func(t time.Time, n int) time.Time { return t.AddDate(0, 0, 7*n) }},
	{"FREQ=WEEKLY;INTERVAL=2", func(t time.Time, n int) time.Time { return t.AddDate(0, 0, 14*n) }},
	{"FREQ=MONTHLY", func(t time.Time, n int) time.Time { return t.AddDate(0, n, 0) }}, // from days up to the 28th
}

// walk is a random walk over series of one site.
type seriesWalk struct {
	*kit.Kit
	random *rand.Rand
	series []*modelled
	done   []string
}

func (w *seriesWalk) say(format string, data ...any) {
	w.done = append(w.done, fmt.Sprintf(format, data...))
}

// make makes a series by a random rule, sometimes out of an event that happens once.
func (w *seriesWalk) make() {
	at := time.Date(2030, time.Month(1+w.random.IntN(12)), 1+w.random.IntN(28), 8+w.random.IntN(10), 0, 0, 0, time.UTC)
	kind := steps[w.random.IntN(len(steps))]
	m := &modelled{title: fmt.Sprintf("Series %d", len(w.done)), start: at, end: at.Add(90 * time.Minute), dates: map[time.Time]*modelledDate{},
		removed: map[time.Time]int64{}, out: map[time.Time]bool{}}
	count := 4 + w.random.IntN(12)
	recurrence := kit.Object{"rrule": fmt.Sprintf("%s;COUNT=%d", kind.rule, count)}
	fields := kit.Object{"title": m.title, "start_date": at.Format(kit.WallForm), "end_date": m.end.Format(kit.WallForm)}
	for n := range count {
		m.dates[kind.step(at, n)] = &modelledDate{title: m.title}
	}
	if w.random.IntN(3) == 0 { // a date more, and one less
		more, less := at.AddDate(0, 0, -5), kind.step(at, 1+w.random.IntN(count-1))
		recurrence["rdate"], recurrence["exdate"] = []string{more.Format(kit.WallForm)}, []string{less.Format(kit.WallForm)}
		m.dates[more] = &modelledDate{title: m.title}
		delete(m.dates, less)
	}
	if w.random.IntN(2) == 0 {
		fields["recurrence"] = recurrence
		m.id = w.Made("/events", fields)
	} else {
		m.id = w.Made("/events", fields)
		w.Patch(kit.Item("events", m.id), "editor", kit.Object{"recurrence": recurrence}).Want(w.T, 200, "")
	}
	w.say("make %d: %s from %s, %v", m.id, kind.rule, at, recurrence)
	w.series = append(w.series, m)
}

// originals returns the original starts of a series in their order.
func (m *modelled) originals() []time.Time {
	return slices.SortedFunc(maps.Keys(m.dates), time.Time.Compare)
}

func (m *modelled) any(random *rand.Rand) (time.Time, *modelledDate) {
	all := m.originals()
	at := all[random.IntN(len(all))]
	return at, m.dates[at]
}

// check compares all series with what is there.
func (w *seriesWalk) check() {
	w.T.Helper()
	total := 0
	for _, m := range w.series {
		a := w.Get(fmt.Sprintf("/events/%d/occurrences?start_date=2020-01-01&end_date=2039-01-01&per_page=50", m.id), "").Want(w.T, 200, "")
		list := a.Body["events"].([]any)
		got, want := map[string]string{}, map[string]string{}
		for _, one := range list {
			e := one.(map[string]any)
			of := e["series"].(map[string]any)
			original := wallOf(of["original_start"])
			got[original.Format(kit.WallForm)] = fmt.Sprint(e["id"], " ", e["title"], " ", e["start_date"], " to ", e["end_date"], " of ", of["id"])
			if d := m.dates[original]; d != nil && d.id == 0 {
				d.id = int64(e["id"].(float64))
			}
		}
		for original, d := range m.dates {
			start, end := d.start, d.end
			if start.IsZero() {
				start, end = original, original.Add(m.end.Sub(m.start))
			}
			want[original.Format(kit.WallForm)] = fmt.Sprint(d.id, " ", d.title, " ", start.Format(kit.WallForm), " to ", end.Format(kit.WallForm), " of ", m.id)
		}
		if !maps.Equal(got, want) || fmt.Sprint(a.Body["total"]) != fmt.Sprint(len(want)) {
			for _, original := range slices.Sorted(maps.Keys(want)) {
				if got[original] != want[original] {
					w.T.Errorf("series %d, %s: %q, want %q", m.id, original, got[original], want[original])
				}
			}
			for original, there := range got {
				if want[original] == "" {
					w.T.Errorf("series %d, %s: %q, want none", m.id, original, there)
				}
			}
			w.T.Fatalf("after\n%s", strings.Join(w.done, "\n"))
		}
		total += len(want)
		for original, id := range m.removed {
			if a := w.Get(kit.Item("events", id), "editor"); a.Status != 404 {
				w.T.Fatalf("what was taken out of %d at %s: %s, after\n%s", m.id, original, a, strings.Join(w.done, "\n"))
			}
		}
	}
	a := w.Get("/events?start_date=2020-01-01&end_date=2039-01-01&per_page=1", "").Want(w.T, 200, "")
	if got := fmt.Sprint(a.Body["total"]); got != fmt.Sprint(total) {
		w.T.Fatalf("%s in all, want %d, after\n%s", got, total, strings.Join(w.done, "\n"))
	}
	if wrong := w.Peek("demo", kit.WrongDays, w.Sites["demo"].ID); wrong != "0" {
		w.T.Fatalf("%s days are counted wrong, after\n%s", wrong, strings.Join(w.done, "\n"))
	}
	if wrong := w.Peek("demo", kit.WrongTerms, w.Sites["demo"].ID); wrong != "0" {
		w.T.Fatalf("%s terms are counted wrong, after\n%s", wrong, strings.Join(w.done, "\n"))
	}
	if used := w.Usage("occurrences"); used != w.Stored() {
		w.T.Fatalf("%d occurrences in use, %d stored, after\n%s", used, w.Stored(), strings.Join(w.done, "\n"))
	}
	if off := w.Peek("demo", kit.WrongInstants, w.Sites["demo"].ID); off != "0" {
		w.T.Fatalf("%s instants are wrong, after\n%s", off, strings.Join(w.done, "\n"))
	}
}

// randomEdit is one edit of a date of a series, or of the series by that date.
type randomEdit struct {
	*seriesWalk
	m          *modelled
	at         time.Time // the date that the rule gives
	d          *modelledDate
	one, whole string // the paths of both
	title      string
}

// edit makes one random edit.
func (w *seriesWalk) edit() {
	m := w.series[w.random.IntN(len(w.series))]
	at, d := m.any(w.random)
	e := &randomEdit{w, m, at, d, kit.Item("events", d.id), kit.Item("events", m.id), fmt.Sprintf("Title %d", len(w.done))}
	edits := []func(){e.classify, e.classify, e.classifyAll, e.discard, e.rename, e.move, e.remove, e.restore, e.renameAll, e.renameAll, e.moveAll, e.moveAll, e.reset, e.divide, e.end, func() { w.rule(m) }}
	edits[w.random.IntN(len(edits))]()
}

func (e *randomEdit) rename() {
	e.say("title of %d at %s", e.m.id, e.at)
	e.Patch(e.one, "editor", kit.Object{"title": e.title}).Want(e.T, 200, "")
	e.d.title = e.title
}

// classify gives a date categories of its own. How it reads stays.
func (e *randomEdit) classify() {
	e.say("categories of %d at %s", e.m.id, e.at)
	e.Patch(e.one, "editor", kit.Object{"title": e.title, "categories": e.someCategories()}).Want(e.T, 200, "")
	e.d.title = e.title
}

func (e *randomEdit) classifyAll() {
	e.say("categories of %d", e.m.id)
	e.Patch(e.whole, "editor", kit.Object{"categories": e.someCategories()}).Want(e.T, 200, "")
}

func (e *randomEdit) someCategories() []string {
	return [][]string{{}, {"Red"}, {"Green"}, {"Red", "Blue"}}[e.random.IntN(4)]
}

// discard moves the series to the trash and back. It counts nowhere meanwhile.
func (e *randomEdit) discard() {
	e.say("trash of %d and return", e.m.id)
	e.Del(e.whole, "editor").Want(e.T, 200, "")
	if wrong := e.Peek("demo", kit.WrongTerms, e.Sites["demo"].ID); wrong != "0" {
		e.T.Fatalf("%s terms are counted wrong, after\n%s", wrong, strings.Join(e.done, "\n"))
	}
	e.Patch(e.whole, "editor", kit.Object{"status": "publish"}).Want(e.T, 200, "")
}

func (e *randomEdit) move() {
	d := e.d
	d.start = e.at.Add(time.Duration(e.random.IntN(50)) * time.Hour)
	d.end = d.start.Add(3 * time.Hour)
	e.say("move of %d at %s to %s", e.m.id, e.at, d.start)
	if d.start.Equal(e.at) {
		d.start = d.start.Add(time.Hour)
	}
	e.Patch(e.one, "editor", kit.Object{"start_date": d.start.Format(kit.WallForm), "end_date": d.end.Format(kit.WallForm)}).Want(e.T, 200, "")
}

func (e *randomEdit) remove() {
	m := e.m
	if len(m.dates) == 1 {
		return
	}
	e.say("removal of %d at %s", m.id, e.at)
	e.Del(e.one, "editor").Want(e.T, 200, "")
	e.Del(e.one, "editor").Want(e.T, 410, "event-is-in-trash")
	delete(m.dates, e.at)
	m.removed[e.at], m.out[e.at] = e.d.id, true
}

// restore puts back a date that was removed, where no other took its place.
func (e *randomEdit) restore() {
	m := e.m
	for original, id := range m.removed {
		if m.dates[original] != nil {
			continue
		}
		e.say("return of %d at %s", m.id, original)
		e.Patch(kit.Item("events", id), "editor", kit.Object{"status": "publish"}).Want(e.T, 200, "")
		m.dates[original] = &modelledDate{id: id, title: m.title}
		delete(m.removed, original)
		delete(m.out, original)
		return
	}
}

// renameAll renames the series by itself or by one of its dates.
func (e *randomEdit) renameAll() {
	if e.random.IntN(2) == 0 {
		e.say("title of %d", e.m.id)
		e.Patch(e.whole, "editor", kit.Object{"title": e.title}).Want(e.T, 200, "")
	} else {
		e.say("title of all of %d by one", e.m.id)
		e.Patch(e.one, "editor", kit.Object{"title": e.title, "applies_to": "all"}).Want(e.T, 200, "")
	}
	e.m.rename(e.title)
}

// moveAll moves the series by itself or by one of its dates.
func (e *randomEdit) moveAll() {
	m := e.m
	by := time.Duration(1+e.random.IntN(3)) * time.Hour
	if m.start.Hour() > 15 {
		by = -by
	}
	if e.random.IntN(2) == 0 {
		e.say("all of %d by %s", m.id, by)
		e.Patch(e.whole, "editor", moved(m.start, m.end, by)).Want(e.T, 200, "")
	} else {
		if !e.d.start.IsZero() {
			return
		}
		e.say("all of %d by %s, by one", m.id, by)
		fields := moved(e.at, e.at.Add(m.end.Sub(m.start)), by)
		fields["applies_to"] = "all"
		e.Patch(e.one, "editor", fields).Want(e.T, 200, "")
	}
	m.shift(by)
}

// moved returns the fields of a write that moves both ends.
func moved(start, end time.Time, by time.Duration) kit.Object {
	return kit.Object{"start_date": start.Add(by).Format(kit.WallForm), "end_date": end.Add(by).Format(kit.WallForm)}
}

func (e *randomEdit) reset() {
	e.say("reset of %d", e.m.id)
	e.Patch(e.whole, "editor", kit.Object{"title": e.title, "exceptions": "reset"}).Want(e.T, 200, "")
	e.m.title = e.title
	for _, d := range e.m.dates {
		*d = modelledDate{id: d.id, title: e.title}
	}
}

// divide makes a series of its own of one date and the following.
func (e *randomEdit) divide() {
	m, at := e.m, e.at
	e.say("division of %d at %s", m.id, at)
	a := e.Patch(e.one, "editor", kit.Object{"title": e.title, "applies_to": "following"}).Want(e.T, 200, "")
	if at.Equal(m.originals()[0]) {
		m.rename(e.title)
		return
	}
	rest := &modelled{id: a.ID(), title: m.title, start: wallOf(a.Body["start_date"]), end: wallOf(a.Body["end_date"]),
		dates: map[time.Time]*modelledDate{}, removed: map[time.Time]int64{}, out: map[time.Time]bool{}}
	for original, d := range m.dates {
		if !original.Before(at) {
			rest.dates[original] = d
			delete(m.dates, original)
		}
	}
	rest.rename(e.title)
	for original, id := range m.removed {
		if !original.Before(at) {
			rest.removed[original], rest.out[original] = id, m.out[original]
			delete(m.removed, original)
		}
	}
	e.series = append(e.series, rest)
	e.begins(m)
}

// end removes one date and the following.
func (e *randomEdit) end() {
	m, at := e.m, e.at
	if at.Equal(m.originals()[0]) {
		return
	}
	e.say("end of %d at %s", m.id, at)
	e.Del(e.one+"?applies_to=following", "editor").Want(e.T, 200, "")
	for original, d := range m.dates {
		if !original.Before(at) {
			m.removed[original] = d.id
			delete(m.dates, original)
		}
	}
	maps.DeleteFunc(m.out, func(original time.Time, _ bool) bool { return !original.Before(at) })
	e.begins(m)
}

// rename gives the series another title, and all dates that have its title.
func (m *modelled) rename(title string) {
	for _, d := range m.dates {
		if d.title == m.title {
			d.title = title
		}
	}
	m.title = title
}

// begins looks up where a series begins that was cut: with its start, or with the first
// of the dates added to it where its start is gone.
func (w *seriesWalk) begins(m *modelled) {
	w.T.Helper()
	e := w.Get(kit.Item("events", m.id), "editor").Want(w.T, 200, "").Body
	m.start, m.end = wallOf(e["start_date"]), wallOf(e["end_date"])
}

// shift moves a series in time of day.
func (m *modelled) shift(by time.Duration) {
	m.start, m.end = m.start.Add(by), m.end.Add(by)
	dates := map[time.Time]*modelledDate{}
	for original, d := range m.dates {
		dates[original.Add(by)] = d
	}
	removed, out := map[time.Time]int64{}, map[time.Time]bool{}
	for original, id := range m.removed {
		if !m.out[original] {
			removed[original] = id
		}
	}
	for original, id := range m.removed {
		if m.out[original] {
			removed[original.Add(by)], out[original.Add(by)] = id, true
		}
	}
	m.dates, m.removed, m.out = dates, removed, out
}

// rule gives a series another rule from its own start. What somebody changed stays, and
// dates that stay keep their ids.
func (w *seriesWalk) rule(m *modelled) {
	kind, count := steps[w.random.IntN(len(steps))], 3+w.random.IntN(12)
	if m.start.Day() > 28 {
		kind = steps[0]
	}
	w.say("rule of %d: %s, %d", m.id, kind.rule, count)
	w.Patch(kit.Item("events", m.id), "editor", kit.Object{"recurrence": kit.Object{"rrule": fmt.Sprintf("%s;COUNT=%d", kind.rule, count)}}).Want(w.T, 200, "")
	dates := map[time.Time]*modelledDate{}
	for n := range count {
		dates[kind.step(m.start, n)] = &modelledDate{title: m.title}
	}
	for original, d := range m.dates {
		if changed := d.title != m.title || !d.start.IsZero(); changed || dates[original] != nil {
			dates[original] = d
		} else {
			m.removed[original] = d.id
		}
	}
	for original, id := range m.removed {
		if d := dates[original]; d != nil {
			if d.id == 0 {
				d.id = id
			}
			delete(m.removed, original)
		}
	}
	m.dates, m.out = dates, map[time.Time]bool{}
}

// TestSeriesWalk edits series at random.
func TestSeriesWalk(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for n := range uint64(5) {
		w := &seriesWalk{Kit: kit.New(t), random: rand.New(rand.NewPCG(seed, n))}
		w.make()
		w.check()
		for range 25 {
			if w.random.IntN(10) == 0 && len(w.series) < 3 {
				w.make()
			} else {
				w.edit()
			}
			w.check()
		}
	}
}
