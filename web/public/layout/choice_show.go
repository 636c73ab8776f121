package layout

import (
	"context"
	"slices"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// chip is a selected value, with the query that deselects it.
type chip struct{ text, href string }

// option is a value that can be selected.
type option struct {
	value, text, color string
	count              int
	chosen, ours       bool // ours: the text is part of the interface
}

// UnknownCount is the count of an option whose entries were not counted.
const UnknownCount = -1

// group is the options of one kind.
type group struct {
	name, label string
	field       *tenancy.Field // a field that the site has added, with its own label
	one         bool           // At most one can be selected
	options     []option
}

// chosen returns the number of selected options.
func (g *group) chosen() int {
	n := 0
	for _, o := range g.options {
		if o.chosen {
			n++
		}
	}
	return n
}

// mostAtOnce is how many options people can look through. Longer lists have a search field.
const mostAtOnce = 12

// many reports whether there are too many options to look through.
func (g *group) many() bool { return len(g.options) > mostAtOnce }

// groups returns the non-empty groups of options.
func (c *Choice) groups(ctx context.Context) []group {
	f := c.Facets
	slug := func(one calendar.Facet) string { return one.Slug }
	all := []group{
		{name: "category", label: "categories", options: c.options("category", f.Categories, slug)},
		{name: "city", label: "filter.place", options: c.options("city", f.Cities, func(one calendar.Facet) string { return one.Name })},
		{name: "organizer", label: "organizers", options: c.options("organizer", f.Organizers,
			func(one calendar.Facet) string { return strconv.FormatInt(one.ID, 10) })},
		{name: "tag", label: "tags", options: c.options("tag", f.Tags, slug)},
	}
	all = slices.DeleteFunc(all, func(g group) bool { return len(g.options) < 2 && g.chosen() == 0 })
	for i, facets := range [][]calendar.Facet{f.Audience, f.Accessibility, f.Spoken} {
		name := factNames[i]
		g := group{name: name, label: "fact." + name, options: c.options(name, facets, slug)}
		for n := range g.options {
			o := &g.options[n]
			o.text, o.ours = ui.Fact(ctx, name, o.value), true
		}
		if len(g.options) > 0 {
			all = append(all, g)
		}
	}
	return append(all, c.fieldGroups(ctx)...)
}

// title returns the heading of the group.
func (g *group) title(ctx context.Context) string {
	if g.field != nil {
		return ui.AddedLabel(ctx, g.field)
	}
	return ui.Say(ctx, g.label)
}

// options returns the options for facets. It includes selected values even if nothing matches them.
func (c *Choice) options(name string, facets []calendar.Facet, value func(calendar.Facet) string) []option {
	var list []option
	for _, one := range facets {
		v := value(one)
		list = append(list, option{value: v, text: one.Name, color: one.Color, count: one.Count, chosen: c.has(name, v)})
	}
	for _, v := range c.Values[name] {
		if !slices.ContainsFunc(list, func(o option) bool { return o.value == v }) {
			list = append(list, option{value: v, text: v, chosen: true})
		}
	}
	return list
}

// flags returns the options that can be ticked individually.
func (c *Choice) flags(ctx context.Context) []group {
	say := func(key string) string { return ui.Say(ctx, key) }
	f := c.Facets
	young := group{name: "for"}
	if c.ForChildren {
		young.options = []option{
			{value: "children", text: say("near.children"), count: UnknownCount, chosen: c.Children != nil, ours: true},
		}
	}
	return []group{
		{name: "cost", options: []option{{value: "free", text: say("free"), count: f.Free, chosen: c.Free, ours: true}}},
		young,
		{name: "how", one: true, options: []option{
			{value: "here", text: say("filter.here"), count: f.Here, chosen: c.Taking == "here", ours: true},
			{value: "online", text: say("attendance.online"), count: f.Online, chosen: c.Taking == "online", ours: true}}},
		{name: "featured", options: []option{{value: "1", text: say("featured"), count: f.Featured, chosen: c.Featured.Given(),
			ours: true}}},
	}
}

// periods returns the named periods to select from.
func (c *Choice) periods(ctx context.Context) []option {
	list, counts := make([]option, 0, len(c.spans)), c.Facets.Days
	for _, one := range c.spans {
		o := option{
			value:  one.name,
			text:   ui.Say(ctx, "filter.when."+one.name),
			count:  UnknownCount,
			chosen: c.When == one.name,
			ours:   true,
		}
		switch {
		case one.on == "" && len(counts) > 0:
			o.count, counts = counts[0], counts[1:]
		case o.chosen:
			o.count = c.Found
		}
		list = append(list, o)
	}
	return list
}

// Chips returns the selected values, each with the query that deselects it.
func (c *Choice) chips(ctx context.Context) []chip {
	var list []chip
	add := func(name, value, text string) { list = append(list, chip{text, c.At + c.without(name, value)}) }
	d := ui.DatesIn(ctx)
	for _, o := range c.periods(ctx) {
		if o.chosen {
			add("when", o.value, o.text)
		}
	}
	if c.Days != nil && c.When == "" {
		if day := c.Days.First; !day.IsZero() {
			add("from", c.Values.Get("from"), ui.SayWith(ctx, "filter.since", "Date", d.Short(day)))
		}
		if day := c.Days.Last; !day.IsZero() {
			add("to", c.Values.Get("to"), ui.SayWith(ctx, "filter.until", "Date", d.Short(day)))
		}
	}
	for _, g := range append(c.groups(ctx), c.flags(ctx)...) {
		for _, o := range g.options {
			switch {
			case o.chosen && g.field != nil:
				add(g.name, o.value, ui.AddedChoice(ctx, g.field, o.value))
			case o.chosen:
				add(g.name, o.value, o.text)
			}
		}
	}
	if c.Area != nil {
		list = append(list, chip{ui.Say(ctx, "map.area"), c.At + c.everywhere()})
	}
	return append(list, c.excluded(ctx)...)
}

// counted returns the number of entries that match an option, or "" if it is unknown.
func (c *Choice) counted(ctx context.Context, o option) string {
	if c.Facets.Uncounted || o.count == UnknownCount {
		return ""
	}
	return ui.DatesIn(ctx).Number(o.count)
}

// FoundText returns the number of events in a list as text.
func FoundText(ctx context.Context, n int) string {
	return i18n.T(ctx, "public.found", map[string]any{"Count": n, "Number": ui.DatesIn(ctx).Number(n)})
}
