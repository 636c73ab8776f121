package people

import (
	"context"
	"errors"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// areaFields are the fields of a user's area: they limit the events that an author or contributor may write.
var areaFields = []string{"categories", "venues", "organizers"}

// part is one field of a user's area with its choices.
type part struct {
	name    string
	choices []choice
}

// choice is an entry that can be chosen.
type choice struct {
	id, name string
	depth    int
}

// areaTexts returns the IDs in one field of an area, in the format of the form.
func areaTexts(a tenancy.Area, name string) []string {
	texts := []string{}
	for _, id := range map[string][]int64{"categories": a.Categories, "venues": a.Venues, "organizers": a.Organizers}[name] {
		texts = append(texts, frame.IDText(id))
	}
	return texts
}

// fillArea puts an area into a form.
func fillArea(f *frame.Form, a tenancy.Area) {
	for _, name := range areaFields {
		f.Set(name, areaTexts(a, name)...)
	}
}

// sameArea reports whether a form has the same entries as an area.
func sameArea(f *frame.Form, a tenancy.Area) bool {
	for _, name := range areaFields {
		now, typed := areaTexts(a, name), f.All(name)
		slices.Sort(now)
		slices.Sort(typed)
		if !slices.Equal(now, slices.Compact(typed)) {
			return false
		}
	}
	return true
}

// area returns the fields of an area with their choices. The choices always include the entries in the form.
func (w *Pages) area(ctx context.Context, f *frame.Form) ([]part, error) {
	found, err := offers.Of(
		ctx,
		w.calendar,
		calendar.OfferQuery{Venues: offers.Longest, Organizers: offers.Longest, Categories: offers.MostTerms},
	)
	if err != nil {
		return nil, err
	}
	categories := part{name: "categories"}
	for _, c := range offers.Tree(found.Categories) {
		categories.choices = append(categories.choices, choice{frame.IDText(c.ID), offers.Label(ctx, c.Names()), c.Depth})
	}
	venues, err := places(ctx, f, "venues", found.Venues, func(id int64) (string, error) {
		v, err := w.calendar.Venues().Get(ctx, calendar.Key{ID: id})
		if err != nil {
			return "", err
		}
		return v.Name, nil
	})
	if err != nil {
		return nil, err
	}
	organizers, err := places(ctx, f, "organizers", found.Organizers, func(id int64) (string, error) {
		o, err := w.calendar.Organizers().Get(ctx, calendar.Key{ID: id})
		if err != nil {
			return "", err
		}
		return o.Name, nil
	})
	return []part{categories, venues, organizers}, err
}

// places returns a field of venues or organizers. The choices are the offered ones and those in the form.
func places(ctx context.Context, f *frame.Form, field string, offered []calendar.Named, name func(id int64) (string, error)) (part, error) {
	for _, text := range f.All(field) {
		id := frame.IDIn(text)
		if id == 0 || slices.ContainsFunc(offered, func(n calendar.Named) bool { return n.ID == id }) {
			continue
		}
		name, err := name(id)
		switch {
		case errors.Is(err, calendar.ErrNotFound), errors.Is(err, calendar.ErrGone), errors.Is(err, calendar.ErrTrashed):
			name = text
		case err != nil:
			return part{}, err
		}
		offered = append(offered, calendar.Named{ID: id, Name: name})
	}
	p := part{name: field}
	for _, one := range offers.Named(ctx, offered) {
		p.choices = append(p.choices, choice{id: one.Name, name: one.Value})
	}
	return p, nil
}
