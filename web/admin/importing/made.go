package importing

import (
	"context"
	"strings"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/web/forms/frame"
)

// shownNames is the highest number of names of one kind that a page lists.
const shownNames = 5

// madeParts returns the numbers of venues, organizers, categories and tags, as texts, with the names of those that are few.
func madeParts(ctx context.Context, made []imports.Made) (parts []string) {
	for _, kind := range [][2]string{{"venue", "venues"}, {"organizer", "organizers"}, {"category", "categories"}, {"tag", "tags"}} {
		var names []string
		for _, one := range made {
			if one.Kind == kind[0] {
				names = append(names, one.Name)
			}
		}
		if len(names) == 0 {
			continue
		}
		text := frame.Tell(ctx, "nav."+kind[1]) + ": " + frame.Number(ctx, len(names))
		if len(names) <= shownNames {
			text += " (" + strings.Join(names, ", ") + ")"
		}
		parts = append(parts, text)
	}
	return parts
}

// written is the import with only the entries that it has written.
func written(i *imports.Import) *imports.Import {
	only := *i
	only.Counts = imports.Counts{Created: i.Counts.Created, Changed: i.Counts.Changed, Cancelled: i.Counts.Cancelled}
	return &only
}
