package storage

import (
	"strings"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar"
)

// searchText returns what searches look through in an event: title, description
// and excerpt without their tags, folded, one per line.
func searchText(e *calendar.Event) string {
	return lines(e.Title, calendar.PlainText(e.Description), calendar.PlainText(e.Excerpt))
}

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// splitWords returns the patterns of up to three words that the trigram index
// can find, and those of all others.
func splitWords(words []string) (indexed, others []string) {
	for i, pattern := range within(words) {
		if len(indexed) < 3 && utf8.RuneCountInString(words[i]) >= 3 {
			indexed = append(indexed, pattern)
		} else {
			others = append(others, pattern)
		}
	}
	return indexed, others
}

// containing returns the LIKE pattern of texts that contain the word.
func containing(word string) string { return "%" + likeEscapes.Replace(word) + "%" }
