package storage

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/test/eventtest"
)

// due is a scheduled event of so many hours after monday.
func due(hours int) func(*calendar.Event) {
	return func(e *calendar.Event) {
		e.Status, e.Date = calendar.Future, eventtest.Monday.Add(time.Duration(hours)*time.Hour)
	}
}

func TestPublishDue(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	soon := k.Create(k.Sample(eventtest.Titled("soon"), due(1)), calendar.EventLinks{Tags: eventtest.TermLinks("red")})
	hidden := k.Event(eventtest.Titled("hidden"), due(1), func(e *calendar.Event) { e.Hidden = true })
	later := k.Event(eventtest.Titled("later"), due(3))
	drafted := k.Event(eventtest.Titled("drafted"), due(1))
	k.Update(drafted.ID, changed(eventtest.Status(calendar.Draft)))
	moved := k.Event(eventtest.Titled("moved"), due(1))
	k.Update(moved.ID, changed(due(4)))
	hall := eventtest.Venue("Hall")
	hall.Status, hall.Date = calendar.Future, eventtest.Monday.Add(time.Hour)
	ann := eventtest.Organizer("Ann")
	ann.Status, ann.Date = calendar.Future, eventtest.Monday.Add(time.Hour)
	links := eventtest.VenueLinks(hall)
	links.Organizers = eventtest.OrganizerLinks(ann).Organizers
	e := k.Create(k.Sample(eventtest.Titled("now")), links)

	n, err := k.db.PublishDue(t.Context(), eventtest.Monday.Add(59*time.Minute))
	k.Must(err)
	k.Equal("too early", n, 0)
	k.Lists("before", calendar.EventQuery{}, e)
	n, err = k.db.PublishDue(t.Context(), eventtest.Monday.Add(time.Hour))
	k.Must(err)
	k.Equal("published", n, 4)
	k.Lists("after", calendar.EventQuery{}, soon, e)
	got, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: soon.ID})
	k.Must(err)
	if got.Status != calendar.Publish || !got.Date.Equal(soon.Date) || got.Tags[0].Count != 1 || got.Version != 9 {
		t.Errorf("published %+v", got)
	}
	now, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
	k.Must(err)
	if now.Venues[0].Status != calendar.Publish || now.Organizers[0].Status != calendar.Publish {
		t.Errorf("venue %s, organizer %s", now.Venues[0].Status, now.Organizers[0].Status)
	}
	k.Equal("log", k.Column(`SELECT kind || ' ' || id FROM changes WHERE site_id = $1 AND action = 'publish' AND user_id = 0 ORDER BY id`, k.Site),
		[]string{fmt.Sprint("event ", soon.ID), fmt.Sprint("event ", hidden.ID),
			fmt.Sprint("venue ", now.Venues[0].ID), fmt.Sprint("organizer ", now.Organizers[0].ID)})
	k.Equal("left", k.Column(`SELECT id::text FROM schedule WHERE site_id = $1 ORDER BY due_at`, k.Site),
		[]string{fmt.Sprint(later.ID), fmt.Sprint(moved.ID)})
}

// For how long something has waited is told by the clock of the database, wherever
// that of the node stands.
func TestOverdueByTheClockOfTheDatabase(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Event(func(e *calendar.Event) { e.Status, e.Date = calendar.Future, time.Now().Add(24*time.Hour) })
	_, none, err := platform.Totals(t.Context(), k.db.Engine()) // by the node's clock it is months ago
	k.Must(err)
	k.Event(func(e *calendar.Event) { e.Status, e.Date = calendar.Future, time.Now().Add(-time.Hour) })
	_, hour, err := platform.Totals(t.Context(), k.db.Engine())
	k.Must(err)
	if none != 0 || hour < 59*time.Minute || hour > 2*time.Hour {
		t.Errorf("%s and %s", none, hour)
	}
}

// TestConcurrentPublication lets two nodes publish on several sites at
// once, one of them closed.
func TestConcurrentPublication(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	sites := []int64{k.Site, k.NewSite("two"), k.NewSite("three")}
	for i, site := range sites {
		k.Ctx = k.As(site, 1)
		for range 40 {
			k.Event(due(1 + i%2))
		}
	}
	_, err := k.db.Across(eventtest.Why).Exec(t.Context(), `UPDATE sites SET state = 'closed' WHERE id = $1`, sites[2])
	k.Must(err)
	var published atomic.Int64
	var all sync.WaitGroup
	for _, db := range []*DB{k.db, k.open(), k.open()} {
		all.Go(func() {
			n, err := db.PublishDue(t.Context(), eventtest.Monday.Add(2*time.Hour))
			if err != nil {
				t.Error(err)
			}
			published.Add(int64(n))
		})
	}
	all.Wait()
	k.Equal("published", published.Load(), int64(80))
	for _, site := range sites[:2] {
		k.Site = site
		k.Equal("changes", k.Column(`SELECT count(*)::text FROM changes WHERE site_id = $1 AND action = 'publish'`, site), []string{"40"})
		k.Equal("version", k.Column(`SELECT version::text FROM sites WHERE id = $1`, site), []string{"41"})
	}
	k.Site = sites[2]
	k.Equal("of the closed site", k.Column(`SELECT count(*)::text FROM schedule WHERE site_id = $1`, sites[2]), []string{"40"})
}
