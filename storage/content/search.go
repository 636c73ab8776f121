package content

import (
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/wording"
)

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Pattern returns the LIKE pattern for texts that contain the word. Like the text from SearchLines, it has only
// single spaces.
func Pattern(word string) string {
	return "%" + likeEscapes.Replace(strings.Join(strings.Fields(word), " ")) + "%"
}

// SearchLines returns the text of an item that searches look through: its folded fields, one per line. The last
// line has alternative spellings, such as "mueller" for Müller.
func SearchLines(fields ...string) string {
	folded := make([]string, 0, len(fields))
	var spelled []string
	for _, f := range fields {
		spelled = append(spelled, wording.SpelledOut(f)...)
		if f = strings.Join(strings.Fields(wording.Fold(strings.ReplaceAll(f, "\x02", " "))), " "); f != "" {
			folded = append(folded, f)
		}
	}
	if slices.Sort(spelled); len(spelled) > 0 {
		folded = append(folded, strings.Join(slices.Compact(spelled), " "))
	}
	return strings.Join(folded, "\n")
}

// Patterns returns LIKE patterns for texts that contain the words.
func Patterns(words []string) []string {
	patterns := make([]string, 0, len(words))
	for _, w := range words {
		patterns = append(patterns, Pattern(w))
	}
	return patterns
}
