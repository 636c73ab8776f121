package lists

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kalends/kalends/storage/content"
)

// indexable divides the patterns into up to three that are long enough for the trigram index, and all others.
func indexable(patterns []string) (indexed, others []string) {
	for _, pattern := range patterns {
		if len(indexed) < 3 && utf8.RuneCountInString(pattern) >= len("%abc%") {
			indexed = append(indexed, pattern)
		} else {
			others = append(others, pattern)
		}
	}
	return indexed, others
}

// search keeps events that have all words and none of the excluded words. A word can be in the event's own text or
// in the name of a linked item. If no other condition selects few events, the events are found by index: by up to
// three words that name no item, in their texts; otherwise by one word, in their text or by a link.
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
	patterns, exact := content.Patterns(texts), !b.Texts.Several // the index also has texts in languages that were not requested
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

// without excludes events that have one of the excluded words.
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

// inTexts selects the events whose texts contain the words set by enter. In a site that is not completely indexed
// it also reads the texts outside the index (ADR 185).
const inTexts = `
	SELECT x.id
	FROM event_texts x
	WHERE x.site_id = $1
	  AND x.texts_indexed
	UNION ALL
	SELECT x.id
	FROM event_texts x
	WHERE x.site_id = $1
	  AND NOT x.texts_indexed
	  AND NOT (SELECT s.texts_indexed FROM sites s WHERE s.id = $1)`

// linkedTo adds the events that are linked to the items that a word names.
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
