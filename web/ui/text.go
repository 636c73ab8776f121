package ui

import (
	"context"
	"html"
	"net/url"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Href is a path of this site in the language of the request.
func Href(ctx context.Context, path string) string { return tenancy.Current(ctx).Base.Prefix + path }

// Capital begins a text with a capital letter, where its script has them.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// Say is a text of the public pages.
func Say(ctx context.Context, key string) string { return i18n.T(ctx, "public."+key, nil) }

// SayWith is a text of the public pages with one value in it.
func SayWith(ctx context.Context, key, name, value string) string {
	return i18n.T(ctx, "public."+key, map[string]any{name: value})
}

// SayTwo is a text of the public pages with two values in it.
func SayTwo(ctx context.Context, key, name, value, second, other string) string {
	return i18n.T(ctx, "public."+key, map[string]any{name: value, second: other})
}

// DatesIn returns the dates of the language of the request, in the forms of its
// site.
func DatesIn(ctx context.Context) Dates {
	scope := tenancy.Current(ctx)
	return DatesOf(scope.Language, scope.Site)
}

// Offered lists the languages of a site's public pages; of no site's: all.
func Offered(site *tenancy.Site) []string {
	return slices.DeleteFunc(i18n.Languages(), func(tag string) bool { return site != nil && !site.Offers(tag) })
}

// SiteName is the name of the request's site as who asks reads it.
func SiteName(ctx context.Context) string { return tenancy.Current(ctx).Words().Name }

// PlainText is the text of safe HTML.
func PlainText(safe string) string { return html.UnescapeString(safe) }

// PathEscape writes a text as one part of a path.
func PathEscape(s string) string { return url.PathEscape(s) }

// SiteOf returns the site of the request, of none one without a name in UTC.
func SiteOf(ctx context.Context) *tenancy.Site {
	if site := tenancy.Current(ctx).Site; site != nil {
		return site
	}
	return &tenancy.Site{Location: time.UTC}
}

// DateArg is a day as an argument.
func DateArg(day time.Time) args.Opt[args.Date] {
	date, err := args.ParseDate(day.Format("2006-01-02"))
	if err != nil {
		return args.Opt[args.Date]{} // beyond the years there are
	}
	return args.Some(date)
}

// What the templates ask for.

// Direction is "ltr" or "rtl".
func Direction(l Dates) string { return i18n.Direction(l.Tag) }

// FirstText returns the first that is not empty, or "".
func FirstText(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// Decoded is an escaped path as people read it, as it is where it is not escaped well.
func Decoded(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// Whole is a path of this site in the language of the request, with its origin.
func Whole(ctx context.Context, path string) string { return tenancy.Current(ctx).Base.Pages() + path }
