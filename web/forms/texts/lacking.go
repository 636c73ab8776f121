package texts

import (
	"context"
	"net/url"
	"slices"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// Lacking is the field of a list's filter that shows only entries whose text in a language is missing or outdated.
const Lacking = "texts"

// LackingIn returns the language in the Lacking field of a filter, or "" if it is not a language of the site.
func LackingIn(ctx context.Context, filter url.Values) string {
	if language := filter.Get(Lacking); slices.Contains(append(Languages(ctx), ownLanguage(ctx)), language) && Languages(ctx) != nil {
		return language
	}
	return ""
}

// Lacks reports whether the text in a language is missing or outdated.
func Lacks(ctx context.Context, stored translations.Texts, language string) bool {
	return stateIn(ctx, stored, language) != "current"
}

// languageChoices returns the languages that texts can be written in, with the site's own last.
func languageChoices(ctx context.Context) (list []frame.Pair) {
	for _, language := range append(Languages(ctx), ownLanguage(ctx)) {
		list = append(list, frame.Pair{Name: language, Value: i18n.NameOf(tenancy.Current(ctx).Language, language)})
	}
	return list
}

// Address returns the address of an entry's form. Unless language is "", the address leads to the texts in that language.
func Address(form, kind, language string) string {
	if language == "" {
		return form
	}
	return form + "#f-" + control(language, fieldsOf[kind][0])
}
