package public

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

// readFields reads the selected values of extra fields from the address. It returns ErrNotFound for a value that cannot be
// selected.
func (c *choice) readFields(ctx context.Context) error {
	chosen := args.Members{}
	for key, values := range c.byFields() {
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

// byFields returns the selected values of extra fields by key.
func (c *choice) byFields() map[string][]string {
	chosen := map[string][]string{}
	for name, values := range c.values {
		if key := calendar.ParamField(name); key != "" {
			chosen[key] = values
		}
	}
	return chosen
}

// fieldNames returns the parameters that select values of extra fields.
func (c *choice) fieldNames() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.values)), func(name string) bool { return calendar.ParamField(name) == "" })
}

// fieldGroups returns the options of the extra fields, in groups.
func (c *choice) fieldGroups(ctx context.Context) (list []group) {
	for _, f := range ui.SiteOf(ctx).FieldsOf(tenancy.FieldOfEvents, true) {
		values, name := f.Values(), calendar.FieldParam(f.Key)
		facets := slices.DeleteFunc(
			slices.Clone(c.facets.Fields[f.Key]),
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

// addedShown returns the added fields of the site that everyone may see and that have a value.
func addedShown(ctx context.Context, values calendar.AddedFields, of string) []*tenancy.Field {
	return values.Among(ui.SiteOf(ctx).FieldsOf(of, true))
}

// addedData returns the values of addedShown as structured data.
func addedData(ctx context.Context, values calendar.AddedFields, of string) []data {
	var list []data
	for _, f := range addedShown(ctx, values, of) {
		d := data{"@type": "PropertyValue", "propertyID": f.Key, "name": ui.AddedLabel(ctx, f), "value": values[f.Key]}
		text := tenancy.Current(ctx).FieldText(f)
		if option, is := values[f.Key].(string); is && f.Kind == tenancy.ChoiceField {
			d["value"] = text.OptionLabel(option)
		}
		d.some("unitText", text.Unit)
		list = append(list, d)
	}
	return list
}
