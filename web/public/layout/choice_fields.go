package layout

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// ByFields returns the selected values of extra fields by key.
func (c *Choice) ByFields() map[string][]string {
	chosen := map[string][]string{}
	for name, values := range c.Values {
		if key := calendar.ParamField(name); key != "" {
			chosen[key] = values
		}
	}
	return chosen
}

// fieldGroups returns the options of the extra fields, in groups.
func (c *Choice) fieldGroups(ctx context.Context) (list []group) {
	for _, f := range ui.SiteOf(ctx).FieldsOf(tenancy.FieldOfEvents, true) {
		values, name := f.Values(), calendar.FieldParam(f.Key)
		facets := slices.DeleteFunc(
			slices.Clone(c.Facets.Fields[f.Key]),
			func(one calendar.Facet) bool { return !slices.Contains(values, one.Slug) },
		)
		slices.SortFunc(facets, func(a, b calendar.Facet) int {
			return cmp.Compare(slices.Index(values, a.Slug), slices.Index(values, b.Slug))
		})
		g := group{name: name, field: f, options: c.options(name, facets, func(one calendar.Facet) string { return one.Slug })}
		for n := range g.options {
			g.options[n].text, g.options[n].ours = ui.AddedOption(ctx, f, g.options[n].value), f.Kind == tenancy.YesNoField
		}
		if len(g.options) > 0 {
			list = append(list, g)
		}
	}
	return list
}

// fieldNames returns the parameters that select values of extra fields.
func (c *Choice) fieldNames() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.Values)), func(name string) bool { return calendar.ParamField(name) == "" })
}

// readFields reads the selected values of extra fields from the address. It returns ErrNotFound for a value that cannot be
// selected.
func (c *Choice) readFields(ctx context.Context) error {
	chosen := args.Members{}
	for key, values := range c.ByFields() {
		f := ui.SiteOf(ctx).FieldNamed(key)
		if f == nil || slices.ContainsFunc(values, func(value string) bool { return !slices.Contains(f.Values(), value) }) {
			return calendar.ErrNotFound
		}
		chosen[key] = strings.Join(values, ",")
	}
	if len(chosen) > 0 {
		c.Fields = args.Some(chosen)
	}
	return nil
}
