package ui

import (
	"context"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Fact returns the name of a word in an event's field, such as "wheelchair" in accessibility. For a language, it
// returns the language's name in the language of the page.
func Fact(ctx context.Context, field, word string) string {
	return i18n.Fact(tenancy.Current(ctx).Language, field, word)
}
