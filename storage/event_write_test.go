package storage

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
)

func keep(*calendar.Event) error { return nil }

// changed returns a change of the event alone.
func changed(with ...func(*calendar.Event)) func(*calendar.Event) (calendar.EventLinks, error) {
	return func(e *calendar.Event) (calendar.EventLinks, error) {
		for _, f := range with {
			f(e)
		}
		return calendar.EventLinks{}, nil
	}
}

func (k *kit) update(id int64, change func(*calendar.Event) (calendar.EventLinks, error)) *calendar.Event {
	k.Helper()
	e, err := k.db.Events().Update(k.ctx, calendar.Key{ID: id}, change)
	k.must(err)
	return e
}

func TestSlugsAreUnique(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	slug := func(s string, with ...func(*calendar.Event)) *calendar.Event {
		return k.event(append(with, func(e *calendar.Event) { e.Slug = s })...)
	}
	first := slug("yoga")
	k.equal("second", slug("yoga").Slug, "yoga-2")
	third := slug("yoga", status(calendar.Draft))
	k.equal("third", third.Slug, "yoga-3")
	k.equal("of a number", slug("yoga-2").Slug, "yoga-2-2")
	k.equal("none", slug("").Slug, fmt.Sprint(5))
	k.equal("none of a draft", slug("", status(calendar.Draft)).Slug, "")
	k.equal("none of a pending one", slug("", status(calendar.Pending)).Slug, "")
	k.equal("kept", k.update(third.ID, changed(titled("other"), func(e *calendar.Event) { e.Slug = "yoga-3" })).Slug, "yoga-3")
	k.equal("changed", k.update(third.ID, changed(func(e *calendar.Event) { e.Slug = "yoga" })).Slug, "yoga-3")
	_, err := k.db.Events().Delete(k.ctx, calendar.Key{ID: first.ID}, keep)
	k.must(err)
	k.equal("free again", slug("yoga").Slug, "yoga")
}

func TestSlugsAreUniqueAmongWritersAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	nodes := []*DB{k.db, k.open()}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := nodes[i%2].Events().Create(k.ctx, k.sample(titled("same")), venueLinks(venue("Hall"))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	slugs := k.column(`SELECT slug FROM events WHERE site_id = $1 ORDER BY length(slug), slug`, k.site)
	if len(slugs) != 20 || slugs[0] != "same" || slugs[19] != "same-20" {
		t.Errorf("%q", slugs)
	}
	k.equal("venues", k.column(`SELECT name FROM venues WHERE site_id = $1`, k.site), []string{"Hall"})
}

func TestGetTellsTypesApart(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := venueLinks(venue("Hall"))
	links.Organizers = organizerLinks(organizer("Ann")).Organizers
	e := k.create(k.sample(full), links)
	for _, id := range []int64{e.Venues[0].ID, e.Organizers[0].ID, e.Image.ID} {
		_, err := k.db.Events().Get(k.ctx, calendar.Key{ID: id})
		k.wants(err, calendar.ErrWrongType)
		_, err = k.db.Events().Update(k.ctx, calendar.Key{ID: id}, changed())
		k.wants(err, calendar.ErrWrongType)
		_, err = k.db.Events().Delete(k.ctx, calendar.Key{ID: id}, keep)
		k.wants(err, calendar.ErrWrongType)
	}
	k.event(status(calendar.Draft), func(e *calendar.Event) { e.Slug = "" })
	for _, key := range []calendar.Key{{ID: 999}, {Slug: "nope"}, {}} {
		_, err := k.db.Events().Get(k.ctx, key)
		k.wants(err, calendar.ErrNotFound)
	}
}

func TestImportedIDs(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := func(id int64) func(*calendar.Event) { return func(e *calendar.Event) { e.ID = id } }
	k.equal("brought", k.event(id(100)).ID, int64(100))
	k.equal("next", k.event().ID, int64(101))
	k.equal("below", k.event(id(7)).ID, int64(7))
	k.equal("next", k.event().ID, int64(102))
	k.refuses(k.db.Events().Create(k.ctx, k.sample(id(7)), calendar.EventLinks{}), "id: problem.id.taken")
}

func TestRefusedWritesLeaveNothing(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.create(k.sample(), venueLinks(venue("Hall")))
	hall := e.Venues[0].ID
	everything := func() []string {
		return k.column(`
			SELECT 'event ' || e.id || e.title || e.version FROM events e WHERE e.site_id = $1
			UNION ALL SELECT 'venue ' || v.id FROM venues v WHERE v.site_id = $1
			UNION ALL SELECT 'organizer ' || g.id FROM organizers g WHERE g.site_id = $1
			UNION ALL SELECT 'term ' || c.id || c.count FROM terms c WHERE c.site_id = $1
			UNION ALL SELECT 'image ' || i.id FROM images i WHERE i.site_id = $1
			UNION ALL SELECT 'change ' || c.version || c.kind FROM changes c WHERE c.site_id = $1
			UNION ALL SELECT 'site ' || s.version || s.last_post_id || s.last_term_id FROM sites s WHERE s.id = $1
			ORDER BY 1`, k.site)
	}
	before := everything()
	all := func(links calendar.EventLinks, with ...func(*calendar.Event)) error {
		fresh := fullLinks()
		if links.Venues != nil {
			fresh.Venues = links.Venues
		}
		if links.Organizers != nil {
			fresh.Organizers = links.Organizers
		}
		return k.db.Events().Create(k.ctx, k.sample(append([]func(*calendar.Event){full}, with...)...), fresh)
	}
	none := calendar.EventLinks{}
	k.refuses(all(venueLinks(hall, int64(999))), "venue: problem.venue.unknown")
	k.refuses(all(organizerLinks(organizer("Eve"), hall)), "organizer: problem.organizer.unknown")
	k.refuses(all(none, func(e *calendar.Event) { e.Parent = 999 }), "post_parent: problem.event.unknown")
	k.refuses(all(none, func(e *calendar.Event) { e.Author = 999 }), "author: problem.author")
	k.refuses(all(none, func(e *calendar.Event) { e.Image = &calendar.Image{ID: 999} }), "image: problem.image.unknown")
	k.refuses(all(none, func(e *calendar.Event) { e.EndUTC = e.StartUTC.Add(-time.Second) }), "end_date: problem.end")
	unmade := termLinks("brand new")
	unmade.Create = false
	k.refuses(k.db.Events().Create(k.ctx, k.sample(), calendar.EventLinks{Tags: unmade}), "tags: problem.term.unknown")

	stop := errors.New("stop")
	_, err := k.db.Events().Update(k.ctx, calendar.Key{ID: e.ID}, func(e *calendar.Event) (calendar.EventLinks, error) {
		e.Title = "changed"
		return fullLinks(), stop
	})
	k.wants(err, stop)
	_, err = k.db.Events().Update(k.ctx, calendar.Key{ID: e.ID}, func(e *calendar.Event) (calendar.EventLinks, error) {
		full(e)
		e.Parent = 999
		return fullLinks(), nil
	})
	k.refuses(err, "post_parent: problem.event.unknown")
	_, err = k.db.Events().Delete(k.ctx, calendar.Key{ID: e.ID}, func(*calendar.Event) error { return stop })
	k.wants(err, stop)
	k.equal("everything", everything(), before)
}

func TestUpdateChangesOnlyGivenLinks(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.create(k.sample(full), fullLinks())
	renamed := k.update(e.ID, changed(titled("Renamed")))
	k.equal("venues", renamed.Venues, e.Venues)
	k.equal("tags", renamed.Tags, e.Tags)
	k.equal("image", renamed.Image, e.Image)

	yard, hall := e.Venues[1], e.Venues[0]
	turned := k.update(e.ID, func(e *calendar.Event) (calendar.EventLinks, error) {
		links := venueLinks(yard.ID, hall.ID, venue("YARD"), yard.ID)
		links.Categories = termLinks("jazz", "Opera", int64(999), "opera", e.Categories[0].ID)
		links.Tags = termLinks()
		return links, nil
	})
	k.equal("turned", turned.Venues, []calendar.Venue{yard, hall})
	got, err := k.db.Events().Get(k.ctx, calendar.Key{ID: e.ID})
	k.must(err)
	k.equal("stored", got, turned)
	var names []string
	for _, c := range got.Categories {
		names = append(names, c.Name)
	}
	k.equal("categories", names, []string{"Jazz", "Opera"})
	k.equal("organizers", got.Organizers, e.Organizers)
	if len(got.Tags) != 0 {
		t.Errorf("tags %v", got.Tags)
	}
	cleared := k.update(e.ID, func(e *calendar.Event) (calendar.EventLinks, error) {
		e.Image, e.Cost, e.Tickets, e.Password, e.Parent = nil, nil, nil, nil, 0
		links := venueLinks()
		links.Organizers = organizerLinks().Organizers
		return links, nil
	})
	got, err = k.db.Events().Get(k.ctx, calendar.Key{ID: e.ID})
	k.must(err)
	k.equal("cleared", got, cleared)
	if len(got.Venues)+len(got.Organizers) != 0 || got.Image != nil || got.Cost != nil || got.Tickets != nil || got.Protected() {
		t.Errorf("left over %+v", got)
	}
}

func TestChangesAreLogged(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := fullLinks()
	e := k.create(k.sample(full, status(calendar.Draft)), links)
	for _, s := range []calendar.Status{calendar.Draft, calendar.Publish, calendar.Trash, calendar.Trash, calendar.Draft, calendar.Publish} {
		k.update(e.ID, changed(status(s)))
	}
	_, err := k.db.Events().Delete(k.ctx, calendar.Key{ID: e.ID}, keep)
	k.must(err)
	log := k.column(`SELECT version || ' ' || kind || ' ' || action FROM changes WHERE site_id = $1 AND user_id = 1 ORDER BY version, kind, id`, k.site)
	k.equal("log", log, []string{
		"1 category create", "1 category create", "1 event create", "1 image create", "1 image create", "1 organizer create",
		"1 organizer create", "1 tag create", "1 venue create", "1 venue create",
		"2 event update", "3 event publish", "4 event trash", "5 event update", "6 event restore", "7 event publish", "8 event delete",
	})
}

func TestDeleteTakesLinksAlong(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.create(k.sample(full, status(calendar.Future)), fullLinks())
	child := k.event(func(c *calendar.Event) { c.Parent = e.ID })
	_, err := k.db.Events().Delete(k.ctx, calendar.Key{Slug: e.Slug}, keep)
	k.must(err)
	k.equal("left", k.column(`
		SELECT 'occurrence' FROM occurrences WHERE site_id = $1 AND event_id = $2
		UNION ALL SELECT 'venue' FROM event_venues WHERE site_id = $1 AND event_id = $2
		UNION ALL SELECT 'organizer' FROM event_organizers WHERE site_id = $1 AND event_id = $2
		UNION ALL SELECT 'term' FROM event_terms WHERE site_id = $1 AND event_id = $2
		UNION ALL SELECT 'due' FROM schedule WHERE site_id = $1 AND id = $2`, k.site, e.ID), []string(nil))
	got, err := k.db.Events().Get(k.ctx, calendar.Key{ID: child.ID})
	k.must(err)
	k.equal("parent", got.Parent, int64(0))
}

// TestOccurrencesOnlyWhenTheyChange: the row of an occurrence, which every list
// reads, is written anew by what changes it, and by nothing else.
func TestOccurrencesOnlyWhenTheyChange(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.event()
	row := func() string {
		return k.column(`SELECT concat_ws(' ', start_local, end_local, start_utc, end_utc, listed) FROM occurrences WHERE site_id = $1`, k.site)[0]
	}
	written := func() string { return k.column(`SELECT xmin::text FROM occurrences WHERE site_id = $1`, k.site)[0] }
	later := func(at *time.Time) { *at = at.Add(time.Hour) }
	for _, c := range []struct {
		name  string
		does  func(*calendar.Event)
		wrote bool
	}{
		{"title", titled("other"), false},
		{"status", status(calendar.Draft), true},
		{"still not listed", status(calendar.Private), false},
		{"listed again", status(calendar.Publish), true},
		{"hidden", func(e *calendar.Event) { e.Hidden = true }, true},
		{"start", func(e *calendar.Event) { later(&e.Start) }, true},
		{"end", func(e *calendar.Event) { later(&e.End) }, true},
		{"start in UTC", func(e *calendar.Event) { later(&e.StartUTC) }, true},
		{"end in UTC", func(e *calendar.Event) { later(&e.EndUTC) }, true},
		{"nothing", func(*calendar.Event) {}, false},
	} {
		before, was := written(), row()
		k.update(e.ID, changed(c.does))
		k.equal(c.name+" writes", written() != before, c.wrote)
		k.equal(c.name+" changes", row() != was, c.wrote)
	}
}
