package reading

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
)

// columnless are fields of venues and organizers without a column of their own, with the reason.
var columnless = map[string]string{
	"venue.venue":         "the column is called venue",
	"venue.fields":        "each of them has a column",
	"venue.excerpt":       "The Events Calendar has none",
	"venue.show_map":      "the event has it",
	"venue.show_map_link": "the event has it",
	"organizer.organizer": "the column is called organizer",
	"organizer.excerpt":   "The Events Calendar has none",
}

// Every field of a venue and an organizer has a column in files, or a reason why not.
func TestEveryFieldOfPlacesHasAColumn(t *testing.T) {
	t.Parallel()
	var names []string
	for _, f := range calendar.AllVenueFields() {
		names = append(names, "venue."+f.Name)
	}
	for _, f := range calendar.AllOrganizerFields() {
		names = append(names, "organizer."+f.Name)
	}
	for _, name := range names {
		has := slices.ContainsFunc(Headers, func(h Header) bool { return h.Meaning == name && h.Name != "" })
		if has == (columnless[name] != "") {
			t.Errorf("%s has a column: %t, named as one without: %q", name, has, columnless[name])
		}
	}
}

// The documents name every field of an event that only Kalends has: the rules or, if it is a text in several languages, the page about
// these, and the page about files its column.
func TestOwnFieldsAreDocumented(t *testing.T) {
	t.Parallel()
	text := func(pages ...string) (all string) {
		for _, page := range pages {
			part, err := os.ReadFile("../../docs/" + page)
			if err != nil {
				t.Fatal(err)
			}
			all += string(part)
		}
		return all
	}
	rules, files := text("rules.md", "languages.md"), text("csv.md")
	for _, f := range calendar.AllEventFields() {
		if f.Said && !strings.Contains(rules, "`"+f.Name+"`") {
			t.Errorf("docs/rules.md doesn't name %s", f.Name)
		}
		if f.Said && !strings.Contains(files, "`"+f.Sheet+"`") && f.Sheet != "" {
			t.Errorf("docs/csv.md doesn't name the column %q of %s", f.Sheet, f.Name)
		}
	}
}
