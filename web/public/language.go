package public

import (
	"cmp"
	"context"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
)

// Spoken reports whether a path is that of a page with languages, and not of a file or an embedded page.
func Spoken(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "embed", "oembed", "language", "rss", "feed", "atom", "ical":
		return false
	}
	return !strings.Contains(path, ".") && path != "/events/feed"
}

// choose redirects to a page in a language and remembers the choice.
func (w *Pages) choose(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	tag := cmp.Or(i18n.Canonical(a.Param("tag")), tenancy.PathLanguage(a.Param("tag")))
	site := tenancy.Current(ctx).Site
	if tag == "" || site == nil || !i18n.Offers(site, tag) {
		return nil, calendar.ErrNotFound
	}
	return &layout.Shown{Remember: tag}, nil
}
