package ui

import (
	"context"
	"html"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Href returns a path of this site with the language of the request.
func Href(ctx context.Context, path string) string { return tenancy.Current(ctx).Base.Prefix + path }

// Capital capitalizes a text if its script has capitals.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// Say returns a text of the public pages.
func Say(ctx context.Context, key string) string { return i18n.T(ctx, "public."+key, nil) }

// SayWith returns a text of the public pages with one placeholder filled.
func SayWith(ctx context.Context, key, name, value string) string {
	return i18n.T(ctx, "public."+key, map[string]any{name: value})
}

// SayTwo returns a text of the public pages with two placeholders filled.
func SayTwo(ctx context.Context, key, name, value, second, other string) string {
	return i18n.T(ctx, "public."+key, map[string]any{name: value, second: other})
}

// DatesIn returns the way in which dates are written for a request, which depends on its language and site.
func DatesIn(ctx context.Context) Dates {
	scope := tenancy.Current(ctx)
	return DatesOf(scope.Language, scope.Site)
}

// Offered returns the languages of a site's public pages; without a site, all languages.
func Offered(site *tenancy.Site) []string {
	return i18n.Offered(site)
}

// Joined joins the texts that are not empty with dots.
func Joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), " · ")
}

// Titled returns the title of an event. If the event does not take place, it adds that.
func Titled(ctx context.Context, e *calendar.Event, title string) string {
	if !e.Happening.Off() {
		return title
	}
	return SayTwo(ctx, "status.title", "Status", Say(ctx, "status."+e.Happening.Status), "Title", title)
}

// SiteName returns the name of the request's site in the reader's language.
func SiteName(ctx context.Context) string { return tenancy.Current(ctx).Words().Name }

// PlainText returns the text of safe HTML.
func PlainText(safe string) string { return html.UnescapeString(safe) }

// PathEscape escapes a text for a path segment.
func PathEscape(s string) string { return url.PathEscape(s) }

// SiteOf returns the site of the request, or an unnamed one in UTC.
func SiteOf(ctx context.Context) *tenancy.Site {
	if site := tenancy.Current(ctx).Site; site != nil {
		return site
	}
	return &tenancy.Site{Location: time.UTC}
}

// Helpers of the templates.

// Direction returns "ltr" or "rtl".
func Direction(l Dates) string { return i18n.Direction(l.Tag) }

// Decoded returns an escaped path in readable form, or unchanged if it is malformed.
func Decoded(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// Whole returns a path of this site in the language of the request, with its origin.
func Whole(ctx context.Context, path string) string { return tenancy.Current(ctx).Base.Pages() + path }
