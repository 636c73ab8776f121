package storage

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
)

// indexed returns which texts of the site are in the index, by id.
func (k *kit) indexed() string {
	k.Helper()
	return strings.Join(k.Column(`SELECT id || ' ' || CASE WHEN texts_indexed THEN 'yes' ELSE 'no' END FROM events WHERE site_id = $1 ORDER BY id`, k.Site), ", ")
}

// TestTextsAreIndexedWhereThereAreMany: whichever write makes the first event beyond those that searches read, all texts of the site are
// in the index from then on; what a node of the release before stores in it is found as well.
func TestTextsAreIndexedWhereThereAreMany(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "all texts of a cluster are indexed")
	find := calendar.EventQuery{Search: wording.Search{Words: []string{"jazz"}}}
	jazz := func(e *calendar.Event) { e.Title = "Jazz " + e.Slug }
	for name, write := range map[string]func(k *kit) *calendar.Event{
		"one": func(k *kit) *calendar.Event { return k.Event(jazz) },
		"an import": func(k *kit) *calendar.Event {
			e := k.Sample(jazz)
			ids, _, err := k.db.Events().CreateMany(k.Ctx, []calendar.EventImport{{Event: e}})
			k.Must(err)
			e.ID = ids[0]
			return e
		},
	} {
		k := newKit(t)
		k.Exec(k.Site, `UPDATE sites SET last_post_id = $2 WHERE id = $1`, k.Site, pg.MostScanned-3)
		scanned := k.Event(jazz)
		old := k.Event(jazz)
		k.Exec(k.Site, `UPDATE events SET texts_indexed = true WHERE site_id = $1 AND id = $2`, k.Site, old.ID)
		k.Equal(name+": before", k.indexed(), "1998 no, 1999 yes")
		k.Lists(name+": before", find, scanned, old)
		last := k.Event(jazz)
		k.Equal(name+": the last that is read", k.indexed(), "1998 no, 1999 yes, 2000 no")
		renamed := k.Update(old.ID, func(e *calendar.Event) (calendar.EventLinks, error) {
			e.Title += "!"
			return calendar.EventLinks{}, nil
		})
		k.Equal(name+": written anew", k.indexed(), "1998 no, 1999 no, 2000 no")
		beyond := write(k)
		if now := k.indexed(); strings.Contains(now, "no") || !strings.HasPrefix(now, "1998 yes, 1999 yes, 2000 yes, 200") {
			t.Errorf("%s: %s", name, now)
		}
		k.Lists(name+": found by index", find, scanned, renamed, last, beyond)
		next := k.Event(jazz)
		k.Lists(name+": the next", find, scanned, renamed, last, beyond, next)
		if strings.Contains(k.indexed(), "no") {
			t.Errorf("%s: the next is not in the index: %s", name, k.indexed())
		}
	}
}
