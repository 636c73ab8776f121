package admin

import (
	"context"
	"net/url"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/admin/terms"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/texts"
)

// lacking has the number of entries of each kind that have no texts in a language.
type lacking struct {
	language string
	counts   []int // by lackingSections
}

// lackingSections are the lists that can be filtered by missing texts in a language, if the user may open them.
func lackingSections(ctx context.Context) []string {
	list := []string{"events", "venues", "organizers"}
	for _, k := range []*terms.Kind{terms.Categories, terms.Tags} {
		if frame.May(ctx, k.Taxonomy.Right()) {
			list = append(list, k.Section)
		}
	}
	return list
}

// lackingTexts shows how many texts are missing or outdated.
func (w *Pages) lackingTexts(v *frame.Visit) (*frame.Reply, error) {
	sections := lackingSections(v.Ctx)
	found := map[string][]*calendar.Term{}
	for _, k := range []*terms.Kind{terms.Categories, terms.Tags} {
		if !slices.Contains(sections, k.Section) {
			continue
		}
		var err error
		if found[k.Section], err = offers.Terms(v.Ctx, w.calendar, k.Taxonomy); err != nil {
			return nil, err
		}
	}
	var list []lacking
	site := tenancy.Current(v.Ctx).Site
	for _, language := range append(site.Others(), site.Language) {
		row, sum := lacking{language: language}, 0
		for _, section := range sections {
			n, err := w.lackingOf(v.Ctx, section, language, found[section])
			if err != nil {
				return nil, err
			}
			row.counts = append(row.counts, n)
			sum += n
		}
		if language != site.Language || sum > 0 { // texts written before the site changed its language
			list = append(list, row)
		}
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav.texts"), Section: "texts", Body: lackingPage(sections, list)}, nil
}

// lackingOf counts the entries of a list that have no texts in a language.
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
		if texts.Lacks(ctx, t.Texts, language) {
			n++
		}
	}
	return n, nil
}

// lackingAddress is the address of the list of entries that have no texts in a language.
func lackingAddress(section, language string) string {
	return frame.AdminRoot + "/" + section + "?" + url.Values{texts.Lacking: {language}}.Encode()
}
