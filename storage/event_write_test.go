package storage

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/test/eventtest"
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

func TestSlugsAreUnique(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	slug := func(s string, with ...func(*calendar.Event)) *calendar.Event {
		return k.Event(append(with, func(e *calendar.Event) { e.Slug = s })...)
	}
	first := slug("yoga")
	k.Equal("second", slug("yoga").Slug, "yoga-2")
	third := slug("yoga", eventtest.Status(calendar.Draft))
	k.Equal("third", third.Slug, "yoga-3")
	k.Equal("of a number", slug("yoga-2").Slug, "yoga-2-2")
	k.Equal("none", slug("").Slug, fmt.Sprint(5))
	k.Equal("none of a draft", slug("", eventtest.Status(calendar.Draft)).Slug, "")
	k.Equal("none of a pending one", slug("", eventtest.Status(calendar.Pending)).Slug, "")
	k.Equal("kept", k.Update(third.ID, changed(eventtest.Titled("other"), func(e *calendar.Event) { e.Slug = "yoga-3" })).Slug, "yoga-3")
	k.Equal("changed", k.Update(third.ID, changed(func(e *calendar.Event) { e.Slug = "yoga" })).Slug, "yoga-3")
	_, err := k.db.Events().Delete(k.Ctx, calendar.Key{ID: first.ID}, keep)
	k.Must(err)
	k.Equal("free again", slug("yoga").Slug, "yoga")
}

func TestConcurrentSlugsAreUnique(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	nodes := []*DB{k.db, k.open()}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := nodes[i%2].Events().Create(k.Ctx, k.Sample(eventtest.Titled("same")), eventtest.VenueLinks(eventtest.Venue("Hall"))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	slugs := k.Column(`SELECT slug FROM events WHERE site_id = $1 ORDER BY length(slug), slug`, k.Site)
	if len(slugs) != 20 || slugs[0] != "same" || slugs[19] != "same-20" {
		t.Errorf("%q", slugs)
	}
	k.Equal("venues", k.Column(`SELECT name FROM venues WHERE site_id = $1`, k.Site), []string{"Hall"})
}

func TestGetTellsTypesApart(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := eventtest.VenueLinks(eventtest.Venue("Hall"))
	links.Organizers = eventtest.OrganizerLinks(eventtest.Organizer("Ann")).Organizers
	e := k.Create(k.Sample(full), links)
	for _, id := range []int64{e.Venues[0].ID, e.Organizers[0].ID, e.Image.ID} {
		_, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: id})
		k.Wants(err, calendar.ErrWrongType)
		_, err = k.db.Events().Update(k.Ctx, calendar.Key{ID: id}, changed())
		k.Wants(err, calendar.ErrWrongType)
		_, err = k.db.Events().Delete(k.Ctx, calendar.Key{ID: id}, keep)
		k.Wants(err, calendar.ErrWrongType)
	}
	k.Event(eventtest.Status(calendar.Draft), func(e *calendar.Event) { e.Slug = "" })
	for _, key := range []calendar.Key{{ID: 999}, {Slug: "nope"}, {}} {
		_, err := k.db.Events().Get(k.Ctx, key)
		k.Wants(err, calendar.ErrNotFound)
	}
}

func TestImportedIDs(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := func(id int64) func(*calendar.Event) { return func(e *calendar.Event) { e.ID = id } }
	k.Equal("brought", k.Event(id(100)).ID, int64(100))
	k.Equal("next", k.Event().ID, int64(101))
	k.Equal("below", k.Event(id(7)).ID, int64(7))
	k.Equal("next", k.Event().ID, int64(102))
	k.Refuses(k.db.Events().Create(k.Ctx, k.Sample(id(7)), calendar.EventLinks{}), "id: problem.id.taken")
}

func TestRefusedWritesLeaveNothing(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Create(k.Sample(), eventtest.VenueLinks(eventtest.Venue("Hall")))
	hall := e.Venues[0].ID
	everything := func() []string {
		return k.Column(`
			SELECT 'event ' || e.id || e.title || e.version FROM events e WHERE e.site_id = $1
			UNION ALL SELECT 'venue ' || v.id FROM venues v WHERE v.site_id = $1
			UNION ALL SELECT 'organizer ' || g.id FROM organizers g WHERE g.site_id = $1
			UNION ALL SELECT 'term ' || c.id || c.count FROM terms c WHERE c.site_id = $1
			UNION ALL SELECT 'image ' || i.id FROM images i WHERE i.site_id = $1
			UNION ALL SELECT 'change ' || c.version || c.kind FROM changes c WHERE c.site_id = $1
			UNION ALL SELECT 'site ' || s.version || s.last_post_id || s.last_term_id FROM sites s WHERE s.id = $1
			ORDER BY 1`, k.Site)
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
		return k.db.Events().Create(k.Ctx, k.Sample(append([]func(*calendar.Event){full}, with...)...), fresh)
	}
	none := calendar.EventLinks{}
	k.Refuses(all(eventtest.VenueLinks(hall, int64(999))), "venue: problem.venue.unknown")
	k.Refuses(all(eventtest.OrganizerLinks(eventtest.Organizer("Eve"), hall)), "organizer: problem.organizer.unknown")
	k.Refuses(all(none, func(e *calendar.Event) { e.Parent = 999 }), "post_parent: problem.event.unknown")
	k.Refuses(all(none, func(e *calendar.Event) { e.Author = 999 }), "author: problem.author")
	k.Refuses(all(none, func(e *calendar.Event) { e.Image = &calendar.Image{ID: 999} }), "image: problem.image.unknown")
	k.Refuses(all(none, func(e *calendar.Event) { e.EndUTC = e.StartUTC.Add(-time.Second) }), "end_date: problem.end")
	unmade := eventtest.TermLinks("brand new")
	unmade.Create = false
	k.Refuses(k.db.Events().Create(k.Ctx, k.Sample(), calendar.EventLinks{Tags: unmade}), "tags: problem.term.unknown")

	stop := errors.New("stop")
	_, err := k.db.Events().Update(k.Ctx, calendar.Key{ID: e.ID}, func(e *calendar.Event) (calendar.EventLinks, error) {
		e.Title = "changed"
		return fullLinks(), stop
	})
	k.Wants(err, stop)
	_, err = k.db.Events().Update(k.Ctx, calendar.Key{ID: e.ID}, func(e *calendar.Event) (calendar.EventLinks, error) {
		full(e)
		e.Parent = 999
		return fullLinks(), nil
	})
	k.Refuses(err, "post_parent: problem.event.unknown")
	_, err = k.db.Events().Delete(k.Ctx, calendar.Key{ID: e.ID}, func(*calendar.Event) error { return stop })
	k.Wants(err, stop)
	k.Equal("everything", everything(), before)
}

func TestUpdateChangesOnlyGivenLinks(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Create(k.Sample(full), fullLinks())
	renamed := k.Update(e.ID, changed(eventtest.Titled("Renamed")))
	k.Equal("venues", renamed.Venues, e.Venues)
	k.Equal("tags", renamed.Tags, e.Tags)
	k.Equal("image", renamed.Image, e.Image)

	yard, hall := e.Venues[1], e.Venues[0]
	turned := k.Update(e.ID, func(e *calendar.Event) (calendar.EventLinks, error) {
		links := eventtest.VenueLinks(yard.ID, hall.ID, eventtest.Venue("YARD"), yard.ID)
		links.Categories = eventtest.TermLinks("jazz", "Opera", int64(999), "opera", e.Categories[0].ID)
		links.Tags = eventtest.TermLinks()
		return links, nil
	})
	k.Equal("turned", turned.Venues, []calendar.Venue{yard, hall})
	got, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
	k.Must(err)
	k.Equal("stored", got, turned)
	var names []string
	for _, c := range got.Categories {
		names = append(names, c.Name)
	}
	k.Equal("categories", names, []string{"Jazz", "Opera"})
	k.Equal("organizers", got.Organizers, e.Organizers)
	if len(got.Tags) != 0 {
		t.Errorf("tags %v", got.Tags)
	}
	cleared := k.Update(e.ID, func(e *calendar.Event) (calendar.EventLinks, error) {
		e.Image, e.Cost, e.Tickets, e.Password, e.Parent = nil, nil, nil, nil, 0
		links := eventtest.VenueLinks()
		links.Organizers = eventtest.OrganizerLinks().Organizers
		return links, nil
	})
	got, err = k.db.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
	k.Must(err)
	k.Equal("cleared", got, cleared)
	if len(got.Venues)+len(got.Organizers) != 0 || got.Image != nil || got.Cost != nil || got.Tickets != nil || got.Protected() {
		t.Errorf("left over %+v", got)
	}
}

func TestChangesAreLogged(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := fullLinks()
	e := k.Create(k.Sample(full, eventtest.Status(calendar.Draft)), links)
	for _, s := range []calendar.Status{calendar.Draft, calendar.Publish, calendar.Trash, calendar.Trash, calendar.Draft, calendar.Publish} {
		k.Update(e.ID, changed(eventtest.Status(s)))
	}
	_, err := k.db.Events().Delete(k.Ctx, calendar.Key{ID: e.ID}, keep)
	k.Must(err)
	log := k.Column(`SELECT version || ' ' || kind || ' ' || action FROM changes WHERE site_id = $1 AND user_id = 1 ORDER BY version, kind, id`, k.Site)
	k.Equal("log", log, []string{
		"1 category create", "1 category create", "1 event create", "1 image create", "1 image create", "1 organizer create",
		"1 organizer create", "1 tag create", "1 venue create", "1 venue create",
		"2 event update", "3 event publish", "4 event trash", "5 event update", "6 event restore", "7 event publish", "8 event delete",
	})
}

func TestDeleteTakesLinksAlong(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Create(k.Sample(full, eventtest.Status(calendar.Future)), fullLinks())
	child := k.Event(func(c *calendar.Event) { c.Parent = e.ID })
	_, err := k.db.Events().Delete(k.Ctx, calendar.Key{Slug: e.Slug}, keep)
	k.Must(err)
	k.Equal("left", k.Column(`
		SELECT 'occurrence' FROM occurrences WHERE site_id = $1 AND event_id = $2
		UNION ALL SELECT 'venue' FROM event_venues WHERE site_id = $1 AND event_id = $2
		UNION ALL SELECT 'organizer' FROM event_organizers WHERE site_id = $1 AND event_id = $2
		UNION ALL SELECT 'term' FROM event_terms WHERE site_id = $1 AND event_id = $2
		UNION ALL SELECT 'due' FROM schedule WHERE site_id = $1 AND id = $2`, k.Site, e.ID), []string(nil))
	got, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: child.ID})
	k.Must(err)
	k.Equal("parent", got.Parent, int64(0))
}

// TestOccurrencesOnlyWhenTheyChange: the row of an occurrence, which every list
// reads, is written anew by what changes it, and by nothing else.
func TestOccurrencesOnlyWhenTheyChange(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Event()
	row := func() string {
		return k.Column(`SELECT concat_ws(' ', start_local, end_local, start_utc, end_utc, listed) FROM occurrences WHERE site_id = $1`, k.Site)[0]
	}
	written := func() string { return k.Column(`SELECT xmin::text FROM occurrences WHERE site_id = $1`, k.Site)[0] }
	later := func(at *time.Time) { *at = at.Add(time.Hour) }
	for _, c := range []struct {
		name  string
		does  func(*calendar.Event)
		wrote bool
	}{
		{"title", eventtest.Titled("other"), false},
		{"status", eventtest.Status(calendar.Draft), true},
		{"still not listed", eventtest.Status(calendar.Private), false},
		{"listed again", eventtest.Status(calendar.Publish), true},
		{"hidden", func(e *calendar.Event) { e.Hidden = true }, true},
		{"start", func(e *calendar.Event) { later(&e.Start) }, true},
		{"end", func(e *calendar.Event) { later(&e.End) }, true},
		{"start in UTC", func(e *calendar.Event) { later(&e.StartUTC) }, true},
		{"end in UTC", func(e *calendar.Event) { later(&e.EndUTC) }, true},
		{"nothing", func(*calendar.Event) {}, false},
	} {
		before, was := written(), row()
		k.Update(e.ID, changed(c.does))
		k.Equal(c.name+" writes", written() != before, c.wrote)
		k.Equal(c.name+" changes", row() != was, c.wrote)
	}
}
