package history

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// seasonsText describes the seasons of a site: each on a line.
func seasonsText(ctx context.Context, all map[string]any) string {
	var list []string
	for _, number := range slices.Sorted(maps.Keys(all)) {
		season, _ := all[number].(map[string]any)
		var parts []string
		for _, name := range []string{"name", "from", "until", "header", "accent", "lead"} {
			text, _ := season[name].(string)
			if at, err := time.Parse(time.DateOnly, "2000-"+text); err == nil {
				text = ui.DatesIn(ctx).Annual(at)
			}
			if text != "" {
				parts = append(parts, text)
			}
		}
		list = append(list, strings.Join(parts, " · "))
	}
	return strings.Join(list, "\n")
}

// translationsText describes translations: each language with its texts.
func translationsText(all map[string]any) string {
	var list []string
	for _, language := range slices.Sorted(maps.Keys(all)) {
		texts, _ := all[language].(map[string]any)
		var said []string
		for _, name := range []string{"title", "venue", "organizer", "name", "tagline", "excerpt", "description", "slug", "cost",
			"seo_title", "seo_description", "links", "footer_links", "submission_terms",
			tenancy.LeadField(0), tenancy.LeadField(1), tenancy.LeadField(2), tenancy.LeadField(3), "alt"} {
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
