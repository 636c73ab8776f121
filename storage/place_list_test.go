package storage_test

import (
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
)

// placeCase is one query and the names it finds, in order.
type placeCase struct {
	name  string
	query calendar.PlaceQuery
	want  []string
}

func (p placeTest[T]) lists(cases []placeCase) {
	p.Helper()
	for _, c := range cases {
		c.query.PerPage = 50
		page, err := p.List(p.ctx, c.query)
		if err != nil {
			p.Errorf("%s: %v", c.name, err)
			continue
		}
		p.equal(c.name, p.names(page.Items), c.want)
		p.equal(c.name+": total", page.Total, len(c.want))
		p.equal(c.name+": version", page.Version, p.version.Load())
	}
}

func TestPlacePages(t *testing.T) {
	both(t, placePages[calendar.Venue], placePages[calendar.Organizer])
}

func placePages[T any](p placeTest[T]) {
	page, err := p.List(p.ctx, calendar.PlaceQuery{Page: 1, PerPage: 2})
	p.must(err)
	if page.Items == nil || len(page.Items) != 0 || page.Total != 0 {
		p.Errorf("empty list: %+v", page)
	}
	for _, c := range []struct {
		name string
		days int
	}{{"old", -2}, {"new", 3}, {"tie a", 0}, {"tie b", 0}, {"older", -9}} {
		p.add(c.name, p.with(1, calendar.Publish, c.days))
	}
	for n, want := range [][]string{{"new", "tie b"}, {"tie a", "old"}, {"older"}} {
		page, err := p.List(p.ctx, calendar.PlaceQuery{Page: n + 1, PerPage: 2})
		p.must(err)
		p.equal("page", p.names(page.Items), want)
		p.equal("total", page.Total, 5)
		p.equal("version", page.Version, int64(5))
	}
	_, err = p.List(p.ctx, calendar.PlaceQuery{Page: 4, PerPage: 2})
	p.wants(err, calendar.ErrPage)
	page, err = p.List(p.as(p.newSite("two"), 1), calendar.PlaceQuery{PerPage: 2, Viewer: calendar.Viewer{All: true}})
	p.must(err)
	p.equal("another site's", page.Total, 0)
	full := *p.full
	p.post(&full).Image = &calendar.Image{Key: "k", Created: noon, Sizes: []calendar.ImageSize{}}
	_, err = p.Create(p.ctx, calendar.Link[T]{New: &full})
	p.must(err)
	page, err = p.List(p.ctx, calendar.PlaceQuery{PerPage: 1, Search: wording.Search{Words: []string{wording.Fold("Café")}}})
	p.must(err)
	p.equal("everything of it", page.Items, []*T{&full})
}

func TestPlaceStatuses(t *testing.T) {
	both(t, placeStatuses[calendar.Venue], placeStatuses[calendar.Organizer])
}

func placeStatuses[T any](p placeTest[T]) {
	for n, status := range calendar.Statuses() {
		p.add("1 "+string(status), p.with(1, status, -n*2))
		p.add("2 "+string(status), p.with(2, status, -n*2-1))
	}
	p.add("nobody's draft", p.with(0, calendar.Draft, -50))
	all, own := calendar.Viewer{User: 3, All: true}, calendar.Viewer{User: 2}
	p.lists([]placeCase{
		{"the public", calendar.PlaceQuery{}, []string{"1 publish", "2 publish"}},
		{"the public asks for all", calendar.PlaceQuery{Statuses: calendar.Statuses()}, []string{"1 publish", "2 publish"}},
		{"the public asks for drafts", calendar.PlaceQuery{Statuses: []calendar.Status{calendar.Draft}}, []string{}},
		{"their own", calendar.PlaceQuery{Viewer: own}, []string{"1 publish", "2 publish", "2 future", "2 draft", "2 pending", "2 private"}},
		{"their own, some", calendar.PlaceQuery{Viewer: own, Statuses: []calendar.Status{calendar.Draft, calendar.Trash}},
			[]string{"2 draft", "2 trash"}},
		{"everybody's", calendar.PlaceQuery{Viewer: all}, []string{"1 publish", "2 publish", "1 future", "2 future", "1 draft",
			"2 draft", "1 pending", "2 pending", "1 private", "2 private", "nobody's draft"}},
		{"everybody's trash", calendar.PlaceQuery{Viewer: all, Statuses: []calendar.Status{calendar.Trash}}, []string{"1 trash", "2 trash"}},
	})
}

func TestPlaceSearch(t *testing.T) {
	both(t, placeSearch[calendar.Venue], placeSearch[calendar.Organizer])
}

func placeSearch[T any](p placeTest[T]) {
	for _, c := range []struct{ name, description, phone string }{
		{"Grand Hall", "<p>of music\nand dance</p>", "100%"},
		{"Café Süd", "music", "50"},
		{"Small hall", "grand_opening", `back\slash`},
	} {
		p.add(c.name, func(item *T) {
			_, description, phone := p.fields(item)
			*description, *phone = c.description, c.phone
			p.post(item).Slug = "s"
		})
	}
	find := func(words ...string) calendar.PlaceQuery {
		for i, w := range words {
			words[i] = wording.Fold(w)
		}
		return calendar.PlaceQuery{Search: wording.Search{Words: words}}
	}
	without := func(word string, words ...string) calendar.PlaceQuery {
		return calendar.PlaceQuery{Search: wording.Search{Words: words, Without: []string{word}}}
	}
	p.lists([]placeCase{
		{"a word", find("hall"), []string{"Small hall", "Grand Hall"}},
		{"in one field", find("grand", "hall"), []string{"Grand Hall"}},
		{"another field", find("MUSIC"), []string{"Café Süd", "Grand Hall"}},
		{"accents", find("cafe", "süd"), []string{"Café Süd"}},
		{"over a line's end", find("music and"), []string{"Grand Hall"}},
		{"over fields", find("hall", "music"), []string{}},
		{"percent", find("0%"), []string{"Grand Hall"}},
		{"underscore", find("d_o"), []string{"Small hall"}},
		{"backslash", find(`k\s`), []string{"Small hall"}},
		{"without", without("music"), []string{"Small hall"}},
		{"with and without", without("opening", "hall"), []string{"Grand Hall"}},
		{"no markup", find("<p>"), []string{}},
		{"nothing", find("nowhere"), []string{}},
	})
}

func TestPlaceEvents(t *testing.T) {
	both(t, placeEvents[calendar.Venue], placeEvents[calendar.Organizer])
}

func placeEvents[T any](p placeTest[T]) {
	ids := map[calendar.Status]int64{}
	for n, status := range calendar.Statuses() {
		id := p.id("of "+string(status), p.with(1, calendar.Publish, -n))
		ids[status] = p.event(int64(50+n), status, 2, 5)
		p.link(ids[status], id)
	}
	old := p.id("of old", p.with(1, calendar.Publish, -20))
	p.link(p.event(60, calendar.Publish, 2, -5), old)
	p.add("unlinked", p.with(1, calendar.Publish, -30))
	p.link(ids[calendar.Publish], old)
	p.link(p.event(61, calendar.Publish, 2, -5), old) // one of more than one
	all, own := calendar.Viewer{All: true}, calendar.Viewer{User: 2}
	p.lists([]placeCase{
		{"of an event", calendar.PlaceQuery{Event: ids[calendar.Publish]}, []string{"of publish", "of old"}},
		{"of one's own", calendar.PlaceQuery{Event: ids[calendar.Draft], Viewer: own}, []string{"of draft"}},
		{"of anybody's", calendar.PlaceQuery{Event: ids[calendar.Private], Viewer: all}, []string{"of private"}},
		{"with events", calendar.PlaceQuery{HasEvents: new(true)}, []string{"of publish", "of old"}},
		{"with events, own", calendar.PlaceQuery{HasEvents: new(true), Viewer: own}, []string{"of publish", "of future", "of private", "of old"}},
		{"with events, all", calendar.PlaceQuery{HasEvents: new(true), Viewer: all}, []string{"of publish", "of future", "of private", "of old"}},
		{"without", calendar.PlaceQuery{HasEvents: new(false)}, []string{"of future", "of draft", "of pending", "of private", "of trash", "unlinked"}},
		{"without, all", calendar.PlaceQuery{HasEvents: new(false), Viewer: all}, []string{"of draft", "of pending", "of trash", "unlinked"}},
		{"coming", calendar.PlaceQuery{UpcomingAfter: noon}, []string{"of publish", "of old"}},
		{"coming, own", calendar.PlaceQuery{UpcomingAfter: noon, Viewer: own},
			[]string{"of publish", "of future", "of draft", "of pending", "of private", "of old"}},
		{"coming, all", calendar.PlaceQuery{UpcomingAfter: noon, Viewer: all},
			[]string{"of publish", "of future", "of draft", "of pending", "of private", "of old"}},
		{"none so late", calendar.PlaceQuery{UpcomingAfter: noon.Add(5 * time.Hour)}, []string{}},
		{"together", calendar.PlaceQuery{UpcomingAfter: noon, Event: 60, HasEvents: new(true)}, []string{"of old"}},
	})
	for _, q := range []calendar.PlaceQuery{{Event: 99}, {Event: ids[calendar.Draft]}, {Event: ids[calendar.Private], Viewer: calendar.Viewer{User: 3}}} {
		_, err := p.List(p.ctx, q)
		p.refuses(err, "event", "problem.event.unknown")
	}
}
