// Package offers provides the options of fields and filters: entries by name, and categories in their tree.
package offers

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// Longest is how many entries a field offers to choose from.
const Longest = 500

// MostTerms is the largest number of terms on a page.
const MostTerms = 2000

// Of returns the results of a query, with the categories in the order of the language.
func Of(ctx context.Context, c *services.Calendar, q calendar.OfferQuery) (*calendar.Offers, error) {
	o, err := c.Offers(ctx, q)
	if err == nil {
		i18n.InOrder(tenancy.Current(ctx).Language, o.Categories, func(t *calendar.Term) string { return Label(ctx, t.Names()) })
	}
	return o, err
}

// Named returns entries by name, for a field to choose from. Names are in the language of the page, followed by the
// entry's own name in brackets if that differs.
func Named(ctx context.Context, entries []calendar.Named) []frame.Pair {
	list := make([]frame.Pair, 0, len(entries))
	for _, e := range entries {
		list = append(list, frame.Pair{Name: frame.IDText(e.ID), Value: e.Label()})
	}
	i18n.InOrder(tenancy.Current(ctx).Language, list, func(p frame.Pair) string { return p.Value })
	return list
}

// Languages returns the languages in which the user reads names, the best first. It returns none if that is the
// site's own language.
func Languages(ctx context.Context) []string {
	scope := tenancy.Current(ctx)
	return scope.Site.Texts(scope.Language)
}

// Label returns the name of an entry in the language of the page, followed by its own name in brackets if that
// differs.
func Label(ctx context.Context, names calendar.Naming) string { return names.Label(Languages(ctx)) }

// Terms returns the categories or tags by name.
func Terms(ctx context.Context, c *services.Calendar, taxonomy calendar.Taxonomy) ([]*calendar.Term, error) {
	f := &calendar.CategoryFilter{}
	f.HideEmpty = args.Some(false)
	page, err := c.Terms(taxonomy).ListLong(ctx, f, MostTerms)
	return page.Items, err
}

// Branch is a category in its tree.
type Branch struct {
	*calendar.Term

	Depth int
}

// Tree puts each category below its parent. A category whose parent is missing from terms is at the top level.
func Tree(terms []*calendar.Term) []Branch {
	present := map[int64]bool{}
	for _, t := range terms {
		present[t.ID] = true
	}
	below := map[int64][]*calendar.Term{}
	for _, t := range terms {
		parent := t.Parent
		if !present[parent] {
			parent = 0
		}
		below[parent] = append(below[parent], t)
	}
	var list []Branch
	var grow func(parent int64, depth int)
	grow = func(parent int64, depth int) {
		for _, t := range below[parent] {
			list = append(list, Branch{t, depth})
			grow(t.ID, depth+1)
		}
	}
	grow(0, 0)
	return list
}

// Label returns the name of a category with marks for its depth.
func (b Branch) Label(ctx context.Context) string {
	return strings.Repeat("– ", b.Depth) + Label(ctx, b.Names())
}

// Indented returns categories in their tree, for a field to choose from.
func Indented(ctx context.Context, list []Branch) []frame.Pair {
	pairs := make([]frame.Pair, 0, len(list))
	for _, b := range list {
		pairs = append(pairs, frame.Pair{Name: frame.IDText(b.ID), Value: b.Label(ctx)})
	}
	return pairs
}

// With adds a choice unless the list has it.
func With(list []frame.Pair, one frame.Pair) []frame.Pair {
	if slices.ContainsFunc(list, func(p frame.Pair) bool { return p.Name == one.Name }) {
		return list
	}
	return append(list, one)
}

// NewCategory is the field for the name of a category that is created with the event.
const NewCategory = "new_category"
