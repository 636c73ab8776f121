package storage

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/eventtest"
)

// together runs changes so that all of them wait for the same transaction.
func (k *kit) together(changes ...func()) {
	k.Helper()
	gather(k, func(do func()) {
		k.Must(k.db.Change(k.Ctx, -1, func(int64) (bool, error) {
			do()
			return true, nil
		}, nil, nil))
	}, k.db.Waiting, changes)
}

// newTogether runs new events so that all of them wait for the same turn.
func (k *kit) newTogether(all ...func()) {
	k.Helper()
	gather(k, func(do func()) {
		k.Must(k.db.events.Creations.Alone(k.Ctx, k.Site, func() error {
			do()
			return nil
		}))
	}, k.db.events.Creations.Waiting, all)
}

// waits is what says how many of a site wait, and whether all its turns are taken.
type waits func(site int64) (n int, taken bool)

// await waits until so many wait for a turn of the site that others have.
func (count waits) await(site int64, waiting int) {
	for {
		if n, taken := count(site); taken && n == waiting {
			return
		}
		runtime.Gosched()
	}
}

// gather runs all while hold, which has the turn they need, runs what it is given.
func gather(k *kit, hold func(do func()), waiting waits, all []func()) {
	k.Helper()
	held, ended := make(chan struct{}), make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		hold(func() {
			close(held)
			<-ended
		})
	})
	<-held
	for n, do := range all {
		running.Go(do)
		waiting.await(k.Site, n+1)
	}
	close(ended)
	running.Wait()
}

// renames changes the title of an event as a user does, and keeps what came of it.
func (k *kit) renames(user, id int64, title string, into **calendar.Event) func() {
	return func() {
		e, err := k.db.Events().Update(k.As(k.Site, user), calendar.Key{ID: id}, changed(func(e *calendar.Event) { e.Title = title }))
		k.Must(err)
		*into = e
	}
}

// siteVersion returns the version of the site.
func (k *kit) siteVersion() (version int64) {
	k.Helper()
	k.Must(k.db.Across(eventtest.Why).QueryRow(k.Context(), `SELECT version FROM sites WHERE id = $1`, k.Site).Scan(&version))
	return version
}

func TestConcurrentChangesShareATransaction(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	first, second, third := k.Event(), k.Event(), k.Event()
	before := k.siteVersion()
	var got [3]*calendar.Event
	k.together(k.renames(1, first.ID, "One", &got[0]), k.renames(2, second.ID, "Two", &got[1]), k.renames(3, third.ID, "Three", &got[2]))
	k.Equal("version", k.siteVersion(), before+1)
	for i, e := range got {
		stored, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
		k.Must(err)
		k.Equal("answer", e, stored)
		k.Equal("version of the answer", e.Version, before+1)
		k.Equal("who", k.history(k.Site, before)[i].User, int64(i+1))
	}
}

// What changes how many events a term has shares, too, and each answer has the
// counts that all of them left.
func TestConcurrentChangesThatCount(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	var events []*calendar.Event
	for range 4 {
		events = append(events, k.Create(k.Sample(), links))
	}
	draft := k.Create(k.Sample(eventtest.Status(calendar.Draft)), links)
	k.List(calendar.EventQuery{}) // from now on links are remembered
	before := k.siteVersion()
	got := make([]*calendar.Event, 4)
	becomes := func(i int, e *calendar.Event, change func(*calendar.Event)) func() {
		return func() {
			var err error
			got[i], err = k.db.Events().Update(k.Ctx, calendar.Key{ID: e.ID}, changed(change))
			k.Must(err)
		}
	}
	k.together(
		becomes(0, events[0], eventtest.Titled("Stays")),
		becomes(1, events[1], eventtest.Status(calendar.Trash)),
		becomes(2, events[2], eventtest.Status(calendar.Draft)),
		becomes(3, draft, eventtest.Status(calendar.Publish)),
		func() {
			_, err := k.db.Events().Delete(k.Ctx, calendar.Key{ID: events[3].ID}, func(*calendar.Event) error { return nil })
			k.Must(err)
		},
		func() {
			_, err := k.db.Events().Update(k.Ctx, calendar.Key{ID: 998}, changed(eventtest.Status(calendar.Draft)))
			k.Wants(err, calendar.ErrNotFound)
		},
	)
	k.Equal("version", k.siteVersion(), before+1)
	for _, e := range got {
		stored, err := k.open().Events().Get(k.Ctx, calendar.Key{ID: e.ID})
		k.Must(err)
		k.Equal("answer", e, stored)
		k.Equal("count", e.Tags[0].Count, 3)
	}
	k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
	k.Equal("use", k.Column(`SELECT used_events || '' FROM sites WHERE id = $1`, k.Site), []string{"5"})
	page, err := k.open().Events().List(k.Ctx, calendar.EventQuery{})
	k.Must(err)
	k.Equal("list", k.List(calendar.EventQuery{}), page)
}

func TestConcurrentChangesOfOneEvent(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Event(func(e *calendar.Event) { e.Title = "a" })
	more := func() { k.Update(e.ID, changed(func(e *calendar.Event) { e.Title += "a" })) }
	k.together(more, more, more, more)
	got, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
	k.Must(err)
	k.Equal("title", got.Title, "aaaaa")
}

func TestConcurrentChangesFailAlone(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	events := make([]*calendar.Event, 4)
	for i := range events {
		events[i] = k.Event()
	}
	before := k.siteVersion()
	wrong := errors.New("wrong")
	var got [2]*calendar.Event
	k.together(
		k.renames(1, events[0].ID, "One", &got[0]),
		func() {
			_, err := k.db.Events().Update(k.Ctx, calendar.Key{ID: events[1].ID},
				func(*calendar.Event) (calendar.EventLinks, error) { return calendar.EventLinks{}, wrong })
			k.Wants(err, wrong)
		},
		func() {
			_, err := k.db.Events().Update(k.Ctx, calendar.Key{ID: 999}, changed(eventtest.Titled("Nothing")))
			k.Wants(err, calendar.ErrNotFound)
		},
		func() {
			_, err := k.db.Events().Update(k.Ctx, calendar.Key{ID: events[2].ID}, func(*calendar.Event) (calendar.EventLinks, error) {
				links := eventtest.VenueLinks(eventtest.Venue("Hall")) // made, and then taken back
				links.Organizers = &[]calendar.Link[calendar.Organizer]{{ID: 998}}
				return links, nil
			})
			k.Refuses(err, "organizer: problem.organizer.unknown")
		},
		k.renames(2, events[3].ID, "Two", &got[1]),
	)
	k.Equal("changes", len(k.history(k.Site, before)), 2)
	k.Equal("venues", k.Column(`SELECT name FROM venues WHERE site_id = $1`, k.Site), []string(nil))
	for i, want := range []string{"One", events[1].Title, events[2].Title, "Two"} {
		e, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: events[i].ID})
		k.Must(err)
		k.Equal("title", e.Title, want)
	}
}

// Whatever may depend on what the others do is done alone, and so are they.
func TestConcurrentEntangledChanges(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Event(eventtest.Titled("Same name"))
	var events [7]*calendar.Event
	for i := range events {
		events[i] = k.Event(func(e *calendar.Event) { e.Title, e.Slug = fmt.Sprint("Old ", i), fmt.Sprint("old-", i) })
	}
	change := func(i int, links calendar.EventLinks, with ...func(*calendar.Event)) func() {
		return func() {
			events[i] = k.Update(events[i].ID, func(e *calendar.Event) (calendar.EventLinks, error) {
				for _, f := range with {
					f(e)
				}
				return links, nil
			})
		}
	}
	panics := func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		k.Update(events[6].ID, func(*calendar.Event) (calendar.EventLinks, error) { panic("while it changes") })
	}
	tagged := calendar.EventLinks{Tags: eventtest.TermLinks("new")}
	k.together(change(0, calendar.EventLinks{}, eventtest.Titled("Same name")), change(1, calendar.EventLinks{}, eventtest.Titled("Same name")),
		change(2, tagged), change(3, tagged), change(4, eventtest.VenueLinks(eventtest.Venue("Hall"))), change(5, eventtest.VenueLinks(eventtest.Venue("Hall"))), panics)
	slugs := map[string]bool{events[0].Slug: true, events[1].Slug: true, "same-name": true}
	k.Equal("slugs", len(slugs), 3)
	k.Equal("tag", events[2].Tags[0].ID, events[3].Tags[0].ID)
	k.Equal("venue", events[4].Venues[0].ID, events[5].Venues[0].ID)
	k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
	k.Equal("venues", k.Column(`SELECT name FROM venues WHERE site_id = $1`, k.Site), []string{"Hall"})
}

// Changes of series and of their dates that come at once with others are made alone, and none of them fails.
func TestConcurrentSeriesChanges(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	single, first, second := k.Event(), k.Event(daily(4)), k.Event(daily(4))
	dates := k.Column(`SELECT n::text FROM occurrences WHERE site_id = $1 AND event_id = $2 AND n <> 0 ORDER BY n`, k.Site, second.ID)
	date, err := strconv.ParseInt(dates[1], 10, 64)
	k.Must(err)
	titles := map[int64]string{single.ID: "One", first.ID: "A series", second.ID: "Another", date: "A date of it"}
	var changes []func()
	for id, title := range titles {
		changes = append(changes, func() { k.Update(id, changed(eventtest.Titled(title))) })
	}
	k.together(changes...)
	for id, want := range titles {
		e, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: id})
		k.Must(err)
		k.Equal("title", e.Title, want)
	}
	k.Equal("wrong occurrences", k.Column(wrongOccurrences, k.Site), []string(nil))
}

func TestConcurrentChangesOfAReadOnlySite(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	first, second := k.Event(), k.Event()
	k.Must(k.state(tenancy.ReadOnly))
	refused := func(id int64) func() {
		return func() {
			_, err := k.db.Events().Update(k.Ctx, calendar.Key{ID: id}, changed(eventtest.Titled("No")))
			k.Wants(err, tenancy.ErrReadOnly)
		}
	}
	k.together(refused(first.ID), refused(second.ID))
}

// TestConcurrentChangesAreKept has many write to few events at once, in every way, and
// counts what became of it.
func TestConcurrentChangesAreKept(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var ids [6]int64
	for i := range ids {
		ids[i] = k.Create(k.Sample(func(e *calendar.Event) { e.Excerpt = "" }), calendar.EventLinks{Tags: eventtest.TermLinks("red")}).ID
	}
	var all sync.WaitGroup
	const writers, each = 16, 20
	for w := range writers {
		random := rand.New(rand.NewPCG(uint64(w), 1))
		all.Go(func() {
			for range each {
				id := ids[random.IntN(len(ids))]
				k.Update(id, func(e *calendar.Event) (links calendar.EventLinks, err error) {
					e.Excerpt += "x"
					switch random.IntN(6) {
					case 0:
						links.Tags = eventtest.TermLinks("red", "green")
					case 1:
						links.Tags = eventtest.TermLinks()
					case 2:
						e.Status = calendar.Draft
					case 3:
						e.Status = calendar.Publish
					}
					return links, nil
				})
			}
		})
	}
	all.Wait()
	letters := 0
	for _, id := range ids {
		e, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: id})
		k.Must(err)
		letters += len(e.Excerpt)
	}
	k.Equal("changes", letters, writers*each)
	k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
	k.Equal("wrong occurrences", k.Column(wrongOccurrences, k.Site), []string(nil))
	var logged int
	k.In(k.Site, func(tx pgx.Tx) error {
		return tx.QueryRow(k.Context(), `SELECT count(*) FROM changes WHERE site_id = $1 AND kind = 'event' AND action <> 'create'`,
			k.Site).Scan(&logged)
	})
	k.Equal("logged", logged, writers*each)
}

func TestConcurrentReadsShowWhatWasWrittenBefore(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Event()
	var all sync.WaitGroup
	for range 4 * k.db.Connections().Max {
		all.Go(func() {
			for range 10 {
				made := k.Update(e.ID, changed(eventtest.Titled("another")))
				got, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
				if err != nil || got.Version < made.Version {
					t.Errorf("version %d after %d: %v", got.Version, made.Version, err)
				}
			}
		})
	}
	all.Wait()
}
