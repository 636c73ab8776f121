package admin

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/words"
)

// mergeLabel is the label of a compared field.
func mergeLabel(ctx context.Context, m *merging, name string) string {
	if name == "geo" {
		return frame.Tell(ctx, "merge.geo")
	}
	return (&frame.Form{Kind: m.kind.kind}).Label(ctx, name)
}

// mergeText returns the field that determines the text direction of a compared field.
func mergeText(name string) string {
	if name == "geo" || name == "color" {
		return "geo_lat"
	}
	return name
}

// mergeOf says to which entry a value belongs.
func mergeOf(ctx context.Context, m *merging, one *mergeEntry) string {
	if one == m.keep {
		return frame.TellWith(ctx, "merge.stays", "Name", one.name)
	}
	return frame.TellWith(ctx, "merge.goes", "Name", one.name)
}

// twins are groups of venues or organizers that may be duplicates. They are empty for users who may not merge.
func (w *Pages) twins(ctx context.Context, k *placeKind) ([]calendar.Twins, error) {
	if !frame.May(ctx, calendar.MergeRight) {
		return nil, nil
	}
	return k.twins(ctx)
}

// twinsOf are the groups with an entry, by name.
func twinsOf(all []calendar.Twins, id int64) (list [][]frame.Pair) {
	for _, one := range all {
		if slices.ContainsFunc(one.Items, func(m calendar.Mark) bool { return m.ID == id }) {
			var pairs []frame.Pair
			for _, m := range one.Items {
				pairs = append(pairs, frame.Pair{Name: frame.IDText(m.ID), Value: m.Name + cityOf(m.City)})
			}
			list = append(list, pairs)
		}
	}
	return list
}

func cityOf(city string) string {
	if city == "" {
		return ""
	}
	return " (" + city + ")"
}

// twinTerms are the groups of terms that may be duplicates.
func twinTerms(all []*calendar.Term) (list [][]frame.Pair) {
	for _, group := range calendar.TwinTerms(all) {
		var pairs []frame.Pair
		for _, t := range group {
			pairs = append(pairs, frame.Pair{Name: frame.IDText(t.ID), Value: t.Name})
		}
		list = append(list, pairs)
	}
	return list
}

func idsOfPairs(list []frame.Pair) []int64 {
	ids := make([]int64, 0, len(list))
	for _, p := range list {
		if id, err := strconv.ParseInt(p.Name, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// mergeShown is the value of a field as people read it.
func mergeShown(ctx context.Context, one *mergeEntry, name string) string {
	if name == "fields" {
		return added.Shown(ctx, one.fields[name])
	}
	if words.Is(name) {
		return words.Text(ctx, name, strings.FieldsFunc(one.fields[name], func(r rune) bool { return r == ',' }))
	}
	return one.text(name)
}
