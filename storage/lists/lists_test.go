package lists

import (
	"fmt"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/test/eventtest"
)

func TestListIsInOrderAndPaged(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.Event(eventtest.Titled("b"), eventtest.Starts(2*time.Hour))
	a := k.Event(eventtest.Titled("A"), eventtest.Starts(2*time.Hour))
	c := k.Event(eventtest.Titled("ç"), eventtest.Starts(time.Hour), func(e *calendar.Event) { e.End = e.End.Add(9 * time.Hour); e.EndUTC = e.EndUTC.Add(9 * time.Hour) })
	d := k.Event(eventtest.Titled("d"), eventtest.Starts(3*time.Hour), func(e *calendar.Event) { e.Date = eventtest.Monday.Add(-time.Hour) })
	k.Lists("by start, then id", calendar.EventQuery{}, c, b, a, d)
	k.Lists("descending", calendar.EventQuery{Descending: true}, d, b, a, c)
	k.Lists("by end", calendar.EventQuery{OrderBy: "end_date"}, b, a, d, c)
	k.Lists("by title", calendar.EventQuery{OrderBy: "title"}, a, b, c, d)
	k.Lists("by title, descending", calendar.EventQuery{OrderBy: "title", Descending: true}, d, c, b, a)
	k.Lists("by date", calendar.EventQuery{OrderBy: "date"}, d, b, a, c)
	k.Lists("by date, descending", calendar.EventQuery{OrderBy: "date", Descending: true}, b, a, c, d)
	k.Lists("by modified", calendar.EventQuery{OrderBy: "modified"}, b, a, c, d)

	for _, order := range []string{"start_date", "end_date"} { // both ways to count
		q := calendar.EventQuery{OrderBy: order, PerPage: 3, Page: 2}
		page := k.List(q)
		k.Equal("page 2", eventtest.Titles(page.Items), eventtest.Titles([]*calendar.Event{map[string]*calendar.Event{"start_date": d, "end_date": c}[order]}))
		k.Equal("total", page.Total, 4)
		k.Equal("version", page.Version, int64(4))
		q.Page = 3
		_, err := k.db.Events().List(k.Ctx, q)
		k.Wants(err, calendar.ErrPage)
	}
	empty, err := k.db.Events().List(k.As(k.NewSite("two"), 0), calendar.EventQuery{Page: 1, PerPage: 3})
	k.Must(err)
	k.Equal("nothing there", empty, calendar.Page[calendar.Event]{})
}

func TestTotalFollowsEveryWrite(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	other := k.open()
	for n := 1; n <= 3; n++ {
		e := k.Event()
		for _, db := range []*store{k.db, other, k.db} {
			page, err := db.Events().List(k.Ctx, calendar.EventQuery{})
			k.Must(err)
			k.Equal("total", page.Total, n)
		}
		k.Event(eventtest.Status(calendar.Draft))
		if n == 3 {
			_, err := other.Events().Delete(k.Ctx, calendar.Key{ID: e.ID}, func(*calendar.Event) error { return nil })
			k.Must(err)
			k.Equal("total", k.List(calendar.EventQuery{}).Total, 2)
		}
	}
}

func TestListWithinEdges(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	one := k.Event(eventtest.Titled("one"), eventtest.Starts(time.Hour))
	two := k.Event(eventtest.Titled("two"), eventtest.Starts(2*time.Hour))
	three := k.Event(eventtest.Titled("three"), eventtest.Starts(3*time.Hour))
	at := two.Start
	for _, c := range []struct {
		end     bool
		compare calendar.Compare
		want    []*calendar.Event
	}{
		{false, calendar.From, []*calendar.Event{two, three}},
		{false, calendar.After, []*calendar.Event{three}},
		{false, calendar.Until, []*calendar.Event{one, two}},
		{false, calendar.Before, []*calendar.Event{one}},
		{true, calendar.From, []*calendar.Event{two, three}},
		{true, calendar.After, []*calendar.Event{three}},
		{true, calendar.Until, []*calendar.Event{one, two}},
		{true, calendar.Before, []*calendar.Event{one}},
	} {
		edge := calendar.Edge{End: c.end, Compare: c.compare, At: at}
		if c.end {
			edge.At = at.Add(2 * time.Hour)
		}
		k.Lists(fmt.Sprint("wall ", c.end, c.compare), calendar.EventQuery{Edges: []calendar.Edge{edge}}, c.want...)
		edge.Instant, edge.At = true, edge.At.Add(-time.Hour).In(time.FixedZone("", 3600))
		k.Lists(fmt.Sprint("instant ", c.end, c.compare), calendar.EventQuery{Edges: []calendar.Edge{edge}}, c.want...)
	}
	k.Lists("two edges", calendar.EventQuery{Edges: []calendar.Edge{{Compare: calendar.After, At: one.Start}, {Compare: calendar.Before, At: three.Start}}}, two)
}

func TestListForViewers(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	stored := map[string]*calendar.Event{}
	for author := int64(1); author <= 2; author++ {
		for _, s := range calendar.Statuses() {
			e := k.Event(eventtest.Status(s), eventtest.Titled(fmt.Sprintf("%s %d", s, author)), func(e *calendar.Event) { e.Author = author })
			stored[e.Title] = e
		}
	}
	k.Event(eventtest.Titled("hidden"), func(e *calendar.Event) { e.Hidden = true })
	want := func(names ...string) (list []*calendar.Event) {
		for _, name := range names {
			list = append(list, stored[name])
		}
		return list
	}
	author, all := calendar.Viewer{User: 1}, calendar.Viewer{User: 1, All: true}
	k.Lists("public", calendar.EventQuery{}, want("publish 1", "publish 2")...)
	k.Lists("public asks for drafts", calendar.EventQuery{Statuses: []calendar.Status{calendar.Draft}})
	k.Lists("author", calendar.EventQuery{Viewer: author},
		want("publish 1", "future 1", "draft 1", "pending 1", "private 1", "publish 2")...)
	k.Lists("author's trash", calendar.EventQuery{Viewer: author, Statuses: []calendar.Status{calendar.Trash}}, want("trash 1")...)
	k.Lists("editor", calendar.EventQuery{Viewer: all}, want("publish 1", "future 1", "draft 1", "pending 1", "private 1",
		"publish 2", "future 2", "draft 2", "pending 2", "private 2")...)
	k.Lists("trash", calendar.EventQuery{Viewer: all, Statuses: []calendar.Status{calendar.Trash, calendar.Draft}},
		want("draft 1", "trash 1", "draft 2", "trash 2")...)
	k.Lists("published", calendar.EventQuery{Viewer: all, Statuses: []calendar.Status{calendar.Publish}}, want("publish 1", "publish 2")...)
	if page := k.List(calendar.EventQuery{WithHidden: true}); page.Total != 3 || len(page.Items) != 3 {
		t.Errorf("with hidden: %v", eventtest.Titles(page.Items))
	}
}

func TestListByFlags(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	yes, no := true, false
	plain := k.Event(eventtest.Titled("plain"))
	featured := k.Event(eventtest.Titled("featured"), func(e *calendar.Event) { e.Featured = true })
	ticketed := k.Event(eventtest.Titled("ticketed"), func(e *calendar.Event) { e.Tickets = []calendar.Ticket{{Name: "Seat"}} })
	child := k.Event(eventtest.Titled("child"), func(e *calendar.Event) { e.Parent = plain.ID })
	protected := k.Event(eventtest.Titled("protected"), func(e *calendar.Event) { e.Password = []byte{1} })
	k.Lists("featured", calendar.EventQuery{Featured: &yes}, featured)
	k.Lists("not featured", calendar.EventQuery{Featured: &no}, plain, ticketed, child, protected)
	k.Lists("ticketed", calendar.EventQuery{Ticketed: &yes}, ticketed)
	k.Lists("not ticketed", calendar.EventQuery{Ticketed: &no}, plain, featured, child, protected)
	k.Lists("children", calendar.EventQuery{Parent: plain.ID}, child)
	k.Lists("unprotected", calendar.EventQuery{Opener: &calendar.Opener{}}, plain, featured, ticketed, child)
	k.Lists("include", calendar.EventQuery{Include: []int64{child.ID, featured.ID, 999}}, featured, child)
	k.Lists("include nothing", calendar.EventQuery{Include: []int64{}})
}

func TestListBySearch(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	jazz := k.Event(eventtest.Titled("Jäzz night"), func(e *calendar.Event) {
		e.Description = "<p>Straße &amp; <b>Sa</b>xophon</p>"
		e.Excerpt = "100% _pure_"
	})
	rock := k.Event(eventtest.Titled("Rock night"), func(e *calendar.Event) { e.Description = `<p class="jazz">1000 back\slashes</p>` })
	find := func(words ...string) calendar.EventQuery {
		return calendar.EventQuery{Search: wording.Search{Words: words}}
	}
	k.Lists("folded", find("jazz"), jazz)
	k.Lists("both", find("night"), jazz, rock)
	k.Lists("all words", find("night", "strasse", "saxophon", "jazz", "ni"), jazz)
	k.Lists("across fields", find("night", "pure"), jazz)
	k.Lists("phrase", find("rock night"), rock)
	k.Lists("percent", find("0%"), jazz)
	k.Lists("percent, long", find("100% _"), jazz)
	k.Lists("underscore", find("_pure_"), jazz)
	k.Lists("backslash", find(`back\slash`), rock)
	k.Lists("short", find("z"), jazz)
	k.Lists("nothing", find("classical"))
	k.Lists("without", calendar.EventQuery{Search: wording.Search{Words: []string{"night"}, Without: []string{"rock", "pop"}}}, jazz)
	k.Lists("only without", calendar.EventQuery{Search: wording.Search{Without: []string{"jazz"}}}, rock)
}

// A list between instants is bounded by wall clocks, and loses nobody's: not of the
// zones that are farthest from UTC, now or ever.
func TestListsBetweenInstantsOfAllZones(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	at := eventtest.Monday.AddDate(0, 0, 7)
	for _, ahead := range []time.Duration{-15*time.Hour - 56*time.Minute, -12 * time.Hour, 0, 14 * time.Hour, 15*time.Hour + 14*time.Minute} {
		e := k.Event(func(e *calendar.Event) {
			e.StartUTC, e.EndUTC = at, at.Add(time.Hour)
			e.Start, e.End = at.Add(ahead), at.Add(ahead+time.Hour)
		})
		for _, c := range []struct {
			compare calendar.Compare
			end     bool
			from    time.Duration // after its start or end
			in      bool
		}{
			{calendar.From, false, 0, true}, {calendar.From, false, time.Second, false}, {calendar.After, false, 0, false},
			{calendar.Until, true, 0, true}, {calendar.Until, true, -time.Second, false}, {calendar.Before, false, time.Second, true},
			{calendar.Before, false, 0, false}, {calendar.After, true, -time.Second, true},
		} {
			edge := calendar.Edge{End: c.end, Compare: c.compare, At: at.Add(c.from), Instant: true}
			if c.end {
				edge.At = edge.At.Add(time.Hour)
			}
			want := 0
			if c.in {
				want = 1
			}
			page := k.List(calendar.EventQuery{Edges: []calendar.Edge{edge}})
			if len(page.Items) != want || page.Total != want {
				t.Errorf("%s ahead, %+v: %d of %d, want %d", ahead, c, len(page.Items), page.Total, want)
			}
		}
		_, err := k.db.Events().Delete(k.Ctx, calendar.Key{ID: e.ID}, func(*calendar.Event) error { return nil })
		k.Must(err)
	}
}

// Two filters whose values read alike are two: what was counted of one is not the total of the other.
func TestFiltersThatReadAlike(t *testing.T) {
	t.Parallel()
	keys := map[filterKey][]any{}
	for _, values := range [][]any{{1, []string{"a", "b"}}, {1, []string{"a b"}}, {1, "a", "b"}, {1, "a b"}, {"1", "a b"}} {
		b := &eventQuery{args: values}
		if other, known := keys[b.filter()]; known {
			t.Errorf("%#v has the key of %#v", values, other)
		}
		keys[b.filter()] = values
	}
	if of := func(words ...string) filterKey { return (&eventQuery{words: words}).filter() }; of("a", "b") == of("a b") {
		t.Error("words have the key of others")
	}
}
