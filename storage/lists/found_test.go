package lists

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/test/eventtest"
)

// TestFoundPage reads pages whose rows and links aren't remembered by what an earlier reading found: they are those of a reading
// that finds them itself, and nothing is looked for anew.
func TestFoundPage(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for n := range 12 {
		k.Create(k.Sample(eventtest.Titled(strings.Repeat("zebra ", n%3+1)), func(e *calendar.Event) {
			e.Start, e.End = e.Start.AddDate(0, 0, n%5), e.End.AddDate(0, 0, n%5)
		}), eventtest.VenueLinks(eventtest.Venue("Hall")))
	}
	weekly := k.Sample(eventtest.Titled("zebra in series"))
	weekly.Recurrence = &recur.Set{Rules: []recur.Rule{{Freq: recur.Weekly, Count: 6}}}
	k.Create(weekly, eventtest.VenueLinks(eventtest.Venue("Barn")))
	zebra := wording.Search{Words: []string{"zebra"}}
	for name, q := range map[string]calendar.EventQuery{
		"all":         {PerPage: 50},
		"search":      {PerPage: 4, Page: 2, Search: zebra},
		"descending":  {PerPage: 5, Descending: true},
		"by title":    {PerPage: 50, OrderBy: "title", Search: zebra},
		"first dates": {PerPage: 50, First: true},
		"none":        {PerPage: 50, Search: wording.Search{Words: []string{"giraffe"}}},
	} {
		k.Must(k.db.lists.meant(k.Ctx, q, func(n *meanings) (int64, error) {
			want := &reading{query: q, means: n}
			whole, err := k.db.lists.read(k.Ctx, want)
			k.Must(err)
			k.Equal(name+" is whole", whole, true)
			for _, byIDs := range []bool{true, false} {
				short := &reading{query: q, means: n, byIDs: byIDs, remembered: &linked.Site{}}
				k.db.lists.rows = newRowMemory(RowBytes)
				whole, err = k.db.lists.read(k.Ctx, short)
				k.Must(err)
				k.Equal(name+" is whole without what is remembered", whole, false)
				rest := &reading{query: q, means: n, found: short.found}
				whole, err = k.db.lists.read(k.Ctx, rest)
				k.Must(err)
				k.Equal(name+" is whole by what was found", whole, true)
				k.Equal(name, rest.page, want.page)
				if sql := rest.queryOf(k.Site).statement(false); strings.Contains(sql, "hits") || strings.Contains(sql, "event_texts") {
					t.Errorf("%s is looked for anew: %s", name, sql)
				}
			}
			return want.links, nil
		}))
	}
}

// TestFoundPageOfAnotherVersion changes a site between both readings of a page.
func TestFoundPageOfAnotherVersion(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Event()
	r := &reading{query: calendar.EventQuery{PerPage: 5}, byIDs: true, remembered: &linked.Site{}}
	_, err := k.db.lists.read(k.Ctx, r)
	k.Must(err)
	k.Event()
	late := &reading{query: r.query, found: r.found}
	whole, err := k.db.lists.read(k.Ctx, late)
	k.Must(err)
	k.Equal("whole, and still found", []any{whole, late.found == nil}, []any{false, true})
	k.Equal("list", len(k.List(r.query).Items), 2)
}
