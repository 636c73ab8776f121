package storage

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/test/eventtest"
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
		return eventtest.TermLinks(list...)
	}
	anyStatus := func() calendar.Status {
		if random.IntN(2) == 0 {
			return calendar.Publish
		}
		return calendar.Statuses()[random.IntN(6)]
	}
	sealed := func() []byte {
		if random.IntN(3) == 0 {
			return []byte("anything that is stored of a password")
		}
		return nil
	}
	var ids []int64
	for range 200 {
		switch what := random.IntN(14); {
		case what < 3 || len(ids) == 0:
			e := k.Sample(eventtest.Status(anyStatus()), func(e *calendar.Event) { e.Hidden, e.Password = random.IntN(4) == 0, sealed() })
			ids = append(ids, k.Create(e, calendar.EventLinks{Categories: some(), Tags: some()}).ID)
		case what < 8:
			id := ids[random.IntN(len(ids))]
			e := k.Update(id, func(e *calendar.Event) (calendar.EventLinks, error) {
				var links calendar.EventLinks
				if random.IntN(2) == 0 {
					e.Status = anyStatus()
				}
				if random.IntN(3) == 0 && e.Series == nil {
					e.Password = sealed()
				}
				if random.IntN(2) == 0 {
					links.Categories = some()
				}
				if random.IntN(2) == 0 {
					links.Tags = some()
				}
				return links, nil
			})
			got, err := k.db.Events().Get(k.Ctx, calendar.Key{ID: id})
			k.Must(err)
			k.Equal("returned", e, got)
		case what < 9:
			i := random.IntN(len(ids))
			_, err := k.db.Events().Delete(k.Ctx, calendar.Key{ID: ids[i]}, keep)
			k.Must(err)
			ids = append(ids[:i], ids[i+1:]...)
		case what < 10:
			e := k.Sample(eventtest.Status(anyStatus()), daily(2+random.IntN(4)), func(e *calendar.Event) { e.Password = sealed() })
			ids = append(ids, k.Create(e, calendar.EventLinks{Categories: some(), Tags: some()}).ID)
		case what < 13:
			k.countOccurrence(random, ids[random.IntN(len(ids))], some)
		case random.IntN(6) == 0:
			k.mergeTerms(random)
		default:
			_, err := k.db.PublishDue(k.Ctx, eventtest.Monday.Add(time.Hour))
			k.Must(err)
		}
		k.Equal("wrong counts", k.Column(wrongCounts, k.Site), []string(nil))
		k.Equal("wrong occurrences", k.Column(wrongOccurrences, k.Site), []string(nil))
		k.Equal("wrong days", k.Column(eventtest.WrongDays, k.Site), []string(nil))
	}
}

// daily makes a series of an event.
func daily(times int) func(*calendar.Event) {
	return func(e *calendar.Event) {
		e.Recurrence = &recur.Set{Rules: []recur.Rule{{Freq: recur.Daily, Interval: 1, Count: times}}}
	}
}

// countOccurrence gives one date of a series terms of its own, or those of the series,
// leaves it out, or makes the series an event that happens once; what happens once
// becomes a series.
func (k *kit) countOccurrence(random *rand.Rand, id int64, some func() *calendar.TermLinks) {
	k.Helper()
	store := k.db.Events()
	e, err := store.Get(k.Ctx, calendar.Key{ID: id})
	k.Must(err)
	write := func(id int64, change func(*calendar.Event) calendar.EventLinks) {
		got := k.Update(id, func(e *calendar.Event) (calendar.EventLinks, error) { return change(e), nil })
		if e.Series == nil && !e.Recurring() {
			return
		}
		again, err := store.Get(k.Ctx, calendar.Key{ID: got.ID})
		k.Must(err)
		k.Equal("returned categories", got.Categories, again.Categories)
	}
	dates := k.Column(`
		SELECT o.id::text
		FROM occurrences o
		JOIN events e ON e.site_id = o.site_id AND e.id = o.event_id
		WHERE o.site_id = $1
		  AND (e.id = $2 AND o.n <> 0 OR e.series_id = $2)`, k.Site, id)
	switch {
	case len(dates) == 0:
		write(id, func(e *calendar.Event) calendar.EventLinks { daily(3)(e); return calendar.EventLinks{} })
		return
	case random.IntN(10) == 0:
		write(id, func(e *calendar.Event) calendar.EventLinks {
			e.Recurrence = nil
			return calendar.EventLinks{Tags: some()}
		})
		return
	case random.IntN(8) == 0:
		write(id, func(*calendar.Event) calendar.EventLinks { return calendar.EventLinks{Reset: true} })
		return
	}
	date, err := strconv.ParseInt(dates[random.IntN(len(dates))], 10, 64)
	k.Must(err)
	at, err := store.Get(k.Ctx, calendar.Key{ID: date})
	k.Must(err)
	switch {
	case len(dates) > 1 && random.IntN(4) == 0:
		write(id, func(e *calendar.Event) calendar.EventLinks {
			if e.Recurrence == nil {
				return calendar.EventLinks{} // as it is remembered from before it was a series
			}
			set := *e.Recurrence
			set.Except = append(slices.Clone(set.Except), at.Series.OriginalStart)
			e.Recurrence = &set
			return calendar.EventLinks{Cut: true}
		})
	case random.IntN(4) == 0: // as the series has it
		var names calendar.TermLinks
		for _, c := range e.Categories {
			names.Refs = append(names.Refs, args.Ref{ID: c.ID})
		}
		write(date, func(*calendar.Event) calendar.EventLinks { return calendar.EventLinks{Categories: &names} })
	default:
		write(date, func(*calendar.Event) calendar.EventLinks {
			return calendar.EventLinks{Categories: some(), Tags: some()}
		})
	}
}

// mergeTerms merges two categories, if there are any.
func (k *kit) mergeTerms(random *rand.Rand) {
	k.Helper()
	ids := k.Column("SELECT id::text FROM terms WHERE site_id = $1 AND taxonomy = 'category'", k.Site)
	if len(ids) < 2 {
		return
	}
	random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	keep, err := strconv.ParseInt(ids[0], 10, 64)
	k.Must(err)
	gone, err := strconv.ParseInt(ids[1], 10, 64)
	k.Must(err)
	_, _, err = k.db.Terms(calendar.Categories).Merge(k.Ctx, keep, []int64{gone}, func(*calendar.Term, []*calendar.Term) error { return nil })
	k.Must(err)
}

const wrongCounts = `
	SELECT c.name
	FROM terms c
	WHERE c.site_id = $1
	  AND c.count <> (
		SELECT count(DISTINCT COALESCE(e.series_id, e.id))
		FROM event_terms x
		JOIN events e ON e.site_id = x.site_id AND e.id = x.event_id
		WHERE x.site_id = $1
		  AND x.term_id = c.id
		  AND e.status = 'publish'
		  AND e.password IS NULL)`

const wrongOccurrences = `
	SELECT e.title
	FROM events e
	LEFT JOIN occurrences o ON o.site_id = e.site_id AND o.event_id = e.id
	WHERE e.site_id = $1
	  AND e.rules IS NULL
	  AND (o.start_local, o.end_local, o.start_utc, o.end_utc, o.listed)
	      IS DISTINCT FROM (e.start_local, e.end_local, e.start_utc, e.end_utc, e.status = 'publish' AND NOT e.hidden)`
