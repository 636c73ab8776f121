package ui

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Foreign returns the attributes of an element with text in a language, or none if that is the page's own or unknown.
// The text's direction is detected automatically.
func Foreign(ctx context.Context, language string) templ.Attributes {
	if language == "" || language == tenancy.Current(ctx).Language {
		return nil
	}
	return templ.Attributes{"lang": language}
}

// ForeignAlt is Foreign for the alternative text of an image. It returns nothing for an image with a text in only the
// site's own language.
func ForeignAlt(ctx context.Context, i *calendar.Image) templ.Attributes {
	scope := tenancy.Current(ctx)
	if i.Alt == "" || scope.Site == nil || !scope.Site.Multilingual() {
		return nil
	}
	return Foreign(ctx, cmp.Or(i.Given.Title, scope.Site.Language))
}
