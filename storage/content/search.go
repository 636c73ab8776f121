package content

import (
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/wording"
)

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Pattern returns the LIKE pattern of texts that contain the word, with single blanks as SearchLines has them.
func Pattern(word string) string {
	return "%" + likeEscapes.Replace(strings.Join(strings.Fields(word), " ")) + "%"
}

// SearchLines returns the folded fields of an item, one per line: what a search
// looks through. The last line is of the words that can be spelled out.
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
