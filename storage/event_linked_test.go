package storage

import (
	"slices"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

func TestListByTerms(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	term := func(name string, parent int64) int64 {
		c := &calendar.Term{Name: name, Slug: wording.Slug(name), Parent: parent}
		k.must(k.db.Terms(calendar.Categories).Create(k.ctx, c, false))
		return c.ID
	}
	music := term("Music", 0)
	jazz := term("Jazz", music)
	bebop := term("Be Bop", jazz)
	sport := term("Sport", 0)
	with := func(title string, tag string, ids ...any) *calendar.Event {
		return k.create(k.sample(titled(title)), calendar.EventLinks{Categories: termLinks(ids...), Tags: termLinks(tag)})
	}
	a := with("a", "red", bebop)
	b := with("b", "blue", music, jazz)
	c := with("c", "red", sport)
	k.event(titled("d"))
	in := func(refs ...any) calendar.EventQuery { return calendar.EventQuery{Categories: termLinks(refs...).Refs} }
	k.lists("with descendants", in(music), a, b)
	k.lists("by slug", in("jazz"), a, b)
	k.lists("by name", in("be bop"), a)
	k.lists("any of them", in(sport, "be-bop"), a, c)
	k.lists("tag", calendar.EventQuery{Tags: termLinks("red").Refs}, a, c)
	k.lists("category and tag", calendar.EventQuery{Categories: termLinks(music).Refs, Tags: termLinks("red", "green").Refs[:1]}, a)
	for _, refs := range []args.Refs{termLinks(int64(999)).Refs, termLinks("music", "nope").Refs, termLinks("red").Refs, {{ID: a.Tags[0].ID}}} {
		_, err := k.db.Events().List(k.ctx, calendar.EventQuery{Categories: refs})
		k.refuses(err, "categories: problem.category.named")
	}
	_, err := k.db.Events().List(k.ctx, calendar.EventQuery{Categories: termLinks("nope").Refs, Tags: termLinks("nope").Refs})
	k.refuses(err, "categories: problem.category.named", "tags: problem.tag.named")
	paths := []string{}
	for _, e := range k.list(calendar.EventQuery{}).Items {
		for _, c := range e.Categories {
			paths = append(paths, c.Path)
		}
	}
	k.equal("paths", paths, []string{"music/jazz/be-bop", "music/jazz", "music", "sport"})
}

func TestListByPlaces(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	draft := venue("Draft")
	draft.Status, draft.Author = calendar.Draft, 2
	both := venueLinks(venue("Hall"), venue("Yard"))
	both.Organizers = organizerLinks(organizer("Ann"), organizer("Zoe")).Organizers
	a := k.create(k.sample(titled("a")), both)
	hall, yard := a.Venues[0].ID, a.Venues[1].ID
	links := venueLinks(yard, draft)
	links.Organizers = organizerLinks(a.Organizers[1].ID).Organizers
	b := k.create(k.sample(titled("b")), links)
	k.lists("venue", calendar.EventQuery{Venues: []int64{hall}}, a)
	k.lists("venues", calendar.EventQuery{Venues: []int64{hall, yard}}, a, b)
	k.lists("organizer", calendar.EventQuery{Organizers: []int64{a.Organizers[1].ID}}, a, b)
	k.lists("both", calendar.EventQuery{Venues: []int64{yard}, Organizers: []int64{a.Organizers[0].ID}}, a)

	hidden := b.Venues[1].ID
	for _, viewer := range []calendar.Viewer{{}, {User: 1}} {
		_, err := k.db.Events().List(k.ctx, calendar.EventQuery{Viewer: viewer, Venues: []int64{hall, hidden}, Organizers: []int64{hall}, Parent: hall})
		k.refuses(err, "venue: problem.venue.unknown", "organizer: problem.organizer.unknown", "post_parent: problem.event.unknown")
	}
	k.lists("its author", calendar.EventQuery{Viewer: calendar.Viewer{User: 2}, Venues: []int64{hidden}}, b)
	k.lists("an editor", calendar.EventQuery{Viewer: calendar.Viewer{User: 1, All: true}, Venues: []int64{hidden}}, b)
}

func TestListByLocation(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	at := func(name string, lat, lng float64, with ...func(*calendar.Venue)) *calendar.Event {
		v := venue(name)
		v.GeoLat, v.GeoLng = &lat, &lng
		for _, f := range with {
			f(v)
		}
		return k.create(k.sample(titled(name)), venueLinks(v))
	}
	munich := at("Munich", 48.137, 11.575)
	augsburg := at("Augsburg", 48.371, 10.898)
	fiji := at("Fiji", -17.8, 179.9)
	samoa := at("Taveuni", -16.9, -179.95)
	pole := at("Pole", 89.9, 100)
	secret := at("Secret", 48.137, 11.575, func(v *calendar.Venue) { v.Status, v.Author = calendar.Private, 2 })
	nowhere := k.create(k.sample(titled("Nowhere")), venueLinks(venue("Nowhere")))
	yes, no := true, false
	k.lists("located", calendar.EventQuery{Located: &yes}, munich, augsburg, fiji, samoa, pole)
	k.lists("not located", calendar.EventQuery{Located: &no}, secret, nowhere)
	k.lists("located, to its author", calendar.EventQuery{Located: &yes, Viewer: calendar.Viewer{User: 2}}, munich, augsburg, fiji, samoa, pole, secret)
	near := func(lat, lng, km float64) calendar.EventQuery {
		return calendar.EventQuery{Near: &calendar.Circle{Lat: lat, Lng: lng, Km: km}}
	}
	k.lists("at the point", near(48.137, 11.575, 0), munich)
	k.lists("56.4 km", near(48.137, 11.575, 56.5), munich, augsburg)
	k.lists("not 56.4 km", near(48.137, 11.575, 56.2), munich)
	k.lists("over the meridian, from the east", near(-17.8, 179.9, 120), fiji, samoa)
	k.lists("over the meridian, from the west", near(-16.9, -179.95, 120), fiji, samoa)
	k.lists("around the pole", near(89.9, -80, 30), pole)
	k.lists("the whole earth", near(0, 0, 20038), munich, augsburg, fiji, samoa, pole)
	k.lists("as an editor", calendar.EventQuery{Near: &calendar.Circle{Lat: 48.137, Lng: 11.575, Km: 1}, Viewer: calendar.Viewer{All: true}}, munich, secret)
}

func TestNestedIsInOrder(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := venueLinks(venue("Z"), venue("A"), venue("M"))
	links.Tags = termLinks("zeta", "Alpha", "éa", "beta")
	e := k.create(k.sample(), links)
	got, err := k.db.Events().Get(k.ctx, calendar.Key{ID: e.ID})
	k.must(err)
	var names []string
	for _, v := range got.Venues {
		names = append(names, v.Name)
	}
	for _, c := range got.Tags {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, []string{"Z", "A", "M", "Alpha", "beta", "zeta", "éa"}) {
		t.Errorf("%q", names)
	}
	k.equal("as created", e, got)
}
