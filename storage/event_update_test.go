package storage

import (
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/eventtest"
)

// quickly changes an event without locking the site first and reports whether that went.
func (k *kit) quickly(id int64, change func(*calendar.Event)) (*calendar.Event, bool) {
	k.Helper()
	e, done, err := k.db.events.UpdateAtOnce(k.Ctx, k.Site, id, func(e *calendar.Event) (calendar.EventLinks, error) {
		change(e)
		return calendar.EventLinks{}, nil
	})
	k.Must(err)
	return e, done
}

func TestUpdateAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Create(k.Sample(), k.LinkedOnce())
	fresh := k.open()
	for _, title := range []string{"First", "Second", "Third"} {
		changed, done := k.quickly(e.ID, func(e *calendar.Event) { e.Title, e.Cost = title, []string{title} })
		if !done {
			t.Fatalf("%s: not changed at once", title)
		}
		want, err := fresh.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
		k.Must(err)
		k.Equal("changed", changed, want)
		k.Equal("title", want.Title, title)
	}
	k.Equal("log", k.Column(`
		SELECT version || ' ' || action || ' ' || (before ->> 'title') || ' ' || user_id
		FROM changes
		WHERE site_id = $1 AND id = $2 AND action = 'update'
		ORDER BY version`, k.Site, e.ID), []string{"3 update " + e.Title + " 1", "4 update First 1", "5 update Second 1"})
	k.Equal("version", k.List(calendar.EventQuery{}).Version, int64(5))
}

// What is remembered of an event is used only while the database has that very row.
func TestUpdateAtOnceOfAnotherRow(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Create(k.Sample(), k.LinkedOnce())
	for _, c := range []struct {
		what, sql string
	}{
		{"another node", `UPDATE events SET cost = '{9}', version = version + 1 WHERE site_id = $1 AND id = $2`},
		{"a key, which leaves the version", `UPDATE events SET author = NULL WHERE site_id = $1 AND id = $2`},
	} {
		if _, done := k.quickly(e.ID, func(e *calendar.Event) { e.Title = "Mine" }); !done {
			t.Fatalf("%s: the first change was not made at once", c.what)
		}
		k.Exec(k.Site, c.sql, k.Site, e.ID)
		before := k.List(calendar.EventQuery{}).Version
		if _, done := k.quickly(e.ID, func(e *calendar.Event) { e.Title = "Too late" }); done {
			t.Errorf("%s: changed what is not there any more", c.what)
		}
		k.Equal("version", k.List(calendar.EventQuery{}).Version, before)
	}
	changed, done := k.quickly(e.ID, func(e *calendar.Event) { e.Title = "Read again" })
	if !done {
		t.Fatal("not changed after it was read again")
	}
	k.Equal("what others wrote", changed.Cost, []string{"9"})
	k.Equal("author", changed.Author, int64(0))
}

func TestNotUpdatedAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	e := k.Create(k.Sample(), links)
	for what, change := range map[string]func(*calendar.Event){
		"slug":     eventtest.Titled("Another"),
		"day":      eventtest.Starts(48 * time.Hour),
		"status":   eventtest.Status(calendar.Draft),
		"hidden":   func(e *calendar.Event) { e.Hidden = true },
		"picture":  func(e *calendar.Event) { e.Image = &calendar.Image{} },
		"category": func(e *calendar.Event) { e.Categories = nil },
		"parent":   func(e *calendar.Event) { e.Parent = 99 },
	} {
		before := k.List(calendar.EventQuery{}).Version
		if _, done := k.quickly(e.ID, change); done {
			t.Errorf("%s: changed at once", what)
		}
		k.Equal(what, k.List(calendar.EventQuery{}).Version, before)
	}
	if _, done := k.quickly(99, eventtest.Titled("Nothing")); done {
		t.Error("changed what isn't there")
	}
	k.Must(k.state(tenancy.ReadOnly))
	if _, done := k.quickly(e.ID, func(e *calendar.Event) { e.Title = "Read only" }); done {
		t.Error("changed an event of a site that takes no writes")
	}
}

// Nodes that change the same events at once lose nothing and log each change once.
func TestConcurrentUpdates(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	list := []*calendar.Event{k.Create(k.Sample(), links), k.Create(k.Sample(), links)}
	nodes := []*DB{k.db, k.open()}
	const writers, each = 6, 10
	var all sync.WaitGroup
	for n := range writers {
		all.Go(func() {
			for i := range each {
				_, err := nodes[n%2].Events().Update(k.Ctx, calendar.Key{ID: list[i%2].ID}, func(e *calendar.Event) (calendar.EventLinks, error) {
					e.Cost = append([]string{"x"}, e.Cost...)
					return calendar.EventLinks{}, nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for _, e := range list {
		now, err := k.open().Events().Get(k.Ctx, calendar.Key{ID: e.ID})
		k.Must(err)
		k.Equal("changes", len(now.Cost)-len(e.Cost), writers*each/2)
	}
	k.Equal("log", k.Column(`SELECT count(*) || '' FROM changes WHERE site_id = $1 AND action = 'update'`, k.Site), []string{"60"})
}
