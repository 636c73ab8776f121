package storage

import (
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// quickly changes an event without locking the site first and reports whether that went.
func (k *kit) quickly(id int64, change func(*calendar.Event)) (*calendar.Event, bool) {
	k.Helper()
	e, done, err := k.db.events.UpdateAtOnce(k.ctx, k.site, id, func(e *calendar.Event) (calendar.EventLinks, error) {
		change(e)
		return calendar.EventLinks{}, nil
	})
	k.must(err)
	return e, done
}

func TestUpdateAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.create(k.sample(), k.linkedOnce())
	fresh := k.open()
	for _, title := range []string{"First", "Second", "Third"} {
		changed, done := k.quickly(e.ID, func(e *calendar.Event) { e.Title, e.Cost = title, []string{title} })
		if !done {
			t.Fatalf("%s: not changed at once", title)
		}
		want, err := fresh.Events().Get(k.ctx, calendar.Key{ID: e.ID})
		k.must(err)
		k.equal("changed", changed, want)
		k.equal("title", want.Title, title)
	}
	k.equal("log", k.column(`
		SELECT version || ' ' || action || ' ' || (before ->> 'title') || ' ' || user_id
		FROM changes
		WHERE site_id = $1 AND id = $2 AND action = 'update'
		ORDER BY version`, k.site, e.ID), []string{"3 update " + e.Title + " 1", "4 update First 1", "5 update Second 1"})
	k.equal("version", k.list(calendar.EventQuery{}).Version, int64(5))
}

// What is remembered of an event is used only while the database has that very row.
func TestUpdateAtOnceOfAnotherRow(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.create(k.sample(), k.linkedOnce())
	for _, c := range []struct {
		what, sql string
	}{
		{"another node", `UPDATE events SET cost = '{9}', version = version + 1 WHERE site_id = $1 AND id = $2`},
		{"a key, which leaves the version", `UPDATE events SET author = NULL WHERE site_id = $1 AND id = $2`},
	} {
		if _, done := k.quickly(e.ID, func(e *calendar.Event) { e.Title = "Mine" }); !done {
			t.Fatalf("%s: the first change was not made at once", c.what)
		}
		k.exec(k.site, c.sql, k.site, e.ID)
		before := k.list(calendar.EventQuery{}).Version
		if _, done := k.quickly(e.ID, func(e *calendar.Event) { e.Title = "Too late" }); done {
			t.Errorf("%s: changed what is not there any more", c.what)
		}
		k.equal("version", k.list(calendar.EventQuery{}).Version, before)
	}
	changed, done := k.quickly(e.ID, func(e *calendar.Event) { e.Title = "Read again" })
	if !done {
		t.Fatal("not changed after it was read again")
	}
	k.equal("what others wrote", changed.Cost, []string{"9"})
	k.equal("author", changed.Author, int64(0))
}

func TestNotUpdatedAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.linkedOnce()
	e := k.create(k.sample(), links)
	for what, change := range map[string]func(*calendar.Event){
		"slug":     titled("Another"),
		"day":      starts(48 * time.Hour),
		"status":   status(calendar.Draft),
		"hidden":   func(e *calendar.Event) { e.Hidden = true },
		"picture":  func(e *calendar.Event) { e.Image = &calendar.Image{} },
		"category": func(e *calendar.Event) { e.Categories = nil },
		"parent":   func(e *calendar.Event) { e.Parent = 99 },
	} {
		before := k.list(calendar.EventQuery{}).Version
		if _, done := k.quickly(e.ID, change); done {
			t.Errorf("%s: changed at once", what)
		}
		k.equal(what, k.list(calendar.EventQuery{}).Version, before)
	}
	if _, done := k.quickly(99, titled("Nothing")); done {
		t.Error("changed what isn't there")
	}
	k.must(k.state(tenancy.ReadOnly))
	if _, done := k.quickly(e.ID, func(e *calendar.Event) { e.Title = "Read only" }); done {
		t.Error("changed an event of a site that takes no writes")
	}
}

// Nodes that change the same events at once lose nothing and log each change once.
func TestUpdateAtOnceByMany(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.linkedOnce()
	list := []*calendar.Event{k.create(k.sample(), links), k.create(k.sample(), links)}
	nodes := []*DB{k.db, k.open()}
	const writers, each = 6, 10
	var all sync.WaitGroup
	for n := range writers {
		all.Go(func() {
			for i := range each {
				_, err := nodes[n%2].Events().Update(k.ctx, calendar.Key{ID: list[i%2].ID}, func(e *calendar.Event) (calendar.EventLinks, error) {
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
		now, err := k.open().Events().Get(k.ctx, calendar.Key{ID: e.ID})
		k.must(err)
		k.equal("changes", len(now.Cost)-len(e.Cost), writers*each/2)
	}
	k.equal("log", k.column(`SELECT count(*) || '' FROM changes WHERE site_id = $1 AND action = 'update'`, k.site), []string{"60"})
}
