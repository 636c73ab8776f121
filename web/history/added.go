package history

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/web/ui"
)

// addedText describes the values of the fields that the site has added, one in each line. For an entry about the site itself,
// it returns the label of the field that was changed.
func addedText(ctx context.Context, kind string, v map[string]any) string {
	site := ui.SiteOf(ctx)
	if kind == "site" {
		key, _ := v["key"].(string)
		texts, _ := v["texts"].(map[string]any)
		for _, language := range append([]string{site.Language}, slices.Sorted(maps.Keys(texts))...) {
			text, _ := texts[language].(map[string]any)
			if label, _ := text["label"].(string); label != "" {
				return label
			}
		}
		return key
	}
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(v)) {
		label, text := key, RawText(v[key])
		if f := site.FieldNamed(key); f != nil {
			label, text = ui.AddedLabel(ctx, f), ui.AddedValue(ctx, f, v[key])
		}
		lines = append(lines, label+": "+text)
	}
	return strings.Join(lines, "\n")
}
