package ui

import (
	"context"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Fact returns a word of a field of an event, such as wheelchair of accessibility, as people read it: languages by their name in the language
// of the page.
func Fact(ctx context.Context, field, word string) string {
	if field == "event_language" && word != NoLanguage {
		return i18n.NameOf(tenancy.Current(ctx).Language, word)
	}
	return Say(ctx, "fact."+field+"."+word)
}

// NoLanguage is the tag of an event for which one needs no language.
const NoLanguage = "zxx"
