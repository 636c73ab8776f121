package storage

import (
	"unicode/utf8"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

// searchText returns what searches look through in an event: title, description
// and excerpt without their tags, folded, one per line, and those of other languages
// behind them.
func searchText(e *calendar.Event) string {
	return content.WithTexts(content.SearchLines(e.Title, calendar.PlainText(e.Description), calendar.PlainText(e.Excerpt)), e.Texts)
}

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
