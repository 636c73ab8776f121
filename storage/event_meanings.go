package storage

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// meanings are what a query names of what events are linked to, at a version of the
// site's links.
type meanings struct {
	links            int64
	of               map[string]*meaning // by word of its search
	categories, tags named
}

// meaning is what one word names: venues by name, address and city, organizers and
// terms by name.
type meaning struct{ venues, organizers, terms []int64 }

// mostNaming is how many words of a search may name something; those behind them are
// looked for in events' own texts alone.
const mostNaming = 10

// meant runs do with what the words of a search, categories and tags name, nil where a
// query has none. do returns the version of the links it saw: where that is another one
// the names may be others, too, and both are done again. So a renamed venue is found by
// its new name at once, and no event has to be written for it (ADR 39). What names few
// things is remembered.
func (s *lists) meant(ctx context.Context, q calendar.EventQuery, do func(*meanings) (links int64, err error)) error {
	if !searches(q) && len(q.Categories)+len(q.Tags) == 0 {
		_, err := do(nil)
		return err
	}
	id, err := pg.Site(ctx)
	if err != nil {
		return err
	}
	key := keyOf(fmt.Sprintf("%d %v %q %q %#v %#v", id, q.Viewer, q.Search, q.Texts.In, q.Categories, q.Tags))
	n, read := s.found.get(key, nil), s.db.Public
	for {
		if n == nil {
			if n, err = meaningsOf(ctx, read, q); err != nil {
				return err
			}
			read = s.db.Read // a replica may be behind what do sees
			if n.few() {
				s.found.set(key, n)
			}
		}
		links, err := do(n)
		if links == n.links || links == 0 || ctx.Err() != nil {
			return err
		}
		n = nil
	}
}

// searches reports whether a query has words to search for.
func searches(q calendar.EventQuery) bool { return len(q.Search.Words)+len(q.Search.Without) > 0 }

// fewMeant is how many things a query may name for that to be remembered.
const fewMeant = 100

// few reports whether a query names few things, and all that it names is there.
func (n *meanings) few() bool {
	all := len(n.categories.ids) + len(n.tags.ids)
	for _, m := range n.of {
		all += len(m.venues) + len(m.organizers) + len(m.terms)
	}
	return all <= fewMeant && !n.categories.unknown && !n.tags.unknown
}

// namedByWords reads what of a site s may be named by the patterns $2 to who may read it.
// What is searched in a venue or organizer has more in it than its name: the rest is
// told apart by who reads the answer.
const namedByWords = `
	SELECT s.links_version,
	       COALESCE(l.kind, 0),
	       COALESCE(l.id, 0),
	       COALESCE(l.name, '')
	FROM sites s
	LEFT JOIN (
		SELECT 1 AS kind, v.id, concat_ws(E'\n', v.name, v.address, v.city, (
		           SELECT string_agg(v.translations -> l ->> 'title', E'\n') FROM unnest($5::text[]) l)) AS name
		FROM venues v
		WHERE v.site_id = $1
		  AND v.search LIKE ANY($2)
		  AND (v.status = 'publish' OR $3 OR v.author = $4)
		UNION ALL
		SELECT 2, g.id, concat_ws(E'\n', g.name, (
		           SELECT string_agg(g.translations -> l ->> 'title', E'\n') FROM unnest($5::text[]) l))
		FROM organizers g
		WHERE g.site_id = $1
		  AND g.search LIKE ANY($2)
		  AND (g.status = 'publish' OR $3 OR g.author = $4)
		UNION ALL
		SELECT 3, c.id, concat_ws(E'\n', c.name, (
		           SELECT string_agg(c.translations -> l ->> 'title', E'\n') FROM unnest($5::text[]) l))
		FROM terms c
		WHERE c.site_id = $1
		  AND c.search LIKE ANY($2)
	) l ON true
	WHERE s.id = $1`

// meaningsOf reads what a query names. The version of the links is read first: what is read
// after it is of that version or a later one.
func meaningsOf(ctx context.Context, read func(context.Context, pg.Queue) error, q calendar.EventQuery) (n *meanings, err error) {
	words := append(append([]string{}, q.Search.Words...), q.Search.Without...)
	words = words[:min(len(words), mostNaming)]
	err = read(ctx, func(site int64, b *pgx.Batch) {
		n = &meanings{of: map[string]*meaning{}}
		defer n.queueTerms(b, site, q)
		if len(words) == 0 {
			b.Queue(versionsOf, site).QueryRow(readVersions(new(int64), &n.links))
			return
		}
		b.Queue(namedByWords, site, content.Patterns(words), q.Viewer.All, q.Viewer.User,
			append([]string{}, q.Texts.In...)).Query(func(rows pgx.Rows) error {
			gone := true
			var kind int
			var id int64
			var name string
			_, err := pgx.ForEachRow(rows, []any{&n.links, &kind, &id, &name}, func() error {
				gone = false
				n.note(words, kind, id, content.SearchLines(strings.Split(name, "\n")...))
				return nil
			})
			if err == nil && gone {
				err = tenancy.ErrNoSite
			}
			return err
		})
	})
	return n, err
}

// note takes down which of the words name something.
func (n *meanings) note(words []string, kind int, id int64, name string) {
	for _, word := range words {
		if !strings.Contains(name, strings.Join(strings.Fields(word), " ")) {
			continue
		}
		if n.of[word] == nil {
			n.of[word] = &meaning{[]int64{}, []int64{}, []int64{}}
		}
		for i, list := range []*[]int64{&n.of[word].venues, &n.of[word].organizers, &n.of[word].terms} {
			if kind == i+1 {
				*list = append(*list, id)
			}
		}
	}
}

// search keeps events that have all words, each in the event's own text or in a name
// of what it is linked to, and none of the excluded. Where nothing else selects, the
// events are found by index: those whose texts have the words that name nothing, up
// to three of them; or else those that have one word, in their text or by a link.
func (b *eventQuery) search(n *meanings) {
	if !searches(b.EventQuery) {
		return
	}
	var texts, either []string
	for _, word := range b.Search.Words {
		if n.of[word] == nil {
			texts = append(texts, word)
		} else {
			either = append(either, word)
		}
	}
	patterns, exact := content.Patterns(texts), !b.Texts.Several // else the index knows texts that aren't asked for, too
	if indexed, others := indexable(patterns); len(indexed) > 0 && !b.sparse {
		if b.words = indexed; exact {
			patterns = others
		}
		b.found, b.sparse = inTexts, true
	} else if i := longest(either); i >= 0 && !b.sparse {
		b.words = content.Patterns(either[i : i+1])
		b.found, b.sparse = inTexts+b.linkedTo(n.of[either[i]]), true
		if exact {
			either = append(either[:i:i], either[i+1:]...)
		}
	}
	if len(patterns) > 0 {
		b.sparse = true
		b.andEvent(b.searched() + " LIKE ALL(" + b.arg(patterns) + ")")
	}
	for _, word := range either {
		b.sparse = true
		b.andEvent("(" + b.has(word, n) + ")")
	}
	b.without(n)
}

// without leaves out the events that have one of the excluded words.
func (b *eventQuery) without(n *meanings) {
	var texts []string
	for _, word := range b.Search.Without {
		if n.of[word] == nil {
			texts = append(texts, word)
		} else {
			b.andEvent("NOT (" + b.has(word, n) + ")")
		}
	}
	if len(texts) > 0 {
		b.andEvent("NOT " + b.searched() + " LIKE ANY(" + b.arg(content.Patterns(texts)) + ")")
	}
}

// inTexts are the events whose texts have the words that enter names.
const inTexts = "SELECT x.id FROM event_texts x WHERE x.site_id = $1"

// linkedTo adds the events that are linked to what a word names.
func (b *eventQuery) linkedTo(n *meaning) string {
	var sql strings.Builder
	for _, link := range []struct {
		table, column string
		ids           []int64
	}{{"event_venues", "venue_id", n.venues}, {"event_organizers", "organizer_id", n.organizers}, {"event_terms", "term_id", n.terms}} {
		fmt.Fprintf(&sql, " UNION SELECT l.event_id FROM %s l WHERE l.site_id = $1 AND l.%s = ANY(%s)",
			link.table, link.column, b.arg(link.ids))
	}
	return sql.String()
}

// has is the condition that an event e has a word that names something.
func (b *eventQuery) has(word string, n *meanings) string {
	of := n.of[word]
	return fmt.Sprintf("%s LIKE %s OR e.venue_ids && %s::bigint[] OR e.organizer_ids && %s::bigint[] OR e.term_ids && %s::bigint[]",
		b.searched(), b.arg(content.Patterns([]string{word})[0]), b.arg(of.venues), b.arg(of.organizers), b.arg(of.terms))
}

// longest returns the longest of the words that the index knows, -1 for none.
func longest(words []string) int {
	at := -1
	for i, word := range words {
		if indexed, _ := indexable(content.Patterns(words[i : i+1])); len(indexed) > 0 && (at < 0 || len(word) > len(words[at])) {
			at = i
		}
	}
	return at
}

// enter names the words to event_texts, which has no rows without. Its policy
// compares three.
func (b *eventQuery) enter(batch *pgx.Batch) {
	const words = `SELECT set_config('kalends.words', $1::text[]::text, true)`
	if n := len(b.words); n > 0 {
		batch.Queue(words, []string{b.words[0], b.words[min(1, n-1)], b.words[n-1]})
	}
}
