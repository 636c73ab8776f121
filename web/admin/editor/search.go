package editor

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/admin/places"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/ui"
)

// settleNames replaces the typed names of the time zone and of the parent event with the zone and the ID that they
// mean. It keeps names that match nothing.
func (w *Pages) settleNames(ctx context.Context, f *frame.Form) error {
	settleZone(ctx, f)
	typed := f.Text("post_parent")
	name, id := places.NameAndID(typed)
	if id != 0 {
		f.Set("post_parent", frame.IDText(id))
		return nil
	}
	if name == "" || frame.IDIn(name) != 0 {
		return nil
	}
	list, err := w.parentsFor(ctx, name)
	list = slices.DeleteFunc(list, func(p pick) bool { return wording.Fold(p.name) != wording.Fold(name) })
	if len(list) == 1 {
		_, id := places.NameAndID(list[0].value)
		f.Set("post_parent", frame.IDText(id))
	}
	return err
}

// parentsFor lists events whose titles match the typed text, as the field shows them.
func (w *Pages) parentsFor(ctx context.Context, typed string) ([]pick, error) {
	name, _ := places.NameAndID(frame.Cut(typed, LongestPick))
	f := &calendar.EventFilter{}
	if name != "" {
		f.Search = args.Some(wording.Phrase(name))
	}
	page, err := w.calendar.Events().Shelf(ctx, f, mostPicks)
	list := make([]pick, 0, len(page.Items))
	for _, e := range page.Items {
		list = append(list, pick{name: e.Title, note: frame.ShortSpan(ctx, e), value: places.Named(e.Title, e.ID)})
	}
	return list, err
}

// showParent shows the title of the parent event in its field. If the typed name matches no event, it offers
// similar ones.
func (w *Pages) showParent(ctx context.Context, ed *eventEditor) (err error) {
	id := frame.IDIn(ed.form.Text("post_parent"))
	switch {
	case ed.form.WrongAmong("post_parent") && id == 0:
		ed.parents, err = w.parentsFor(ctx, ed.form.Text("post_parent"))
	case id != 0:
		e, err := w.calendar.Events().Get(ctx, calendar.Key{ID: id}, "")
		if frame.Unseen(err) {
			return nil
		}
		if err != nil {
			return err
		}
		ed.parent = places.Named(e.Title, e.ID)
	}
	return err
}

// settleZone replaces a typed name with the time zone that it means. Part of a name is enough if it occurs in only
// one zone. An empty field means the site's zone.
func settleZone(ctx context.Context, f *frame.Form) {
	if !f.Has("timezone") {
		return
	}
	f.Set("timezone", cmp.Or(zoneNamed(f.Text("timezone")), ui.SiteOf(ctx).Timezone))
}

// zoneNamed returns the time zone with a typed name, city, or part of a name that only one zone has. Otherwise it
// returns the text.
func zoneNamed(typed string) string {
	text := wording.Fold(frame.ZoneText(strings.TrimSpace(typed)))
	if text == "" {
		return ""
	}
	var within []string
	for _, zone := range args.ZoneNames() {
		name := wording.Fold(frame.ZoneText(zone))
		switch {
		case name == text:
			return zone
		case name[strings.LastIndexByte(name, '/')+1:] == text:
			return zone
		case strings.Contains(name, text):
			within = append(within, zone)
		}
	}
	if len(within) == 1 {
		return within[0]
	}
	return strings.TrimSpace(typed)
}

// zoneUnusual reports whether the form's time zone is not the site's or has a problem.
func zoneUnusual(ctx context.Context, f *frame.Form) bool {
	return f.WrongAmong("timezone") || f.Get("timezone") != ui.SiteOf(ctx).Timezone
}

// tickedFirst sorts the tree so that, on each level, branches that are ticked or contain ticked ones come first.
func tickedFirst(list []offers.Branch, f *frame.Form) []offers.Branch {
	type family struct {
		all    []offers.Branch
		ticked bool
	}
	var families []family
	for _, b := range list {
		if len(families) == 0 || b.Depth == list[0].Depth {
			families = append(families, family{})
		}
		last := &families[len(families)-1]
		last.all = append(last.all, b)
		last.ticked = last.ticked || f.Among("categories", frame.IDText(b.ID))
	}
	slices.SortStableFunc(families, func(a, b family) int {
		switch {
		case a.ticked == b.ticked:
			return 0
		case a.ticked:
			return -1
		}
		return 1
	})
	sorted := make([]offers.Branch, 0, len(list))
	for _, one := range families {
		sorted = append(sorted, one.all[0])
		sorted = append(sorted, tickedFirst(one.all[1:], f)...)
	}
	return sorted
}
