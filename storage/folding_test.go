package storage

import (
	"testing"

	"github.com/kalends/kalends/calendar"
)

// TestRefold has texts as older rules folded them: they are folded anew once, what was
// changed meanwhile is left alone, and a node with older rules takes nothing back.
func TestRefold(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Event(func(e *calendar.Event) {
		e.Title, e.Description = "جشنوارهٔ کتاب\u200cها", "<p>कुल 1405</p>"
	})
	v, err := k.db.Venues().Create(k.Ctx, calendar.Link[calendar.Venue]{New: &calendar.Venue{Post: calendar.Post{Status: calendar.Publish, Author: 1}, Name: "تالار رودکی"}})
	k.Must(err)
	venue := v.ID
	other := k.Event(func(e *calendar.Event) { e.Title = "Plain" })
	searched := func() []string {
		return k.Column(`SELECT search FROM (
			SELECT 1 AS n, id, search FROM events WHERE site_id = $1
			UNION ALL SELECT 2, id, search FROM venues WHERE site_id = $1) x ORDER BY n, id`, k.Site)
	}
	want := searched()
	k.Outside(`INSERT INTO installation (secret) VALUES ('secret')`)
	k.Exec(k.Site, `UPDATE events SET search = 'جشنواره کتاب\u200cها' WHERE site_id = $1 AND id = $2`, k.Site, e.ID)
	k.Exec(k.Site, `UPDATE venues SET search = 'old' WHERE site_id = $1 AND id = $2`, k.Site, venue)
	before := k.Column(`SELECT version::text FROM events WHERE site_id = $1 AND id = $2`, k.Site, other.ID)
	version := k.Column(`SELECT version::text FROM sites WHERE id = $1`, k.Site)
	items, ok, err := k.db.RefoldLater(t.Context())
	k.Must(err)
	k.Equal("folded", ok, true)
	k.Equal("items", items, 2)
	k.Equal("texts", searched(), want)
	k.Equal("other events", k.Column(`SELECT version::text FROM events WHERE site_id = $1 AND id = $2`, k.Site, other.ID), before)
	if after := k.Column(`SELECT version::text FROM sites WHERE id = $1`, k.Site); after[0] == version[0] {
		t.Error("the site has no new version")
	}
	k.Exec(k.Site, `UPDATE venues SET search = 'old' WHERE site_id = $1`, k.Site)
	_, ok, err = k.db.RefoldLater(t.Context())
	k.Must(err)
	k.Equal("twice", ok, false)
	k.Outside(`UPDATE installation SET folding = 99`)
	_, ok, err = k.db.RefoldLater(t.Context())
	k.Must(err)
	k.Equal("by an older node", ok, false)
	k.Must(k.db.refold(t.Context(), k.Site, "venues", []folded{{id: venue, was: "meanwhile", now: "lost"}}))
	k.Equal("what was changed meanwhile", searched()[2], "old")
}
