package lists

import (
	"fmt"
	"strings"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/storage/content"
)

// language returns the language if a list reads translations in exactly one language, otherwise "". Such rows have
// only that translation, without its language code.
func (b *eventQuery) language() string {
	if q := b.Texts; !q.Whole && len(q.In) == 1 {
		return q.In[0]
	}
	return ""
}

// marked is the condition that some of an event's own fields are in another language than the site's.
const marked = "e.languages @> '{" + translations.Mark + "}'"

// textsIn returns SQL for the translations of an event in the languages that a list asks for.
func (b *eventQuery) textsIn() string {
	switch q := b.Texts; {
	case q.Whole:
		return "e.translations"
	case !q.Several:
		return "NULL::jsonb"
	case len(q.In) == 0:
		return "CASE WHEN " + marked + " THEN e.translations END"
	case b.language() != "":
		language := b.arg(b.language())
		return "CASE WHEN " + marked + " THEN e.translations WHEN e.languages @> ARRAY[" + language +
			"::text] THEN e.translations -> " + language + "::text END"
	default:
		return `CASE WHEN ` + marked + ` THEN e.translations WHEN e.languages IS NOT NULL THEN (
			SELECT jsonb_object_agg(l, e.translations -> l)
			FROM unnest(` + b.arg(q.In) + `::text[]) l
			WHERE e.translations ? l
		) END`
	}
}

// searched is SQL for the text of an event that is searched. In a site with several languages it has the site's
// language and the requested ones.
func (b *eventQuery) searched() string {
	if !b.Texts.Several {
		return "e.search"
	}
	return "texts_in(e.search, " + b.arg(append([]string{}, b.Texts.In...)) + "::text[])"
}

// byTitle is SQL for the value that a list is sorted by when it is sorted by title.
func (b *eventQuery) byTitle() string {
	var titles strings.Builder
	for _, language := range b.Texts.In {
		fmt.Fprintf(&titles, `NULLIF(split_part(split_part(e.search, E'\x02' || %s::text || E'\n', 2), E'\n', 1), ''), `, b.arg(language))
	}
	return `COALESCE(` + titles.String() + `split_part(e.search, E'\n', 1)) COLLATE "C"`
}

// translated keeps events with a translation in one language or without a translation in another, as the query
// asks.
func (b *eventQuery) translated() {
	if language := b.Texts.Translated; language != "" {
		if language == translations.Mark {
			b.andEvent(content.TranslatedIn("e.translations", b.arg(language)))
		} else {
			b.andEvent("e.languages @> ARRAY[" + b.arg(language) + "::text]")
		}
	}
	if language := b.Texts.Lacking; language != "" {
		b.andEvent(content.LackingIn("e.translations", b.arg(language)))
	}
}
