package admin

import (
	"context"
	"net/url"
	"slices"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/frame"
)

// lackingField of a list's filter narrows it to what has no text in a language, or an
// outdated one.
const lackingField = "texts"

// lackingIn returns the language that a list is narrowed to, "" for none of the site's.
func lackingIn(ctx context.Context, filter url.Values) string {
	if language := filter.Get(lackingField); slices.Contains(otherLanguages(ctx), language) {
		return language
	}
	return ""
}

// languageChoices are the languages that texts can be written in beside the site's own.
func languageChoices(ctx context.Context) (list []frame.Pair) {
	for _, language := range otherLanguages(ctx) {
		list = append(list, frame.Pair{Name: language, Value: i18n.NativeName(language)})
	}
	return list
}

// textAddress is the address of a form, at its texts in a language unless that is "".
func textAddress(form, kind, language string) string {
	if language == "" {
		return form
	}
	return form + "#f-" + textName(language, textFields[kind][0])
}

// lacking says how many entries of each kind lack texts in a language.
type lacking struct {
	language string
	counts   []int // by lackingSections
}

// lackingSections are the lists that can be narrowed to what lacks texts, as far as
// whoever asks may open them.
func lackingSections(ctx context.Context) []string {
	list := []string{"events", "venues", "organizers"}
	for _, k := range []*termKind{categoryKind, tagKind} {
		if frame.May(ctx, k.taxonomy.Right()) {
			list = append(list, k.section)
		}
	}
	return list
}

// lackingTexts is the page that says how many texts are missing or outdated.
func (w *Pages) lackingTexts(v *frame.Visit) (*frame.Reply, error) {
	sections := lackingSections(v.Ctx)
	terms := map[string][]*calendar.Term{}
	for _, k := range []*termKind{categoryKind, tagKind} {
		if !slices.Contains(sections, k.section) {
			continue
		}
		var err error
		if terms[k.section], err = w.terms(v.Ctx, k.taxonomy); err != nil {
			return nil, err
		}
	}
	var list []lacking
	for _, language := range otherLanguages(v.Ctx) {
		row := lacking{language: language}
		for _, section := range sections {
			n, err := w.lackingOf(v.Ctx, section, language, terms[section])
			if err != nil {
				return nil, err
			}
			row.counts = append(row.counts, n)
		}
		list = append(list, row)
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav.texts"), Section: "texts", Body: lackingPage(sections, list)}, nil
}

// lackingOf counts what a list has when it is narrowed to what lacks texts in a language.
func (w *Pages) lackingOf(ctx context.Context, section, language string, terms []*calendar.Term) (n int, err error) {
	speaking := calendar.Speaking{Lacking: language}
	places := &calendar.PlaceFilter{Speaking: speaking}
	places.PerPage = args.Some(1)
	switch section {
	case "events":
		page, err := w.calendar.Events().Shelf(ctx, &calendar.EventFilter{Speaking: speaking}, 1)
		return page.Total, err
	case "venues":
		page, _, err := w.calendar.Venues().List(ctx, places)
		return page.Total, err
	case "organizers":
		page, _, err := w.calendar.Organizers().List(ctx, places)
		return page.Total, err
	}
	for _, t := range terms {
		if textState(t.Texts.All()[language]) != "current" {
			n++
		}
	}
	return n, nil
}

// lackingAddress is the address of a list of what lacks texts in a language.
func lackingAddress(section, language string) string {
	return frame.AdminRoot + "/" + section + "?" + url.Values{lackingField: {language}}.Encode()
}
