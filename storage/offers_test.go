package storage_test

import (
	"testing"

	"github.com/kalends/kalends/calendar"
)

// TestOffers: what is offered is what the viewer may see of their own site, the
// newest places first, and no more than was asked for.
func TestOffers(t *testing.T) {
	t.Parallel()
	p := placeTest[calendar.Venue]{newPlaceBench(t), venueKit, nil}
	p.PlaceStore = p.db.Venues()
	old := p.id("Old", p.with(2, calendar.Publish, -1))
	mine := p.id("Mine", p.with(1, calendar.Draft, 0))
	theirs := p.id("Theirs", p.with(2, calendar.Draft, 1))
	p.id("Gone", p.with(1, calendar.Trash, 2))
	organizer, err := p.db.Organizers().Create(p.ctx, calendar.Link[calendar.Organizer]{New: organizerKit.named("Choir")})
	p.must(err)
	for _, name := range []string{"b", "A", "c"} {
		p.must(p.db.Terms(calendar.Categories).Create(p.ctx, &calendar.Term{Name: name, Slug: name}, true))
	}
	p.must(p.db.Terms(calendar.Tags).Create(p.ctx, &calendar.Term{Name: "tag", Slug: "tag"}, true))

	ids := func(list []calendar.Named) []int64 {
		found := []int64{}
		for _, one := range list {
			found = append(found, one.ID)
		}
		return found
	}
	all := calendar.OfferQuery{Venues: 9, Organizers: 9, Categories: 9, Authors: 9, Viewer: calendar.Viewer{User: 1}}
	o, err := p.db.Offers(p.ctx, all)
	p.must(err)
	p.equal("venues", o.Venues, []calendar.Named{{ID: mine, Name: "Mine"}, {ID: old, Name: "Old"}})
	p.equal("organizers", o.Organizers, []calendar.Named{{ID: organizer.ID, Name: "Choir"}})
	p.equal("authors", o.Authors, []calendar.Named{{ID: 1, Name: "user1"}, {ID: 2, Name: "user2"}, {ID: 3, Name: "user3"}})
	p.equal("categories", termIDs(o.Categories), []int64{2, 1, 3})

	o, err = p.db.Offers(p.ctx, calendar.OfferQuery{Venues: 2, Categories: 1, Viewer: calendar.Viewer{All: true}})
	p.must(err)
	p.equal("two of all venues", ids(o.Venues), []int64{theirs, mine})
	p.equal("one category", termIDs(o.Categories), []int64{2})
	p.equal("what wasn't asked for", len(o.Organizers)+len(o.Authors), 0)

	all.Viewer.All = true
	o, err = p.db.Offers(p.as(p.newSite("two"), 1), all)
	p.must(err)
	p.equal("what another site is offered", len(o.Venues)+len(o.Organizers)+len(o.Categories)+len(o.Authors), 0)
}
