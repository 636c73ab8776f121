package lists

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"
	"weak"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/test/eventtest"
)

// TestRememberedLinks writes at random to everything events are linked to, and
// compares what a store that remembers answers with one that just started.
func TestRememberedLinks(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 2))
	long := strings.Repeat("as long as a page of a list is ", 40) // so that a connection's buffer is used again
	venues, organizers := []string{"Hall", "Park", "Barn", long}, []string{"Ann", "Bob"}
	for range 15 {
		links := eventtest.VenueLinks(eventtest.Venue(venues[random.IntN(4)]))
		links.Organizers = eventtest.OrganizerLinks(eventtest.Organizer(organizers[random.IntN(2)])).Organizers
		links.Categories, links.Tags = eventtest.TermLinks("red", "green"), eventtest.TermLinks("blue")
		k.Create(k.Sample(func(e *calendar.Event) {
			e.Description = long + long
			e.Texts = translations.Of(map[string]translations.Text{"de": {Title: e.Title + " auf Deutsch", Cost: []string{"5"}}})
		}), links)
	}
	german := calendar.EventQuery{Page: 1, PerPage: 15, Texts: calendar.TextQuery{In: []string{"de"}, Several: true}}
	byIDs := 0
	for range 60 {
		k.Disturb(random)
		k.Equal("wrong links", k.Column(eventtest.WrongLinks, k.Site), []string(nil))
		fresh := k.open()
		for range knownBefore + 2 { // the second list has remembered links, the last one remembered rows
			if own, other := k.db.lists.rows.of(k.Site, &calendar.EventQuery{}), k.db.lists.rows.of(k.Site, &german); own.sure() && other.sure() {
				byIDs++
			}
			translated, err := fresh.Events().List(k.Ctx, german)
			k.Must(err)
			k.Equal("list in German", k.List(german), translated)
			got := k.List(calendar.EventQuery{})
			want, err := fresh.Events().List(k.Ctx, calendar.EventQuery{Page: 1, PerPage: 15})
			k.Must(err)
			k.Equal("list", got, want)
			for _, e := range want.Items {
				one, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
				k.Must(err)
				one.Texts, e.Texts = translations.Texts{}, translations.Texts{} // lists read those of their languages alone
				k.Equal("event", one, e)
			}
		}
		fresh.Close()
	}
	if byIDs == 0 {
		t.Error("no list had remembered rows")
	}
}

// sentRow is a row as Postgres sent it.
type sentRow struct {
	pgx.Rows
	values [][]byte
}

func (r sentRow) RawValues() [][]byte { return r.values }

// TestRememberedRowsStandAlone: what is remembered of a row is a copy, so the row that was read goes.
func TestRememberedRowsStandAlone(t *testing.T) {
	t.Parallel()
	r := rowsRead{memory: newRowMemory(RowBytes), remembered: &siteRows{version: -1}}
	read := func() weak.Pointer[byte] {
		f := &pg.Fields{}
		languages := binary.BigEndian.AppendUint32(nil, 1) // an array of one text
		languages = append(languages, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 'd', 'e')
		f.Row(sentRow{values: [][]byte{[]byte(strings.Repeat("long", 1000)), languages, []byte(`{"de":{"title":"Titel"}}`)}})
		whole := unsafe.SliceData(f.Peek())
		f.Skip(1)
		e := &calendar.Event{}
		names := f.Texts()
		e.ID, e.Texts = 7, translations.Stored(f.Peek(), names)
		f.Skip(1)
		if len(names) != 1 || names[0] != "de" {
			t.Fatalf("languages %q", names)
		}
		r.note(1, e, f, 0)
		return weak.Make(whole)
	}
	whole := read()
	runtime.GC()
	runtime.GC()
	if whole.Value() != nil {
		t.Error("the whole row is kept")
	}
	if texts := r.fresh[7].texts; !slices.Equal(texts.Languages(), []string{"de"}) || texts.All()["de"].Title != "Titel" {
		t.Errorf("texts %v %v", texts.Languages(), texts.All())
	}
}

// TestRememberedRows: a page that has other rows than those remembered is read again, what
// is remembered of a site is bounded, and so is what is remembered of all of them.
func TestRememberedRows(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	long := strings.Repeat("x", longestRow-2000)
	for range siteRowBytes/longestRow + 4 {
		k.Event(func(e *calendar.Event) { e.Description = long })
	}
	tooLong := k.Event(func(e *calendar.Event) { e.Description = long + long })
	rows := func() rowsRead { return k.db.lists.rows.of(k.Site, &calendar.EventQuery{}) }
	sure := func() bool { r := rows(); return r.sure() }
	for range knownBefore + 2 {
		k.Equal("first page", len(k.List(calendar.EventQuery{PerPage: 3}).Items), 3)
	}
	k.Equal("read by ids", sure(), true)
	second := k.List(calendar.EventQuery{PerPage: 3, Page: 2})
	k.Equal("second page, of which nothing is remembered", len(second.Items), 3)
	for range knownBefore {
		k.Equal("second page", k.List(calendar.EventQuery{PerPage: 3, Page: 2}), second)
	}
	k.Equal("read by ids again", sure(), true)
	_, err := k.db.Events().List(k.Ctx, calendar.EventQuery{PerPage: 3, Page: 99})
	k.Wants(err, calendar.ErrPage)
	all := k.List(calendar.EventQuery{PerPage: 50})
	k.Equal("all", []any{len(all.Items), all.Items[len(all.Items)-1].ID}, []any{siteRowBytes/longestRow + 5, tooLong.ID})
	k.Equal("after others", sure(), false)
	for range knownBefore + 2 {
		k.Equal("all again", k.List(calendar.EventQuery{PerPage: 50}), all)
	}
	k.Equal("too much", sure(), false)
	if s := rows().remembered; s.bytes > siteRowBytes || s.bytes < siteRowBytes/2 {
		t.Errorf("%d bytes of the site", s.bytes)
	}
	for site := range int64(2 * RowBytes / siteRowBytes) {
		r := k.db.lists.rows.of(1000+site, &calendar.EventQuery{})
		r.fresh = map[int64]rememberedRow{}
		for event := range int64(siteRowBytes / longestRow) {
			r.fresh[event] = rememberedRow{packed: make([]byte, longestRow)}
		}
		r.learn(1)
		if n := k.db.lists.rows.sites.Bytes(); n > RowBytes {
			t.Fatalf("%d bytes remembered", n)
		}
	}
	if n := k.db.lists.rows.sites.Bytes(); n < RowBytes/2 {
		t.Errorf("%d bytes remembered of many sites", n)
	}
	k.Equal("beyond the bound", k.List(calendar.EventQuery{PerPage: 50}), all)
}

// TestChangesRememberNothingOld changes events through a store that remembers
// what another has changed meanwhile.
func TestChangesRememberNothingOld(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.LinkedOnce()
	k.Create(k.Sample(), links)
	behind := k.open()
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 3))
	for n := range 40 {
		page, err := behind.Events().List(k.Ctx, calendar.EventQuery{})
		k.Must(err)
		k.Disturb(random)
		for _, e := range page.Items {
			got, err := behind.Events().Update(k.Ctx, calendar.Key{ID: e.ID}, func(e *calendar.Event) (calendar.EventLinks, error) {
				e.Title += "x"
				return calendar.EventLinks{}, nil
			})
			k.Must(err)
			fresh := k.open()
			want, err := fresh.Events().Get(k.Ctx, calendar.Key{ID: e.ID})
			k.Must(err)
			k.Equal("changed", got, want)
			fresh.Close()
		}
		if n%10 == 9 {
			k.Create(k.Sample(), calendar.EventLinks{Venues: eventtest.VenueLinks(eventtest.Venue("Hall")).Venues, Categories: eventtest.TermLinks("red")})
		}
	}
}
