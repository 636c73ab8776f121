package storage

import (
	"strings"

	"github.com/kalends/kalends/calendar"
)

// searchText returns what searches look through in an event: title, description
// and excerpt without their tags, folded, one per line.
func searchText(e *calendar.Event) string {
	return lines(e.Title, calendar.PlainText(e.Description), calendar.PlainText(e.Excerpt))
}

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// containing returns the LIKE pattern of texts that contain the word.
func containing(word string) string { return "%" + likeEscapes.Replace(word) + "%" }
