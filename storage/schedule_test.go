package storage

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/platform"
)

// due is a scheduled event of so many hours after monday.
func due(hours int) func(*calendar.Event) {
	return func(e *calendar.Event) {
		e.Status, e.Date = calendar.Future, monday.Add(time.Duration(hours)*time.Hour)
	}
}

func TestPublishDue(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	soon := k.create(k.sample(titled("soon"), due(1)), calendar.EventLinks{Tags: termLinks("red")})
	hidden := k.event(titled("hidden"), due(1), func(e *calendar.Event) { e.Hidden = true })
	later := k.event(titled("later"), due(3))
	drafted := k.event(titled("drafted"), due(1))
	k.update(drafted.ID, changed(status(calendar.Draft)))
	moved := k.event(titled("moved"), due(1))
	k.update(moved.ID, changed(due(4)))
	hall := venue("Hall")
	hall.Status, hall.Date = calendar.Future, monday.Add(time.Hour)
	ann := organizer("Ann")
	ann.Status, ann.Date = calendar.Future, monday.Add(time.Hour)
	links := venueLinks(hall)
	links.Organizers = organizerLinks(ann).Organizers
	e := k.create(k.sample(titled("now")), links)

	n, err := k.db.PublishDue(t.Context(), monday.Add(59*time.Minute))
	k.must(err)
	k.equal("too early", n, 0)
	k.lists("before", calendar.EventQuery{}, e)
	n, err = k.db.PublishDue(t.Context(), monday.Add(time.Hour))
	k.must(err)
	k.equal("published", n, 4)
	k.lists("after", calendar.EventQuery{}, soon, e)
	got, err := k.db.Events().Get(k.ctx, calendar.Key{ID: soon.ID})
	k.must(err)
	if got.Status != calendar.Publish || !got.Date.Equal(soon.Date) || got.Tags[0].Count != 1 || got.Version != 9 {
		t.Errorf("published %+v", got)
	}
	now, err := k.db.Events().Get(k.ctx, calendar.Key{ID: e.ID})
	k.must(err)
	if now.Venues[0].Status != calendar.Publish || now.Organizers[0].Status != calendar.Publish {
		t.Errorf("venue %s, organizer %s", now.Venues[0].Status, now.Organizers[0].Status)
	}
	k.equal("log", k.column(`SELECT kind || ' ' || id FROM changes WHERE site_id = $1 AND action = 'publish' AND user_id = 0 ORDER BY id`, k.site),
		[]string{fmt.Sprint("event ", soon.ID), fmt.Sprint("event ", hidden.ID),
			fmt.Sprint("venue ", now.Venues[0].ID), fmt.Sprint("organizer ", now.Organizers[0].ID)})
	k.equal("left", k.column(`SELECT id::text FROM schedule WHERE site_id = $1 ORDER BY due_at`, k.site),
		[]string{fmt.Sprint(later.ID), fmt.Sprint(moved.ID)})
}

// For how long something has waited is told by the clock of the database, wherever
// that of the node stands.
func TestOverdueByTheClockOfTheDatabase(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.event(func(e *calendar.Event) { e.Status, e.Date = calendar.Future, time.Now().Add(24*time.Hour) })
	_, none, err := platform.Totals(t.Context(), k.db.Engine()) // by the node's clock it is months ago
	k.must(err)
	k.event(func(e *calendar.Event) { e.Status, e.Date = calendar.Future, time.Now().Add(-time.Hour) })
	_, hour, err := platform.Totals(t.Context(), k.db.Engine())
	k.must(err)
	if none != 0 || hour < 59*time.Minute || hour > 2*time.Hour {
		t.Errorf("%s and %s", none, hour)
	}
}

// TestPublishDueOnceOnSeveralNodes lets two nodes publish on several sites at
// once, one of them closed.
func TestPublishDueOnceOnSeveralNodes(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	sites := []int64{k.site, k.newSite("two"), k.newSite("three")}
	for i, site := range sites {
		k.ctx = k.as(site, 1)
		for range 40 {
			k.event(due(1 + i%2))
		}
	}
	_, err := k.db.Across(tests).Exec(t.Context(), `UPDATE sites SET state = 'closed' WHERE id = $1`, sites[2])
	k.must(err)
	var published atomic.Int64
	var all sync.WaitGroup
	for _, db := range []*DB{k.db, k.open(), k.open()} {
		all.Go(func() {
			n, err := db.PublishDue(t.Context(), monday.Add(2*time.Hour))
			if err != nil {
				t.Error(err)
			}
			published.Add(int64(n))
		})
	}
	all.Wait()
	k.equal("published", published.Load(), int64(80))
	for _, site := range sites[:2] {
		k.site = site
		k.equal("changes", k.column(`SELECT count(*)::text FROM changes WHERE site_id = $1 AND action = 'publish'`, site), []string{"40"})
		k.equal("version", k.column(`SELECT version::text FROM sites WHERE id = $1`, site), []string{"41"})
	}
	k.site = sites[2]
	k.equal("of the closed site", k.column(`SELECT count(*)::text FROM schedule WHERE site_id = $1`, sites[2]), []string{"40"})
}
