package lists

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
)

// comingFrom returns the moment from which a remembered list can serve q, and the instant after which entries must
// end, or the zero time for no limit. ok is false unless q, without its choices, asks for all public entries from
// some moment on.
func comingFrom(q calendar.EventQuery) (from, after time.Time, ok bool) {
	if searches(q) || len(q.Edges) != 1 || !q.But.None() {
		return from, after, false
	}
	f, edge := newEventQuery(0, withoutChoices(q), nil), q.Edges[0]
	ok = f.counted() && slices.Contains(f.where, listedOnly) && edge.End && edge.Compare == calendar.After
	if edge.Instant {
		return comingSince(edge.At), edge.At, ok
	}
	return edge.At, after, ok
}

// countComing is Facets for upcoming entries.
func (s *Lists) countComing(ctx context.Context, from, after time.Time, q calendar.EventQuery, days []calendar.Days, chosen *calendar.Days,
) (*calendar.Facets, error) {
	var n *meanings
	var found *args.Problems
	c, err := s.coming(ctx, from, func(site int64, b *pgx.Batch) {
		n, found = &meanings{}, &args.Problems{}
		n.queueTerms(b, site, q)
		(&eventQuery{EventQuery: q}).knownPosts(b, site, found)
	})
	if err == nil {
		n.unknown(found)
		err = found.Err()
	}
	if err != nil {
		return nil, err
	}
	entries := c.after(after)
	counted := entries
	if q.First {
		counted = together(slices.Clone(entries))
	}
	f := newCensus(c, counted, q, n, chosen).facets(q.Opener != nil, q.First, days)
	for i, e := range entries {
		if ends := pg.Instant(e.over); i == 0 || i <= mostCountedIn && ends.Before(f.Ends) {
			f.Ends = ends
		}
	}
	return f, nil
}

// census counts entries by the choices that visitors can still make.
type census struct {
	*coming
	of      []*entry // the entries that are counted
	choices []made
	counts  map[*term]*amount
	flags   [flags]amount
	facts   []amount // first of accessibility, then of audiences, then of languages
	added   map[answer]*amount
}

// The flags that a census counts.
const (
	isFreeOfCharge = iota
	isOnline
	isHere
	isFeatured
	flags
)

// newCensus returns a census of entries of c with the choices of q and days.
func newCensus(c *coming, of []*entry, q calendar.EventQuery, n *meanings, days *calendar.Days) *census {
	k := &census{coming: c, of: of, counts: map[*term]*amount{}, added: map[answer]*amount{},
		facts: make([]amount, len(accessWords)+len(audienceWords)+len(spokenWords))}
	if q.Brief > 0 {
		longest := int64(q.Brief) * (24 * time.Hour).Microseconds()
		k.of = slices.DeleteFunc(slices.Clone(of), func(e *entry) bool { return e.end-e.start > longest })
	}
	k.choose(q, n, days)
	return k
}

// made is a choice that a visitor has made, with its kind.
type made struct {
	kind string
	met  func(*entry) bool
}

// amount is how many entries were counted, and the number of the last entry counted.
type amount struct{ n, last int }

// add counts entry number n, at most once.
func (a *amount) add(n int) {
	if a.last != n {
		a.n, a.last = a.n+1, n
	}
}

// choose records the choices that a visitor has made.
func (k *census) choose(q calendar.EventQuery, n *meanings, days *calendar.Days) {
	add := func(kind string, met func(*entry) bool) { k.choices = append(k.choices, made{kind, met}) }
	if len(q.Categories) > 0 {
		within := setOf(n.categories.ids)
		add("category", func(e *entry) bool { return anyIn(e.terms, within) })
	}
	if len(q.Tags) > 0 {
		within := setOf(n.tags.ids)
		add("tag", func(e *entry) bool { return anyIn(e.terms, within) })
	}
	if len(q.Cities) > 0 {
		within := map[int64]bool{}
		for venue, city := range k.cities {
			within[venue] = slices.Contains(q.Cities, city.Name)
		}
		add("city", func(e *entry) bool { return anyIn(e.venues, within) })
	}
	if len(q.Organizers) > 0 {
		add("organizer", func(e *entry) bool {
			return slices.ContainsFunc(e.organizers, func(id int64) bool { return slices.Contains(q.Organizers, id) })
		})
	}
	if q.Free {
		add("free", func(e *entry) bool { return e.free })
	}
	switch q.Taking {
	case "online":
		add("taking", func(e *entry) bool { return !e.offline })
	case "here":
		add("taking", func(e *entry) bool { return !e.onlineOnly })
	}
	if q.Featured != nil {
		add("featured", func(e *entry) bool { return e.featured == *q.Featured })
	}
	k.chooseFacts(q)
	k.chooseAdded(q)
	if days != nil && !k.uncounted() { // if not everything is counted, the first entries may be on other days
		within := daysOf(*days)
		add("days", within.has)
	}
}

func setOf(ids []int64) map[int64]bool {
	within := make(map[int64]bool, len(ids))
	for _, id := range ids {
		within[id] = true
	}
	return within
}

func anyIn(ids []int64, within map[int64]bool) bool {
	return slices.ContainsFunc(ids, func(id int64) bool { return within[id] })
}

// uncounted reports whether there are too many entries to count.
func (k *census) uncounted() bool { return k.more || len(k.of) > mostCountedIn }

// window is a period, in the same unit as the times of an entry.
type window struct{ after, before int64 }

// has reports whether an entry happens within the window: its end is not before w.after, and its start is before w.before.
func (w window) has(e *entry) bool { return e.end >= w.after && e.start < w.before }

func daysOf(d calendar.Days) window {
	w := window{-1 << 62, 1 << 62}
	if !d.First.IsZero() {
		w.after = d.First.UnixMicro() - pg.MicrosecondsTo2000
	}
	if !d.Last.IsZero() {
		w.before = d.Last.AddDate(0, 0, 1).UnixMicro() - pg.MicrosecondsTo2000
	}
	return w
}

// only returns the kind of the single choice that an entry does not meet, or "" if it meets all. counts is false if it misses
// several.
func (k *census) only(e *entry) (kind string, counts bool) {
	for i := range k.choices {
		if !k.choices[i].met(e) {
			if kind != "" {
				return "", false
			}
			kind = k.choices[i].kind
		}
	}
	return kind, true
}

// facets counts all entries. If seriesOnce is set, it counts each series once, and the dates of a series must be
// next to each other. A masked entry counts only for its days, because lists show those. hides says that the
// visitor has filtered by something that masks hide; masked entries then do not count at all.
func (k *census) facets(hides, seriesOnce bool, days []calendar.Days) *calendar.Facets {
	f := &calendar.Facets{Days: make([]int, len(days)), Uncounted: k.uncounted()}
	windows, within := make([]window, 0, len(days)), make([]amount, len(days))
	for _, d := range days {
		windows = append(windows, daysOf(d))
	}
	n := 0
	for i, e := range k.of[:min(len(k.of), mostCountedIn+1)] {
		if !seriesOnce || i == 0 || e.series != k.of[i-1].series {
			n++
		}
		not, counts := k.only(e)
		counts = counts && !e.masked
		if !hides || counts && (not == "" || not == "days") {
			for d, w := range windows {
				if w.has(e) {
					within[d].add(n)
				}
			}
		}
		if counts {
			k.entry(n, e, not)
		}
	}
	for d := range within {
		f.Days[d] = within[d].n
	}
	f.Free, f.Online, f.Here, f.Featured = k.flags[isFreeOfCharge].n, k.flags[isOnline].n, k.flags[isHere].n, k.flags[isFeatured].n
	k.collect(f)
	k.collectFacts(f)
	k.collectAdded(f)
	return f
}

// entry counts entry number n, which meets all choices except possibly those of the kind not.
func (k *census) entry(n int, e *entry, not string) {
	meets := func(kind string) bool { return not == "" || not == kind }
	add := func(t *term) {
		if t == nil || !meets(t.kind) {
			return
		}
		if k.counts[t] == nil {
			k.counts[t] = &amount{}
		}
		k.counts[t].add(n)
	}
	for _, id := range e.terms {
		if t := k.terms[id]; t != nil {
			for _, up := range t.above {
				add(up)
			}
		}
	}
	for _, id := range e.venues {
		add(k.cities[id])
	}
	for _, id := range e.organizers {
		add(k.organizers[id])
	}
	count := func(is bool, kind string, flag int) {
		if is && meets(kind) {
			k.flags[flag].add(n)
		}
	}
	count(e.free, "free", isFreeOfCharge)
	count(!e.offline, "taking", isOnline)
	count(!e.onlineOnly, "taking", isHere)
	count(e.featured, "featured", isFeatured)
	k.countFacts(n, e, not)
	k.countAdded(n, e, not)
}

// mostFacets is how many choices of a kind are returned: more than any page could show.
const mostFacets = 1000

// collect sorts the counted choices, the most frequent first.
func (k *census) collect(f *calendar.Facets) {
	all := make([]*term, 0, len(k.counts))
	for t := range k.counts {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b *term) int {
		return cmp.Or(k.counts[b].n-k.counts[a].n, a.rank-b.rank)
	})
	into := map[string]*[]calendar.Facet{"category": &f.Categories, "tag": &f.Tags, "city": &f.Cities, "organizer": &f.Organizers}
	for _, t := range all {
		if list := into[t.kind]; len(*list) < mostFacets {
			one := t.Facet
			one.Count = k.counts[t].n
			*list = append(*list, one)
		}
	}
}
