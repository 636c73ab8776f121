package storage

import (
	"regexp"
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
	return strings.Join(k.column(`SELECT id || ' ' || CASE WHEN texts_indexed THEN 'yes' ELSE 'no' END FROM events WHERE site_id = $1 ORDER BY id`, k.site), ", ")
}

// TestTextsAreIndexedWhereThereAreMany: whichever write makes the first event beyond those that searches read, all texts of the site are
// in the index from then on; what a node of the release before stores in it is found as well.
func TestTextsAreIndexedWhereThereAreMany(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "all texts of a cluster are indexed")
	find := calendar.EventQuery{Search: wording.Search{Words: []string{"jazz"}}}
	jazz := func(e *calendar.Event) { e.Title = "Jazz " + e.Slug }
	for name, write := range map[string]func(k *kit) *calendar.Event{
		"one": func(k *kit) *calendar.Event { return k.event(jazz) },
		"an import": func(k *kit) *calendar.Event {
			e := k.sample(jazz)
			ids, _, err := k.db.Events().CreateMany(k.ctx, []calendar.EventImport{{Event: e}})
			k.must(err)
			e.ID = ids[0]
			return e
		},
	} {
		k := newKit(t)
		k.exec(k.site, `UPDATE sites SET last_post_id = $2 WHERE id = $1`, k.site, pg.MostScanned-3)
		scanned := k.event(jazz)
		old := k.event(jazz)
		k.exec(k.site, `UPDATE events SET texts_indexed = true WHERE site_id = $1 AND id = $2`, k.site, old.ID)
		k.equal(name+": before", k.indexed(), "1998 no, 1999 yes")
		k.lists(name+": before", find, scanned, old)
		last := k.event(jazz)
		k.equal(name+": the last that is read", k.indexed(), "1998 no, 1999 yes, 2000 no")
		renamed := k.update(old.ID, func(e *calendar.Event) (calendar.EventLinks, error) {
			e.Title += "!"
			return calendar.EventLinks{}, nil
		})
		k.equal(name+": written anew", k.indexed(), "1998 no, 1999 no, 2000 no")
		beyond := write(k)
		if now := k.indexed(); strings.Contains(now, "no") || !strings.HasPrefix(now, "1998 yes, 1999 yes, 2000 yes, 200") {
			t.Errorf("%s: %s", name, now)
		}
		k.lists(name+": found by index", find, scanned, renamed, last, beyond)
		next := k.event(jazz)
		k.lists(name+": the next", find, scanned, renamed, last, beyond, next)
		if strings.Contains(k.indexed(), "no") {
			t.Errorf("%s: the next is not in the index: %s", name, k.indexed())
		}
	}
}

// TestFewTextsAreRead looks at the plans of a search in a small site and in a large one: the one reads the texts of the site by its key, the
// other none.
func TestFewTextsAreRead(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, byValues)
	k := newKit(t)
	k.fill(k.site, 10_000)
	small := k.newSite("small")
	k.fill(small, 500)
	k.vacuum()
	scan := regexp.MustCompile(`Index Scan using events_pkey on events x_\d+ .*(never executed|actual rows=\d+ loops=\d+)\)\n +Index Cond: \(site_id = \$\d+\)\n`)
	for site, want := range map[int64]string{k.site: "never executed", small: "actual rows=1 loops=1"} {
		for _, name := range []string{"rare word", "named, told"} {
			text, took := k.plan(site, variants()[name])
			m := scan.FindStringSubmatch(text)
			if m == nil || m[1] != want && name == "rare word" {
				t.Errorf("site %d: %s is %q, not %q:\n%s", site, name, m, want, text)
			}
			t.Log(site, name, took)
		}
	}
}
