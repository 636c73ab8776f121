package storage

import (
	"unicode/utf8"
)

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
