package lists

import (
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/content"
)

// has is the condition that an event e has a word, in its text or in the name of a linked item.
func (b *eventQuery) has(word string, n *meanings) string {
	of := n.of[word]
	return fmt.Sprintf("%s LIKE %s OR e.venue_ids && %s::bigint[] OR e.organizer_ids && %s::bigint[] OR e.term_ids && %s::bigint[]",
		b.searched(), b.arg(content.Patterns([]string{word})[0]), b.arg(of.venues), b.arg(of.organizers), b.arg(of.terms))
}

// longest returns the index of the longest word that the trigram index can find, or -1.
func longest(words []string) int {
	at := -1
	for i, word := range words {
		if indexed, _ := indexable(content.Patterns(words[i : i+1])); len(indexed) > 0 && (at < 0 || len(word) > len(words[at])) {
			at = i
		}
	}
	return at
}

// enter sets the words for event_texts, which has no rows until they are set. Its row-level policy compares up to
// three words.
func (b *eventQuery) enter(batch *pgx.Batch) {
	const words = `SELECT set_config('kalends.words', $1::text[]::text, true)`
	if n := len(b.words); n > 0 {
		batch.Queue(words, []string{b.words[0], b.words[min(1, n-1)], b.words[n-1]})
	}
}
