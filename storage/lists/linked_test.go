package lists

import (
	"slices"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/test/eventtest"
)

func TestListByTerms(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	term := func(name string, parent int64) int64 {
		c := &calendar.Term{Name: name, Slug: wording.Slug(name), Parent: parent}
		k.Must(k.db.Terms(calendar.Categories).Create(k.Ctx, c, false))
		return c.ID
	}
	music := term("Music", 0)
	jazz := term("Jazz", music)
	bebop := term("Be Bop", jazz)
	sport := term("Sport", 0)
	with := func(title string, tag string, ids ...any) *calendar.Event {
		return k.Create(k.Sample(eventtest.Titled(title)), calendar.EventLinks{Categories: eventtest.TermLinks(ids...), Tags: eventtest.TermLinks(tag)})
	}
	a := with("a", "red", bebop)
	b := with("b", "blue", music, jazz)
	c := with("c", "red", sport)
	k.Event(eventtest.Titled("d"))
	in := func(refs ...any) calendar.EventQuery {
		return calendar.EventQuery{Categories: eventtest.TermLinks(refs...).Refs}
	}
	k.Lists("with descendants", in(music), a, b)
	k.Lists("by slug", in("jazz"), a, b)
	k.Lists("by name", in("be bop"), a)
	k.Lists("any of them", in(sport, "be-bop"), a, c)
	k.Lists("tag", calendar.EventQuery{Tags: eventtest.TermLinks("red").Refs}, a, c)
	k.Lists("category and tag", calendar.EventQuery{Categories: eventtest.TermLinks(music).Refs, Tags: eventtest.TermLinks("red", "green").Refs[:1]}, a)
	for _, refs := range []args.Refs{eventtest.TermLinks(int64(999)).Refs, eventtest.TermLinks("music", "nope").Refs, eventtest.TermLinks("red").Refs, {{ID: a.Tags[0].ID}}} {
		_, err := k.db.Events().List(k.Ctx, calendar.EventQuery{Categories: refs})
		k.Refuses(err, "categories: problem.category.named")
	}
	_, err := k.db.Events().List(k.Ctx, calendar.EventQuery{Categories: eventtest.TermLinks("nope").Refs, Tags: eventtest.TermLinks("nope").Refs})
	k.Refuses(err, "categories: problem.category.named", "tags: problem.tag.named")
	paths := []string{}
	for _, e := range k.List(calendar.EventQuery{}).Items {
		for _, c := range e.Categories {
			paths = append(paths, c.Path)
		}
	}
	k.Equal("paths", paths, []string{"music/jazz/be-bop", "music/jazz", "music", "sport"})
}

func TestListByPlaces(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	draft := eventtest.Venue("Draft")
	draft.Status, draft.Author = calendar.Draft, 2
	both := eventtest.VenueLinks(eventtest.Venue("Hall"), eventtest.Venue("Yard"))
	both.Organizers = eventtest.OrganizerLinks(eventtest.Organizer("Ann"), eventtest.Organizer("Zoe")).Organizers
	a := k.Create(k.Sample(eventtest.Titled("a")), both)
	hall, yard := a.Venues[0].ID, a.Venues[1].ID
	links := eventtest.VenueLinks(yard, draft)
	links.Organizers = eventtest.OrganizerLinks(a.Organizers[1].ID).Organizers
	b := k.Create(k.Sample(eventtest.Titled("b")), links)
	k.Lists("venue", calendar.EventQuery{Venues: []int64{hall}}, a)
	k.Lists("venues", calendar.EventQuery{Venues: []int64{hall, yard}}, a, b)
	k.Lists("organizer", calendar.EventQuery{Organizers: []int64{a.Organizers[1].ID}}, a, b)
	k.Lists("both", calendar.EventQuery{Venues: []int64{yard}, Organizers: []int64{a.Organizers[0].ID}}, a)

	hidden := b.Venues[1].ID
	for _, viewer := range []calendar.Viewer{{}, {User: 1}} {
		_, err := k.db.Events().List(k.Ctx, calendar.EventQuery{Viewer: viewer, Venues: []int64{hall, hidden}, Organizers: []int64{hall}, Parent: hall})
		k.Refuses(err, "venue: problem.venue.unknown", "organizer: problem.organizer.unknown", "post_parent: problem.event.unknown")
	}
	k.Lists("its author", calendar.EventQuery{Viewer: calendar.Viewer{User: 2}, Venues: []int64{hidden}}, b)
	k.Lists("an editor", calendar.EventQuery{Viewer: calendar.Viewer{User: 1, All: true}, Venues: []int64{hidden}}, b)
}

func TestListByLocation(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	at := func(name string, lat, lng float64, with ...func(*calendar.Venue)) *calendar.Event {
		v := eventtest.Venue(name)
		v.GeoLat, v.GeoLng = &lat, &lng
		for _, f := range with {
			f(v)
		}
		return k.Create(k.Sample(eventtest.Titled(name)), eventtest.VenueLinks(v))
	}
	munich := at("Munich", 48.137, 11.575)
	augsburg := at("Augsburg", 48.371, 10.898)
	fiji := at("Fiji", -17.8, 179.9)
	samoa := at("Taveuni", -16.9, -179.95)
	pole := at("Pole", 89.9, 100)
	secret := at("Secret", 48.137, 11.575, func(v *calendar.Venue) { v.Status, v.Author = calendar.Private, 2 })
	nowhere := k.Create(k.Sample(eventtest.Titled("Nowhere")), eventtest.VenueLinks(eventtest.Venue("Nowhere")))
	yes, no := true, false
	k.Lists("located", calendar.EventQuery{Located: &yes}, munich, augsburg, fiji, samoa, pole)
	k.Lists("not located", calendar.EventQuery{Located: &no}, secret, nowhere)
	k.Lists("located, to its author", calendar.EventQuery{Located: &yes, Viewer: calendar.Viewer{User: 2}}, munich, augsburg, fiji, samoa, pole, secret)
	near := func(lat, lng, km float64) calendar.EventQuery {
		return calendar.EventQuery{Near: &calendar.Circle{Lat: lat, Lng: lng, Km: km}}
	}
	k.Lists("at the point", near(48.137, 11.575, 0), munich)
	k.Lists("56.4 km", near(48.137, 11.575, 56.5), munich, augsburg)
	k.Lists("not 56.4 km", near(48.137, 11.575, 56.2), munich)
	k.Lists("over the meridian, from the east", near(-17.8, 179.9, 120), fiji, samoa)
	k.Lists("over the meridian, from the west", near(-16.9, -179.95, 120), fiji, samoa)
	k.Lists("around the pole", near(89.9, -80, 30), pole)
	k.Lists("the whole earth", near(0, 0, 20038), munich, augsburg, fiji, samoa, pole)
	k.Lists("as an editor", calendar.EventQuery{Near: &calendar.Circle{Lat: 48.137, Lng: 11.575, Km: 1}, Viewer: calendar.Viewer{All: true}}, munich, secret)
}

func TestNestedIsInOrder(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := eventtest.VenueLinks(eventtest.Venue("Z"), eventtest.Venue("A"), eventtest.Venue("M"))
	links.Tags = eventtest.TermLinks("zeta", "Alpha", "éa", "beta")
	e := k.Create(k.Sample(), links)
	got, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
	k.Must(err)
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
	k.Equal("as created", e, got)
}
