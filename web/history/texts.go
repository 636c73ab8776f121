package history

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
)

// translationsText describes translations: each language with its texts.
func translationsText(all map[string]any) string {
	var list []string
	for _, language := range slices.Sorted(maps.Keys(all)) {
		texts, _ := all[language].(map[string]any)
		var said []string
		for _, name := range []string{"title", "venue", "organizer", "name", "tagline", "excerpt", "description", "slug", "cost",
			"seo_title", "seo_description",
			"links", "footer_links", "submission_terms", "alt"} {
			switch text := texts[name].(type) {
			case string:
				if text != "" {
					said = append(said, wording.PlainText(text))
				}
			case []any:
				for _, one := range text {
					said = append(said, fmt.Sprint(one))
				}
			}
		}
		list = append(list, i18n.NativeName(language)+": "+strings.Join(said, " · "))
	}
	return strings.Join(list, "\n")
}
