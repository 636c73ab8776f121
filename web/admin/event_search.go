package admin

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/ui"
)

// settleNames puts into the form what names typed into its fields stand for: of the time
// zone and of the event above this one. What stands for nothing stays as it is.
func (w *Pages) settleNames(ctx context.Context, f *frame.Form) error {
	settleZone(ctx, f)
	typed := f.Text("post_parent")
	name, id := nameAndID(typed)
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
		_, id := nameAndID(list[0].value)
		f.Set("post_parent", frame.IDText(id))
	}
	return err
}

// parentsFor lists events whose titles have what was typed, as their field takes them.
func (w *Pages) parentsFor(ctx context.Context, typed string) ([]pick, error) {
	name, _ := nameAndID(frame.Cut(typed, longestPick))
	f := &calendar.EventFilter{}
	if name != "" {
		f.Search = args.Some(quoted(name))
	}
	page, err := w.calendar.Events().Shelf(ctx, f, mostPicks)
	list := make([]pick, 0, len(page.Items))
	for _, e := range page.Items {
		list = append(list, pick{e.Title, frame.ShortSpan(ctx, e), named(e.Title, e.ID)})
	}
	return list, err
}

// showParent has the field of the event above this one show its title, or offer others
// where there is none.
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
		ed.parent = named(e.Title, e.ID)
	}
	return err
}

// settleZone puts the name of a time zone into the form for what was typed: part of it
// will do where no other has it. Nothing is the site's.
func settleZone(ctx context.Context, f *frame.Form) {
	if !f.Has("timezone") {
		return
	}
	f.Set("timezone", cmp.Or(zoneNamed(f.Text("timezone")), ui.SiteOf(ctx).Timezone))
}

// zoneNamed is the time zone that a text names: its whole name, the city in it, or a part
// that no other has; else the text.
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

// zoneUnusual reports whether the time zone of a form needs a look.
func zoneUnusual(ctx context.Context, f *frame.Form) bool {
	return f.WrongAmong("timezone") || f.Get("timezone") != ui.SiteOf(ctx).Timezone
}

// tickedFirst is the tree with those first, at each place, that are ticked or have ticked
// ones below them.
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
