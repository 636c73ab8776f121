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
)

// together runs changes so that all of them wait for the same transaction.
func (k *kit) together(changes ...func()) {
	k.Helper()
	gather(k, func(do func()) {
		k.must(k.db.Change(k.ctx, -1, func(int64) (bool, error) {
			do()
			return true, nil
		}, nil, nil))
	}, k.db.Waiting, changes)
}

// newTogether runs new events so that all of them wait for the same turn.
func (k *kit) newTogether(all ...func()) {
	k.Helper()
	gather(k, func(do func()) {
		k.must(k.db.events.Creations.Alone(k.ctx, k.site, func() error {
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
		waiting.await(k.site, n+1)
	}
	close(ended)
	running.Wait()
}

// renames changes the title of an event as a user does, and keeps what came of it.
func (k *kit) renames(user, id int64, title string, into **calendar.Event) func() {
	return func() {
		e, err := k.db.Events().Update(k.as(k.site, user), calendar.Key{ID: id}, changed(func(e *calendar.Event) { e.Title = title }))
		k.must(err)
		*into = e
	}
}

// siteVersion returns the version of the site.
func (k *kit) siteVersion() (version int64) {
	k.Helper()
	k.must(k.db.Across(tests).QueryRow(k.Context(), `SELECT version FROM sites WHERE id = $1`, k.site).Scan(&version))
	return version
}

func TestChangesThatWaitShareATransaction(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	first, second, third := k.event(), k.event(), k.event()
	before := k.siteVersion()
	var got [3]*calendar.Event
	k.together(k.renames(1, first.ID, "One", &got[0]), k.renames(2, second.ID, "Two", &got[1]), k.renames(3, third.ID, "Three", &got[2]))
	k.equal("version", k.siteVersion(), before+1)
	for i, e := range got {
		stored, err := k.db.Events().Get(k.ctx, calendar.Key{ID: e.ID})
		k.must(err)
		k.equal("answer", e, stored)
		k.equal("version of the answer", e.Version, before+1)
		k.equal("who", k.history(k.site, before)[i].User, int64(i+1))
	}
}

// What changes how many events a term has shares, too, and each answer has the
// counts that all of them left.
func TestChangesThatCountShareATransaction(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.linkedOnce()
	var events []*calendar.Event
	for range 4 {
		events = append(events, k.create(k.sample(), links))
	}
	draft := k.create(k.sample(status(calendar.Draft)), links)
	k.list(calendar.EventQuery{}) // from now on links are remembered
	before := k.siteVersion()
	got := make([]*calendar.Event, 4)
	becomes := func(i int, e *calendar.Event, change func(*calendar.Event)) func() {
		return func() {
			var err error
			got[i], err = k.db.Events().Update(k.ctx, calendar.Key{ID: e.ID}, changed(change))
			k.must(err)
		}
	}
	k.together(
		becomes(0, events[0], titled("Stays")),
		becomes(1, events[1], status(calendar.Trash)),
		becomes(2, events[2], status(calendar.Draft)),
		becomes(3, draft, status(calendar.Publish)),
		func() {
			_, err := k.db.Events().Delete(k.ctx, calendar.Key{ID: events[3].ID}, func(*calendar.Event) error { return nil })
			k.must(err)
		},
		func() {
			_, err := k.db.Events().Update(k.ctx, calendar.Key{ID: 998}, changed(status(calendar.Draft)))
			k.wants(err, calendar.ErrNotFound)
		},
	)
	k.equal("version", k.siteVersion(), before+1)
	for _, e := range got {
		stored, err := k.open().Events().Get(k.ctx, calendar.Key{ID: e.ID})
		k.must(err)
		k.equal("answer", e, stored)
		k.equal("count", e.Tags[0].Count, 3)
	}
	k.equal("wrong counts", k.column(wrongCounts, k.site), []string(nil))
	k.equal("use", k.column(`SELECT used_events || '' FROM sites WHERE id = $1`, k.site), []string{"5"})
	page, err := k.open().Events().List(k.ctx, calendar.EventQuery{})
	k.must(err)
	k.equal("list", k.list(calendar.EventQuery{}), page)
}

func TestChangesOfOneEventFollowOneAnother(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.event(func(e *calendar.Event) { e.Title = "a" })
	more := func() { k.update(e.ID, changed(func(e *calendar.Event) { e.Title += "a" })) }
	k.together(more, more, more, more)
	got, err := k.db.Events().Get(k.ctx, calendar.Key{ID: e.ID})
	k.must(err)
	k.equal("title", got.Title, "aaaaa")
}

func TestAChangeThatFailsFailsAlone(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	events := make([]*calendar.Event, 4)
	for i := range events {
		events[i] = k.event()
	}
	before := k.siteVersion()
	wrong := errors.New("wrong")
	var got [2]*calendar.Event
	k.together(
		k.renames(1, events[0].ID, "One", &got[0]),
		func() {
			_, err := k.db.Events().Update(k.ctx, calendar.Key{ID: events[1].ID},
				func(*calendar.Event) (calendar.EventLinks, error) { return calendar.EventLinks{}, wrong })
			k.wants(err, wrong)
		},
		func() {
			_, err := k.db.Events().Update(k.ctx, calendar.Key{ID: 999}, changed(titled("Nothing")))
			k.wants(err, calendar.ErrNotFound)
		},
		func() {
			_, err := k.db.Events().Update(k.ctx, calendar.Key{ID: events[2].ID}, func(*calendar.Event) (calendar.EventLinks, error) {
				links := venueLinks(venue("Hall")) // made, and then taken back
				links.Organizers = &[]calendar.Link[calendar.Organizer]{{ID: 998}}
				return links, nil
			})
			k.refuses(err, "organizer: problem.organizer.unknown")
		},
		k.renames(2, events[3].ID, "Two", &got[1]),
	)
	k.equal("changes", len(k.history(k.site, before)), 2)
	k.equal("venues", k.column(`SELECT name FROM venues WHERE site_id = $1`, k.site), []string(nil))
	for i, want := range []string{"One", events[1].Title, events[2].Title, "Two"} {
		e, err := k.db.Events().Get(k.ctx, calendar.Key{ID: events[i].ID})
		k.must(err)
		k.equal("title", e.Title, want)
	}
}

// Whatever may depend on what the others do is done alone, and so are they.
func TestEntangledChangesAreMadeAlone(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.event(titled("Same name"))
	var events [7]*calendar.Event
	for i := range events {
		events[i] = k.event(func(e *calendar.Event) { e.Title, e.Slug = fmt.Sprint("Old ", i), fmt.Sprint("old-", i) })
	}
	change := func(i int, links calendar.EventLinks, with ...func(*calendar.Event)) func() {
		return func() {
			events[i] = k.update(events[i].ID, func(e *calendar.Event) (calendar.EventLinks, error) {
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
		k.update(events[6].ID, func(*calendar.Event) (calendar.EventLinks, error) { panic("while it changes") })
	}
	tagged := calendar.EventLinks{Tags: termLinks("new")}
	k.together(change(0, calendar.EventLinks{}, titled("Same name")), change(1, calendar.EventLinks{}, titled("Same name")),
		change(2, tagged), change(3, tagged), change(4, venueLinks(venue("Hall"))), change(5, venueLinks(venue("Hall"))), panics)
	slugs := map[string]bool{events[0].Slug: true, events[1].Slug: true, "same-name": true}
	k.equal("slugs", len(slugs), 3)
	k.equal("tag", events[2].Tags[0].ID, events[3].Tags[0].ID)
	k.equal("venue", events[4].Venues[0].ID, events[5].Venues[0].ID)
	k.equal("wrong counts", k.column(wrongCounts, k.site), []string(nil))
	k.equal("venues", k.column(`SELECT name FROM venues WHERE site_id = $1`, k.site), []string{"Hall"})
}

// Changes of series and of their dates that come at once with others are made alone, and none of them fails.
func TestSeriesChangedAtTheSameMoment(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	single, first, second := k.event(), k.event(daily(4)), k.event(daily(4))
	dates := k.column(`SELECT n::text FROM occurrences WHERE site_id = $1 AND event_id = $2 AND n <> 0 ORDER BY n`, k.site, second.ID)
	date, err := strconv.ParseInt(dates[1], 10, 64)
	k.must(err)
	titles := map[int64]string{single.ID: "One", first.ID: "A series", second.ID: "Another", date: "A date of it"}
	var changes []func()
	for id, title := range titles {
		changes = append(changes, func() { k.update(id, changed(titled(title))) })
	}
	k.together(changes...)
	for id, want := range titles {
		e, err := k.db.Events().Get(k.ctx, calendar.Key{ID: id})
		k.must(err)
		k.equal("title", e.Title, want)
	}
	k.equal("wrong occurrences", k.column(wrongOccurrences, k.site), []string(nil))
}

func TestASiteThatIsReadOnlyRefusesEachChange(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	first, second := k.event(), k.event()
	k.must(k.state(tenancy.ReadOnly))
	refused := func(id int64) func() {
		return func() {
			_, err := k.db.Events().Update(k.ctx, calendar.Key{ID: id}, changed(titled("No")))
			k.wants(err, tenancy.ErrReadOnly)
		}
	}
	k.together(refused(first.ID), refused(second.ID))
}

// TestNoChangeIsLost has many write to few events at once, in every way, and
// counts what became of it.
func TestNoChangeIsLost(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var ids [6]int64
	for i := range ids {
		ids[i] = k.create(k.sample(func(e *calendar.Event) { e.Excerpt = "" }), calendar.EventLinks{Tags: termLinks("red")}).ID
	}
	var all sync.WaitGroup
	const writers, each = 16, 20
	for w := range writers {
		random := rand.New(rand.NewPCG(uint64(w), 1))
		all.Go(func() {
			for range each {
				id := ids[random.IntN(len(ids))]
				k.update(id, func(e *calendar.Event) (links calendar.EventLinks, err error) {
					e.Excerpt += "x"
					switch random.IntN(6) {
					case 0:
						links.Tags = termLinks("red", "green")
					case 1:
						links.Tags = termLinks()
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
		e, err := k.db.Events().Get(k.ctx, calendar.Key{ID: id})
		k.must(err)
		letters += len(e.Excerpt)
	}
	k.equal("changes", letters, writers*each)
	k.equal("wrong counts", k.column(wrongCounts, k.site), []string(nil))
	k.equal("wrong occurrences", k.column(wrongOccurrences, k.site), []string(nil))
	var logged int
	k.in(k.site, func(tx pgx.Tx) error {
		return tx.QueryRow(k.Context(), `SELECT count(*) FROM changes WHERE site_id = $1 AND kind = 'event' AND action <> 'create'`,
			k.site).Scan(&logged)
	})
	k.equal("logged", logged, writers*each)
}

func TestASharedReadShowsWhatWasWrittenBefore(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.event()
	var all sync.WaitGroup
	for range 4 * k.db.Connections().Max {
		all.Go(func() {
			for range 10 {
				made := k.update(e.ID, changed(titled("another")))
				got, err := k.db.Events().Get(k.ctx, calendar.Key{ID: e.ID})
				if err != nil || got.Version < made.Version {
					t.Errorf("version %d after %d: %v", got.Version, made.Version, err)
				}
			}
		})
	}
	all.Wait()
}
