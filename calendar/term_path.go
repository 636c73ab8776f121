package calendar

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// inLanguage precedes each ancestor's slug in another language in the stored path of a term:
// "music\x02de=musik/jazz".
const inLanguage = "\x02"

// Stand sets the path of a term from its stored form, the slugs from the top including their translations.
func (t *Term) Stand(path string) {
	t.Path, t.Ways = path, ""
	if strings.Contains(path, inLanguage) {
		t.Ways = path
		t.Path = t.pathIn(nil)
	}
}

// Below moves a term below a category, or to the top if that is the zero Term.
func (t *Term) Below(above *Term) {
	if above.ID == 0 {
		t.Path, t.Ways = t.Slug, ""
		return
	}
	var way strings.Builder
	way.WriteString(cmp.Or(above.Ways, above.Path))
	all := above.Texts.All()
	for _, language := range slices.Sorted(maps.Keys(all)) {
		if slug := all[language].Slug; slug != "" {
			way.WriteString(inLanguage + language + "=" + slug)
		}
	}
	t.Stand(way.String() + "/" + t.Slug)
}

// called sets another slug for a term, and for its ancestors their slugs in the best of the languages.
func (t *Term) called(slug string, languages []string) {
	path := t.Path
	if t.Ways != "" {
		path = t.pathIn(languages)
	}
	t.Slug, t.Path = slug, path[:strings.LastIndexByte(path, '/')+1]+slug
}

// pathIn returns the path of a term with its ancestors' slugs in the best of the languages.
func (t *Term) pathIn(languages []string) string {
	steps := strings.Split(t.Ways, "/")
	for i, step := range steps {
		ways := strings.Split(step, inLanguage)
		steps[i] = ways[0]
		for _, language := range slices.Backward(languages) { // the best comes last and wins
			for _, way := range ways[1:] {
				if slug, is := strings.CutPrefix(way, language+"="); is {
					steps[i] = slug
				}
			}
		}
	}
	return strings.Join(steps, "/")
}
