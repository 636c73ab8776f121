package words

import (
	"context"
	"slices"
	"strings"
	"sync"

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
	for _, tag := range spokenByName(tenancy.Current(ctx).Language) {
		if usual[tag] {
			near = append(near, tag)
		} else {
			others = append(others, tag)
		}
	}
	return near, others
}

// spoken remembers what spokenByName returns, by the language of the interface: sorting takes longer than most parts of a form.
var spoken sync.Map

// spokenByName returns the languages that an event can have, sorted by their names in a language of the interface.
func spokenByName(lang string) []string {
	lang = i18n.Interface(lang)
	if sorted, known := spoken.Load(lang); known {
		return sorted.([]string)
	}
	sorted := slices.Clone(calendar.EventFieldNamed("event_language").Choices())
	i18n.InOrder(lang, sorted, func(tag string) string { return i18n.Fact(lang, "event_language", tag) })
	spoken.Store(lang, sorted)
	return sorted
}
