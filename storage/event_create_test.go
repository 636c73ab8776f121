package storage

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/eventtest"
)

// atOnce creates an event without asking first and reports whether that went.
func (k *kit) atOnce(e *calendar.Event, links calendar.EventLinks) bool {
	k.Helper()
	done, err := k.db.events.CreateAtOnce(k.Ctx, k.Site, e, links)
	k.Must(err)
	return done
}

func TestCreateAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	fresh := k.open()
	for n := range 5 {
		e := k.Sample()
		if !k.atOnce(e, links) {
			t.Fatalf("event %d was not made at once", n)
		}
		want, err := fresh.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
		k.Must(err)
		k.Equal("made", e, want)
		if got := e.Tags[0].Count; got != n+2 {
			t.Errorf("the tag counts %d events, want %d", got, n+2)
		}
	}
	k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
	k.Equal("use", k.Column(`SELECT used_events || '' FROM sites WHERE id = $1`, k.Site), []string{"6"})
	k.Equal("log", k.Column(`
		SELECT version || ' ' || kind || ' ' || action || ' ' || user_id
		FROM changes
		WHERE site_id = $1 AND version > 1
		ORDER BY version`, k.Site), []string{"2 event create 1", "3 event create 1", "4 event create 1", "5 event create 1", "6 event create 1"})
	page, err := fresh.Events().List(k.Ctx, calendar.EventQuery{})
	k.Must(err)
	k.Equal("list", k.List(calendar.EventQuery{}), page)
}

// What isn't remembered yet is read first, if it is named by id: on a node that knows
// nothing of the site, and what is new to one that does.
func TestCreateAtOnceLearns(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	other := k.Create(k.Sample(), eventtest.VenueLinks(eventtest.Venue("Other hall")))
	node := k.open().events
	for _, links := range []calendar.EventLinks{links, eventtest.VenueLinks(other.Venues[0].ID), {}} {
		e := k.Sample()
		done, err := node.CreateAtOnce(k.Ctx, k.Site, e, links)
		k.Must(err)
		if !done {
			t.Fatalf("not made at once: %+v", links)
		}
		want, err := k.open().Events().Get(k.Ctx, calendar.Key{ID: e.ID})
		k.Must(err)
		k.Equal("made", e, want)
	}
	k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
}

// What can't be made at once is left to the way that asks first, and nothing is
// written.
func TestNotAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	taken := k.Event()
	unknown := eventtest.VenueLinks(int64(99))
	named := links
	named.Tags = eventtest.TermLinks("green")
	twisted := links
	twisted.Categories = links.Tags
	for _, c := range []struct {
		what  string
		with  func(*calendar.Event)
		links calendar.EventLinks
	}{
		{"slug taken", func(e *calendar.Event) { e.Slug = taken.Slug }, links},
		{"no slug", func(e *calendar.Event) { e.Slug = "" }, links},
		{"scheduled", eventtest.Status(calendar.Future), links},
		{"own id", func(e *calendar.Event) { e.ID = 77 }, links},
		{"new picture", func(e *calendar.Event) { e.Image = &calendar.Image{} }, links},
		{"unknown parent", func(e *calendar.Event) { e.Parent = 99 }, links},
		{"unknown venue", func(*calendar.Event) {}, unknown},
		{"tag by name", func(*calendar.Event) {}, named},
		{"tag as category", func(*calendar.Event) {}, twisted},
	} {
		before := k.List(calendar.EventQuery{}).Version
		if k.atOnce(k.Sample(c.with), c.links) {
			t.Errorf("%s: made at once", c.what)
		}
		if after := k.List(calendar.EventQuery{}).Version; after != before {
			t.Errorf("%s: version %d became %d", c.what, before, after)
		}
	}
	again := k.Create(k.Sample(func(e *calendar.Event) { e.Slug = taken.Slug }), links)
	k.Equal("slug", again.Slug, taken.Slug+"-2")
	k.Exec(k.Site, `UPDATE sites SET overrides = jsonb_build_object('events', used_events) WHERE id = $1`, k.Site)
	if k.atOnce(k.Sample(), links) {
		t.Error("made where there is no room")
	}
	full, ok := errors.AsType[*tenancy.LimitError](k.db.Events().Create(k.Ctx, k.Sample(), links))
	if !ok {
		t.Errorf("no error about the limit: %v", full)
	}
	k.Exec(k.Site, `UPDATE sites SET overrides = '{}' WHERE id = $1`, k.Site)
	// Another node changes the venue: what is remembered here is of yesterday.
	_, err := k.open().Venues().Update(k.Ctx, calendar.Key{ID: (*links.Venues)[0].ID}, func(v *calendar.Venue) error {
		v.City = "Springfield"
		return nil
	})
	k.Must(err)
	if k.atOnce(k.Sample(), links) {
		t.Error("made out of what another node changed")
	}
	k.Equal("city", k.Create(k.Sample(), links).Venues[0].City, "Springfield")
	k.Must(k.state(tenancy.ReadOnly))
	k.Wants(k.db.Events().Create(k.Ctx, k.Sample(), links), tenancy.ErrReadOnly)
}

func (k *kit) state(s tenancy.State) error {
	_, err := k.db.Across(eventtest.Why).Exec(k.Context(), `UPDATE sites SET state = $2 WHERE id = $1`, k.Site, string(s))
	return err
}

func TestConcurrentCreations(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	nodes := []*DB{k.db, k.open()}
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for i := range 12 {
				e := k.Sample()
				if i%3 == 0 {
					e.Slug = "same"
				}
				if err := nodes[n%2].Events().Create(k.Ctx, e, links); err != nil {
					t.Error(err)
				}
				if _, err := nodes[n%2].Events().List(k.Ctx, calendar.EventQuery{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
	k.Equal("wrong links", k.Column(eventtest.WrongLinks, k.Site), []string(nil))
	k.Equal("versions", k.Column(`SELECT version || '' FROM sites WHERE id = $1`, k.Site), []string{fmt.Sprint(8*12 + 1)})
	want, err := k.open().Events().List(k.Ctx, calendar.EventQuery{PerPage: 50})
	k.Must(err)
	for _, node := range nodes {
		for range 2 {
			got, err := node.Events().List(k.Ctx, calendar.EventQuery{PerPage: 50})
			k.Must(err)
			k.Equal("list", got, want)
		}
	}
}

// What an event brings along leaves what is remembered as it was.
func TestNewLinksLeaveTheOthers(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	fresh := links
	fresh.Tags = eventtest.TermLinks("green")
	fresh.Organizers = eventtest.OrganizerLinks(eventtest.Organizer("Bob")).Organizers
	for range 2 {
		k.Create(k.Sample(), fresh)
		if !k.atOnce(k.Sample(), links) {
			t.Error("what others link was forgotten")
		}
		page, err := k.open().Events().List(k.Ctx, calendar.EventQuery{})
		k.Must(err)
		k.Equal("list", k.List(calendar.EventQuery{}), page)
	}
	k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
}

// slugged returns an event with a slug, to be created.
func (k *kit) slugged(slug string, with ...func(*calendar.Event)) *calendar.Event {
	return k.Sample(append(with, func(e *calendar.Event) { e.Slug = slug })...)
}

// creates makes an event as a user does, while others wait for the same turn.
func (k *kit) creates(user int64, e *calendar.Event, links calendar.EventLinks) func() {
	return func() { k.Must(k.db.Events().Create(k.As(k.Site, user), e, links)) }
}

// ways lists the events by the transaction that wrote them last.
const ways = `
	SELECT string_agg(slug, ' ' ORDER BY id)
	FROM events
	WHERE site_id = $1 AND version > $2
	GROUP BY xmin::text
	ORDER BY min(id)`

func TestConcurrentEventsShareATransaction(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	before := k.siteVersion()
	made := []*calendar.Event{k.slugged("one"), k.slugged("two"), k.slugged("three"), k.slugged("draft", eventtest.Status(calendar.Draft))}
	var all []func()
	for i, e := range made {
		all = append(all, k.creates(int64(i%3+1), e, links))
	}
	k.newTogether(all...)
	k.Equal("transactions", k.Column(ways, k.Site, before), []string{"one two three draft"})
	for i, e := range made {
		k.Equal("version", e.Version, before+1+int64(i))
		k.Equal("who", k.history(k.Site, before)[i].User, int64(i%3+1))
		k.Equal("count", e.Tags[0].Count, 4) // as the transaction left it
		stored, err := k.open().Events().Get(k.Ctx, calendar.Key{ID: e.ID})
		k.Must(err)
		k.Equal("answer", e, stored)
	}
	k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
	k.Equal("use", k.Column(`SELECT used_events || '' FROM sites WHERE id = $1`, k.Site), []string{"5"})
	if record, _ := k.db.Links.Of(k.Site).Open().Get(linked.Venue, (*links.Venues)[0].ID); record == nil {
		t.Error("what is linked was forgotten")
	}
	if !k.atOnce(k.Sample(), links) {
		t.Error("what is remembered is of another version")
	}
	page, err := k.open().Events().List(k.Ctx, calendar.EventQuery{})
	k.Must(err)
	k.Equal("list", k.List(calendar.EventQuery{}), page)
}

// Who asks first has a turn like the others, or else none of those that come
// meanwhile could be made at once, however long they come.
func TestConcurrentEventsWaitForWhoAsksFirst(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	before := k.siteVersion()
	asks := k.slugged("asks")
	asks.ID = 777
	others := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		k.Must(k.db.Write(k.Ctx, func(context.Context, *content.Tx) error {
			all.Go(k.creates(1, asks, links))
			<-others
			return nil
		}))
	})
	waits(k.db.events.Creations.Waiting).await(k.Site, 0)
	all.Go(k.creates(1, k.slugged("one"), links))
	waits(k.db.events.Creations.Waiting).await(k.Site, 1)
	all.Go(k.creates(1, k.slugged("two"), links))
	waits(k.db.events.Creations.Waiting).await(k.Site, 2)
	close(others)
	all.Wait()
	k.Equal("transactions", k.Column(ways, k.Site, before), []string{"asks", "one two"})
}

// What can't be made at once takes nothing from those that share with it.
func TestConcurrentEventsFailAlone(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	before := k.siteVersion()
	k.newTogether(
		k.creates(1, k.slugged("one"), links),
		k.creates(1, k.slugged("same"), links),
		k.creates(1, k.slugged("same"), links),
		func() {
			err := k.db.Events().Create(k.Ctx, k.slugged("lost"), eventtest.VenueLinks(int64(99)))
			k.Refuses(err, "venue: problem.venue.unknown")
		},
		k.creates(1, k.slugged("two"), links),
	)
	k.Equal("transactions", k.Column(ways, k.Site, before), []string{"one same two", "same-2"})
	before = k.siteVersion()
	k.newTogether(
		k.creates(1, k.slugged("three"), links),
		func() { // which Postgres refuses
			orphan := k.slugged("orphan")
			orphan.Parent = 99
			k.Refuses(k.db.Events().Create(k.Ctx, orphan, links), "post_parent: problem.event.unknown")
		},
		k.creates(1, k.slugged("four"), links),
	)
	k.Equal("transactions", len(k.Column(ways, k.Site, before)), 2)
	k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
	k.Equal("events", k.Column(`SELECT slug FROM events WHERE site_id = $1 AND version > $2 ORDER BY slug`, k.Site, before), []string{"four", "three"})
}

// What the site has no room for, and a slug that is taken, concern those that have it.
func TestConcurrentEventsHaveRoomAndSlugs(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	k.Create(k.slugged("taken"), links)
	before := k.siteVersion()
	k.newTogether(
		k.creates(1, k.slugged("one"), links),
		k.creates(1, k.slugged("taken"), links),
		k.creates(1, k.slugged("two"), links),
	)
	k.Equal("transactions", k.Column(ways, k.Site, before), []string{"one two", "taken-2"})
	k.Exec(k.Site, `UPDATE sites SET overrides = jsonb_build_object('events', used_events + 2) WHERE id = $1`, k.Site)
	before = k.siteVersion()
	var full atomic.Int64
	var all []func()
	for n := range 3 {
		all = append(all, func() {
			err := k.db.Events().Create(k.Ctx, k.slugged(fmt.Sprint("room-", n)), links)
			if _, ok := errors.AsType[*tenancy.LimitError](err); ok {
				full.Add(1)
				return
			}
			k.Must(err)
		})
	}
	k.newTogether(all...)
	k.Equal("refused", full.Load(), int64(1))
	k.Equal("made", k.siteVersion(), before+2)
	k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
}

// TestCreateLooksForItsSlugAlone holds what new events cost apart from how many events
// and terms there are: slugs are looked for in their index, which is partial, and terms
// by id.
func TestCreateLooksForItsSlugAlone(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	k.Fill(k.Site, 3_000)
	k.Vacuum()
	for _, n := range []string{"create 1", "create 2", fmt.Sprint("create ", pg.MostTogether)} {
		made := events.Statements[n]
		k.In(k.Site, func(tx pgx.Tx) error {
			if _, err := tx.Exec(k.Context(), "PREPARE made AS "+made); err != nil {
				return err
			}
			nulls := []string{}
			for strings.Contains(made, fmt.Sprint("$", len(nulls)+1)) {
				nulls = append(nulls, "NULL")
			}
			rows, err := tx.Query(k.Context(), "EXPLAIN EXECUTE made("+strings.Join(nulls, ", ")+")", pgx.QueryExecModeSimpleProtocol)
			if err != nil {
				return err
			}
			lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
			text := strings.Join(lines, "\n")
			for _, part := range []string{
				`using events_slug_key on events e .*\n +Index Cond: \(\(site_id = \$1\) AND \(slug = `,
				`using terms_pkey on terms .*\n +Index Cond: \(\(site_id = \$1\) AND \(id = `,
			} {
				if !regexp.MustCompile(part).MatchString(text) {
					t.Errorf("%s: no %q in\n%s", n, part, text)
				}
			}
			_, failed := tx.Exec(k.Context(), "DEALLOCATE made")
			return errors.Join(err, failed)
		})
	}
}
