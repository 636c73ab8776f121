package storage

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
)

// TestCountsStayTrue writes at random and compares each term's count with the
// events that carry it.
func TestCountsStayTrue(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	names := []string{"red", "green", "blue", "black", "white"}
	some := func() *calendar.TermLinks {
		var list []any
		for _, name := range names {
			if random.IntN(3) == 0 {
				list = append(list, name)
			}
		}
		return termLinks(list...)
	}
	anyStatus := func() calendar.Status {
		if random.IntN(2) == 0 {
			return calendar.Publish
		}
		return calendar.Statuses()[random.IntN(6)]
	}
	var ids []int64
	for range 150 {
		switch what := random.IntN(10); {
		case what < 3 || len(ids) == 0:
			e := k.sample(status(anyStatus()), func(e *calendar.Event) { e.Hidden = random.IntN(4) == 0 })
			ids = append(ids, k.create(e, calendar.EventLinks{Categories: some(), Tags: some()}).ID)
		case what < 8:
			id := ids[random.IntN(len(ids))]
			e := k.update(id, func(e *calendar.Event) (calendar.EventLinks, error) {
				var links calendar.EventLinks
				if random.IntN(2) == 0 {
					e.Status = anyStatus()
				}
				if random.IntN(2) == 0 {
					links.Categories = some()
				}
				if random.IntN(2) == 0 {
					links.Tags = some()
				}
				return links, nil
			})
			got, err := k.db.Events().Get(k.ctx, calendar.Key{ID: id})
			k.must(err)
			k.equal("returned", e, got)
		case what < 9:
			i := random.IntN(len(ids))
			_, err := k.db.Events().Delete(k.ctx, calendar.Key{ID: ids[i]}, keep)
			k.must(err)
			ids = append(ids[:i], ids[i+1:]...)
		default:
			_, err := k.db.PublishDue(k.ctx, monday.Add(time.Hour))
			k.must(err)
		}
		k.equal("wrong counts", k.column(wrongCounts, k.site), []string(nil))
		k.equal("wrong occurrences", k.column(wrongOccurrences, k.site), []string(nil))
		k.equal("wrong days", k.column(wrongDays, k.site), []string(nil))
	}
}

const wrongCounts = `
	SELECT c.name
	FROM terms c
	WHERE c.site_id = $1
	  AND c.count <> (
		SELECT count(*)
		FROM event_terms x
		JOIN events e ON e.site_id = x.site_id AND e.id = x.event_id
		WHERE x.site_id = $1
		  AND x.term_id = c.id
		  AND e.status = 'publish')`

const wrongOccurrences = `
	SELECT e.title
	FROM events e
	LEFT JOIN occurrences o ON o.site_id = e.site_id AND o.event_id = e.id
	WHERE e.site_id = $1
	  AND (o.start_local, o.end_local, o.start_utc, o.end_utc, o.listed)
	      IS DISTINCT FROM (e.start_local, e.end_local, e.start_utc, e.end_utc, e.status = 'publish' AND NOT e.hidden)`
