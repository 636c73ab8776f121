package places

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/admin/merging"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
)

// twinsShown is how many groups the page of possible duplicates has, and twinsOfGroup how many entries of each. The
// others follow once these are decided.
const (
	twinsShown   = 50
	twinsOfGroup = 20
)

// twinList is the page of the venues or organizers that may be the same.
type twinList struct {
	kind   *Kind
	groups []twinGroup
	all    int // groups
}

// twinGroup are entries that may be the same.
type twinGroup struct {
	why   calendar.Likeness
	items []*Entry
}

func twinsAddress(section string) string { return frame.AdminRoot + "/" + section + "/twins" }

// listTwins shows the entries that may be the same.
func (w *Pages) listTwins(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	all, err := k.twins(v.Ctx)
	if err != nil {
		return nil, err
	}
	l := &twinList{kind: k, all: len(all)}
	all = all[:min(len(all), twinsShown)]
	ids := []int64{}
	for i := range all {
		for j := range all[i].Items[:min(len(all[i].Items), twinsOfGroup)] {
			ids = append(ids, all[i].Items[j].ID)
		}
	}
	if len(ids) > 0 {
		entries, err := k.several(v.Ctx, ids)
		if err != nil {
			return nil, err
		}
		l.group(all, entries)
	}
	return &frame.Reply{Title: l.title(v.Ctx), Section: k.Section, Body: twinsPage(l)}, nil
}

// group puts entries into their groups. It leaves out entries that have been deleted meanwhile.
func (l *twinList) group(all []calendar.Twins, entries []*Entry) {
	byID := map[int64]*Entry{}
	for _, one := range entries {
		byID[one.ID] = one
	}
	for _, group := range all {
		g := twinGroup{why: group.Why}
		for _, m := range group.Items {
			if one := byID[m.ID]; one != nil {
				g.items = append(g.items, one)
			}
		}
		differs := func(one *Entry) bool { return !strings.EqualFold(one.Name, g.items[0].Name) }
		if g.why == calendar.SameName && slices.ContainsFunc(g.items, differs) {
			g.why = calendar.SimilarName // such as a name with and without its city
		}
		if len(g.items) > 1 {
			l.groups = append(l.groups, g)
		}
	}
}

func (l *twinList) title(ctx context.Context) string { return frame.Counted(ctx, "twins.title", l.all) }

// decideTwins leads to the form that merges the chosen entries, or remembers that they are not the same.
func (w *Pages) decideTwins(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	ids, back := chosen.IDs(v.Form), twinsAddress(k.Section)
	do := v.Form.Get("do")
	switch {
	case do != "merge" && do != "apart":
		return &frame.Reply{Redirect: back}, nil
	case len(ids) < 2:
		return &frame.Reply{Redirect: back, Say: "none"}, nil
	case do == "merge":
		return &frame.Reply{Redirect: merging.Address(k.Section, ids)}, nil
	}
	if err := k.part(v.Ctx, ids); err != nil {
		return nil, err
	}
	return &frame.Reply{Redirect: back, Say: "apart"}, nil
}

// twins are groups of venues or organizers that may be duplicates. They are empty for users who may not merge.
func (w *Pages) twins(ctx context.Context, k *Kind) ([]calendar.Twins, error) {
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
