package admin

import (
	"context"

	"github.com/kalends/kalends/calendar"
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
	kind   *placeKind
	groups []twinGroup
	all    int // groups
}

// twinGroup are entries that may be the same.
type twinGroup struct {
	why   calendar.Likeness
	items []*placeEntry
}

func twinsAddress(section string) string { return frame.AdminRoot + "/" + section + "/twins" }

// listTwins shows the entries that may be the same.
func (w *Pages) listTwins(v *frame.Visit, k *placeKind) (*frame.Reply, error) {
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
	return &frame.Reply{Title: l.title(v.Ctx), Section: k.section, Body: twinsPage(l)}, nil
}

// group puts entries into their groups. Those that have gone meanwhile are left out.
func (l *twinList) group(all []calendar.Twins, entries []*placeEntry) {
	byID := map[int64]*placeEntry{}
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
		if len(g.items) > 1 {
			l.groups = append(l.groups, g)
		}
	}
}

func (l *twinList) title(ctx context.Context) string { return frame.Counted(ctx, "twins.title", l.all) }

// decideTwins leads to the form that merges the chosen entries, or remembers that they are not the same.
func (w *Pages) decideTwins(v *frame.Visit, k *placeKind) (*frame.Reply, error) {
	ids, back := chosen.IDs(v.Form), twinsAddress(k.section)
	do := v.Form.Get("do")
	switch {
	case do != "merge" && do != "apart":
		return &frame.Reply{Redirect: back}, nil
	case len(ids) < 2:
		return &frame.Reply{Redirect: back, Say: "none"}, nil
	case do == "merge":
		return &frame.Reply{Redirect: mergeAddress(k.section, ids)}, nil
	}
	if err := k.part(v.Ctx, ids); err != nil {
		return nil, err
	}
	return &frame.Reply{Redirect: back, Say: "apart"}, nil
}
