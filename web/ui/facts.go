package ui

import (
	"context"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Fact returns the name of a value of an event's field, such as wheelchair of accessibility. Languages have their names in the
// language of the page.
func Fact(ctx context.Context, field, word string) string {
	if field == "event_language" && word != NoLanguage {
		return i18n.NameOf(tenancy.Current(ctx).Language, word)
	}
	return Say(ctx, "fact."+field+"."+word)
}

// NoLanguage is the tag for an event that people can attend without knowing a language.
const NoLanguage = "zxx"
