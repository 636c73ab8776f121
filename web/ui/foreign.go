package ui

import (
	"context"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Foreign are the attributes of an element whose text is in a language, none if that is
// the page's own or isn't known. Its direction is left to what it says.
func Foreign(ctx context.Context, language string) templ.Attributes {
	if language == "" || language == tenancy.Current(ctx).Language {
		return nil
	}
	return templ.Attributes{"lang": language}
}

// ForeignAlt is Foreign for the alternative text of a picture. One that has it in the
// site's own language alone doesn't say so.
func ForeignAlt(ctx context.Context, i *calendar.Image) templ.Attributes {
	scope := tenancy.Current(ctx)
	if i.Alt == "" || scope.Site == nil || !scope.Site.Multilingual() {
		return nil
	}
	return Foreign(ctx, FirstText(i.Given.Title, scope.Site.Language))
}
