package ui

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
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

// Interface returns the language and direction of interface texts as attributes of an element. It returns them only if the
// language of the page has no catalog, so that the interface is in another language.
func Interface(ctx context.Context) templ.Attributes {
	page := tenancy.Current(ctx).Language
	language := i18n.Interface(page)
	if page == "" || language == page {
		return nil
	}
	attributes := templ.Attributes{"lang": language}
	if direction := i18n.Direction(language); direction != i18n.Direction(page) {
		attributes["dir"] = direction
	}
	return attributes
}

// ForeignAlt is Foreign for the alternative text of an image. It returns nothing for an image whose alternative
// text is only in the site's own language.
func ForeignAlt(ctx context.Context, i *calendar.Image) templ.Attributes {
	scope := tenancy.Current(ctx)
	if i.Alt == "" || scope.Site == nil || !scope.Site.Multilingual() {
		return nil
	}
	return Foreign(ctx, cmp.Or(i.Given().Title, scope.Site.Language))
}
