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
	e := k.event(func(e *calendar.Event) {
		e.Title, e.Description = "جشنوارهٔ کتاب\u200cها", "<p>कुल 1405</p>"
	})
	v, err := k.db.Venues().Create(k.ctx, calendar.Link[calendar.Venue]{New: &calendar.Venue{Post: calendar.Post{Status: calendar.Publish, Author: 1}, Name: "تالار رودکی"}})
	k.must(err)
	venue := v.ID
	other := k.event(func(e *calendar.Event) { e.Title = "Plain" })
	searched := func() []string {
		return k.column(`SELECT search FROM (
			SELECT 1 AS n, id, search FROM events WHERE site_id = $1
			UNION ALL SELECT 2, id, search FROM venues WHERE site_id = $1) x ORDER BY n, id`, k.site)
	}
	want := searched()
	k.outside(`INSERT INTO installation (secret) VALUES ('secret')`)
	k.exec(k.site, `UPDATE events SET search = 'جشنواره کتاب\u200cها' WHERE site_id = $1 AND id = $2`, k.site, e.ID)
	k.exec(k.site, `UPDATE venues SET search = 'old' WHERE site_id = $1 AND id = $2`, k.site, venue)
	before := k.column(`SELECT version::text FROM events WHERE site_id = $1 AND id = $2`, k.site, other.ID)
	version := k.column(`SELECT version::text FROM sites WHERE id = $1`, k.site)
	items, ok, err := k.db.RefoldLater(t.Context())
	k.must(err)
	k.equal("folded", ok, true)
	k.equal("items", items, 2)
	k.equal("texts", searched(), want)
	k.equal("other events", k.column(`SELECT version::text FROM events WHERE site_id = $1 AND id = $2`, k.site, other.ID), before)
	if after := k.column(`SELECT version::text FROM sites WHERE id = $1`, k.site); after[0] == version[0] {
		t.Error("the site has no new version")
	}
	k.exec(k.site, `UPDATE venues SET search = 'old' WHERE site_id = $1`, k.site)
	_, ok, err = k.db.RefoldLater(t.Context())
	k.must(err)
	k.equal("twice", ok, false)
	k.outside(`UPDATE installation SET folding = 99`)
	_, ok, err = k.db.RefoldLater(t.Context())
	k.must(err)
	k.equal("by an older node", ok, false)
	k.must(k.db.refold(t.Context(), k.site, "venues", []folded{{id: venue, was: "meanwhile", now: "lost"}}))
	k.equal("what was changed meanwhile", searched()[2], "old")
}
