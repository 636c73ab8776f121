package storage

import (
	"strings"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar"
)

// searchText returns what searches look through in an event: title, description
// and excerpt without their tags, folded, one per line, and those of other languages
// behind them.
func searchText(e *calendar.Event) string {
	return withTexts(lines(e.Title, calendar.PlainText(e.Description), calendar.PlainText(e.Excerpt)), e.Texts)
}

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// indexable parts the patterns into up to three that are long enough for the
// trigram index, and all others.
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

// containing returns the LIKE pattern of texts that contain the word.
func containing(word string) string { return "%" + likeEscapes.Replace(word) + "%" }

// lines returns the folded fields of an item, one per line: what a search
// looks through.
func lines(fields ...string) string {
	folded := make([]string, 0, len(fields))
	for _, f := range fields {
		if f = strings.Join(strings.Fields(calendar.Fold(strings.ReplaceAll(f, "\x02", " "))), " "); f != "" {
			folded = append(folded, f)
		}
	}
	return strings.Join(folded, "\n")
}
