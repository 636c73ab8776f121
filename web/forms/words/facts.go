package words

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// factsUsed reports whether one of the facts has content or a problem.
func factsUsed(f *frame.Form) bool {
	return slices.ContainsFunc(calendar.EventFacts(), func(fact *calendar.EventField) bool {
		return f.WrongAmong(fact.Name) || slices.ContainsFunc(f.All(fact.Name), func(value string) bool { return value != "" })
	})
}

// SpokenNear returns the languages that an event can have, sorted by name. near has the chosen languages, those of
// the site, its texts and its pages, English, and "none". others has the rest.
func SpokenNear(ctx context.Context, f *frame.Form) (near, others []string) {
	site := ui.SiteOf(ctx)
	usual := map[string]bool{"en": true, i18n.NoLanguage: true}
	s := site.Settings
	for _, tag := range slices.Concat([]string{site.Language}, s.Languages, s.ContentLanguages, f.All("event_language")) {
		base, _, _ := strings.Cut(tag, "-")
		usual[base] = true
	}
	for _, tag := range calendar.EventFieldNamed("event_language").Choices() {
		if usual[tag] {
			near = append(near, tag)
		} else {
			others = append(others, tag)
		}
	}
	for _, list := range [][]string{near, others} {
		i18n.InOrder(tenancy.Current(ctx).Language, list, func(tag string) string { return ui.Fact(ctx, "event_language", tag) })
	}
	return near, others
}
