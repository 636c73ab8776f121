package lists

import (
	"math/bits"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// facts are words of a fixed vocabulary, a bit for each.
type facts uint64

// vocabulary are the words that facts have bits for.
type vocabulary []string

var (
	accessWords   = vocabulary(calendar.EventFieldNamed("accessibility").Choices())
	audienceWords = vocabulary(calendar.EventFieldNamed("audience").Choices())
	spokenWords   = vocabulary(calendar.EventFieldNamed("event_language").Choices())
)

// of returns the bits of words.
func (v vocabulary) of(words []string) (set facts) {
	for _, word := range words {
		if i := slices.Index(v, word); i >= 0 {
			set |= 1 << i
		}
	}
	return set
}

// read reads the bits of a column of words.
func (v vocabulary) read(f *pg.Fields) (set facts) {
	f.Elements(func(word []byte) {
		if i := slices.Index(v, string(word)); i >= 0 {
			set |= 1 << i
		}
	})
	return set
}

// comingAccess selects the accessibility of published venues, which applies to events that state none of their own.
const comingAccess = `
	SELECT v.id,
	       v.accessibility
	FROM venues v
	WHERE v.site_id = $1
	  AND v.status = 'publish'
	  AND v.accessibility <> '{}'`

// queueAccess reads the accessibility of venues.
func (c *coming) queueAccess(site int64, b *pgx.Batch) {
	c.access = map[int64]facts{}
	b.Queue(comingAccess, site).Query(func(rows pgx.Rows) error {
		f := &pg.Fields{}
		for rows.Next() {
			f.Row(rows)
			id := f.Int64()
			c.access[id] = accessWords.read(f)
		}
		if f.Err() != nil {
			return f.Err()
		}
		return rows.Err()
	})
}

// accessible reports whether an event has all of the wanted facts. For an event that states none, it checks its
// venues.
func (c *coming) accessible(e *entry, want facts) bool {
	if e.access != 0 {
		return e.access&want == want
	}
	return slices.ContainsFunc(e.venues, func(id int64) bool { return c.access[id]&want == want })
}

// chooseFacts records the facts that a visitor has chosen.
func (k *census) chooseFacts(q calendar.EventQuery) {
	if len(q.Accessibility) > 0 {
		want := accessWords.of(q.Accessibility)
		k.choices = append(k.choices, made{"accessibility", func(e *entry) bool { return k.accessible(e, want) }})
	}
	if len(q.Audience) > 0 {
		want := audienceWords.of(q.Audience)
		k.choices = append(k.choices, made{"audience", func(e *entry) bool { return e.audience&want != 0 }})
	}
	if q.Children != nil {
		want, within := audienceWords.of(calendar.ForChildren), setOf(q.Children)
		k.choices = append(k.choices, made{"for", func(e *entry) bool { return e.audience&want != 0 || anyIn(e.terms, within) }})
	}
	if len(q.Spoken) > 0 {
		want := spokenWords.of(q.Spoken)
		k.choices = append(k.choices, made{"event_language", func(e *entry) bool { return e.spoken&want != 0 }})
	}
}

// countFacts counts the facts of entry number n. not is the only choice that the entry fails, or "". Such an entry
// still counts for audiences or languages if not is the choice of these, because a further audience or language finds
// more entries. A further accessibility fact finds fewer, so the entry does not count for it.
func (k *census) countFacts(n int, e *entry, not string) {
	if not == "" {
		for i := range accessWords {
			if k.accessible(e, 1<<i) {
				k.facts[i].add(n)
			}
		}
	}
	if not == "" || not == "audience" {
		for i := range audienceWords {
			if e.audience&(1<<i) != 0 {
				k.facts[len(accessWords)+i].add(n)
			}
		}
	}
	if not == "" || not == "event_language" {
		for rest := e.spoken; rest != 0; rest &= rest - 1 {
			k.facts[len(accessWords)+len(audienceWords)+bits.TrailingZeros64(uint64(rest))].add(n)
		}
	}
}

// collectFacts returns the facts that some entries have, in the order of the vocabulary.
func (k *census) collectFacts(f *calendar.Facets) {
	some := func(words vocabulary, counts []amount) (list []calendar.Facet) {
		for i, word := range words {
			if counts[i].n > 0 {
				list = append(list, calendar.Facet{Slug: word, Count: counts[i].n})
			}
		}
		return list
	}
	f.Accessibility, f.Audience = some(accessWords, k.facts), some(audienceWords, k.facts[len(accessWords):])
	f.Spoken = some(spokenWords, k.facts[len(accessWords)+len(audienceWords):])
}
