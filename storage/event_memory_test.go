package storage

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
)

const wrongLinks = `
	SELECT e.title
	FROM events e
	WHERE e.site_id = $1
	  AND (e.venue_ids <> ARRAY(SELECT x.venue_id FROM event_venues x
	          WHERE x.site_id = $1 AND x.event_id = e.id ORDER BY x.position)
	    OR e.organizer_ids <> ARRAY(SELECT x.organizer_id FROM event_organizers x
	          WHERE x.site_id = $1 AND x.event_id = e.id ORDER BY x.position)
	    OR ARRAY(SELECT unnest(e.term_ids) ORDER BY 1) <> ARRAY(SELECT x.term_id FROM event_terms x
	          WHERE x.site_id = $1 AND x.event_id = e.id ORDER BY 1))`

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
		links := venueLinks(venue(venues[random.IntN(4)]))
		links.Organizers = organizerLinks(organizer(organizers[random.IntN(2)])).Organizers
		links.Categories, links.Tags = termLinks("red", "green"), termLinks("blue")
		k.create(k.sample(func(e *calendar.Event) {
			e.Description = long + long
			e.Texts = translations.Of(map[string]translations.Text{"de": {Title: e.Title + " auf Deutsch", Cost: []string{"5"}}})
		}), links)
	}
	german := calendar.EventQuery{Page: 1, PerPage: 15, Texts: calendar.TextQuery{In: []string{"de"}, Several: true}}
	byIDs := 0
	for range 60 {
		k.disturb(random)
		k.equal("wrong links", k.column(wrongLinks, k.site), []string(nil))
		fresh := k.open()
		for range knownBefore + 2 { // the second list has remembered links, the last one remembered rows
			if own, other := k.db.lists.rows.of(k.site, &calendar.EventQuery{}), k.db.lists.rows.of(k.site, &german); own.sure() && other.sure() {
				byIDs++
			}
			translated, err := fresh.Events().List(k.ctx, german)
			k.must(err)
			k.equal("list in German", k.list(german), translated)
			got := k.list(calendar.EventQuery{})
			want, err := fresh.Events().List(k.ctx, calendar.EventQuery{Page: 1, PerPage: 15})
			k.must(err)
			k.equal("list", got, want)
			for _, e := range want.Items {
				one, err := k.db.Events().Get(k.ctx, calendar.Key{ID: e.ID})
				k.must(err)
				one.Texts, e.Texts = translations.Texts{}, translations.Texts{} // lists read those of their languages alone
				k.equal("event", one, e)
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
		k.event(func(e *calendar.Event) { e.Description = long })
	}
	tooLong := k.event(func(e *calendar.Event) { e.Description = long + long })
	rows := func() rowsRead { return k.db.lists.rows.of(k.site, &calendar.EventQuery{}) }
	sure := func() bool { r := rows(); return r.sure() }
	for range knownBefore + 2 {
		k.equal("first page", len(k.list(calendar.EventQuery{PerPage: 3}).Items), 3)
	}
	k.equal("read by ids", sure(), true)
	second := k.list(calendar.EventQuery{PerPage: 3, Page: 2})
	k.equal("second page, of which nothing is remembered", len(second.Items), 3)
	for range knownBefore {
		k.equal("second page", k.list(calendar.EventQuery{PerPage: 3, Page: 2}), second)
	}
	k.equal("read by ids again", sure(), true)
	_, err := k.db.Events().List(k.ctx, calendar.EventQuery{PerPage: 3, Page: 99})
	k.wants(err, calendar.ErrPage)
	all := k.list(calendar.EventQuery{PerPage: 50})
	k.equal("all", []any{len(all.Items), all.Items[len(all.Items)-1].ID}, []any{siteRowBytes/longestRow + 5, tooLong.ID})
	k.equal("after others", sure(), false)
	for range knownBefore + 2 {
		k.equal("all again", k.list(calendar.EventQuery{PerPage: 50}), all)
	}
	k.equal("too much", sure(), false)
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
	k.equal("beyond the bound", k.list(calendar.EventQuery{PerPage: 50}), all)
}

// disturb changes or removes one venue, organizer, term or event.
func (k *kit) disturb(random *rand.Rand) {
	k.Helper()
	page := k.list(calendar.EventQuery{})
	if len(page.Items) == 0 {
		return
	}
	e := page.Items[random.IntN(len(page.Items))]
	switch {
	case len(e.Venues) > 0 && random.IntN(3) == 0:
		key := calendar.Key{ID: e.Venues[0].ID}
		if random.IntN(4) == 0 {
			_, err := k.db.Venues().Delete(k.ctx, key, func(*calendar.Venue) error { return nil })
			k.must(err)
			return
		}
		_, err := k.db.Venues().Update(k.ctx, key, func(v *calendar.Venue) error { v.City += "x"; return nil })
		k.must(err)
	case len(e.Organizers) > 0 && random.IntN(3) == 0:
		_, err := k.db.Organizers().Update(k.ctx, calendar.Key{ID: e.Organizers[0].ID},
			func(o *calendar.Organizer) error { o.Phone += "1"; return nil })
		k.must(err)
	case len(e.Categories) > 0 && random.IntN(3) == 0:
		_, err := k.db.Terms(calendar.Categories).Delete(k.ctx, e.Categories[0].ID, func(*calendar.Term) error { return nil })
		k.must(err)
	case len(e.Tags) > 0 && random.IntN(3) == 0:
		_, err := k.db.Terms(calendar.Tags).Update(k.ctx, e.Tags[0].ID,
			func(t *calendar.Term) error { t.Description += "y"; return nil })
		k.must(err)
	default:
		k.update(e.ID, func(*calendar.Event) (calendar.EventLinks, error) {
			return calendar.EventLinks{Categories: termLinks("red"), Tags: termLinks("blue", "white")}, nil
		})
	}
}

// TestChangesRememberNothingOld changes events through a store that remembers
// what another has changed meanwhile.
func TestChangesRememberNothingOld(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	links := k.linkedOnce()
	k.create(k.sample(), links)
	behind := k.open()
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 3))
	for n := range 40 {
		page, err := behind.Events().List(k.ctx, calendar.EventQuery{})
		k.must(err)
		k.disturb(random)
		for _, e := range page.Items {
			got, err := behind.Events().Update(k.ctx, calendar.Key{ID: e.ID}, func(e *calendar.Event) (calendar.EventLinks, error) {
				e.Title += "x"
				return calendar.EventLinks{}, nil
			})
			k.must(err)
			fresh := k.open()
			want, err := fresh.Events().Get(k.ctx, calendar.Key{ID: e.ID})
			k.must(err)
			k.equal("changed", got, want)
			fresh.Close()
		}
		if n%10 == 9 {
			k.create(k.sample(), calendar.EventLinks{Venues: venueLinks(venue("Hall")).Venues, Categories: termLinks("red")})
		}
	}
}
