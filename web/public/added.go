package public

import (
	"context"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// addedShown returns the added fields of the site that everyone may see and that have a value.
func addedShown(ctx context.Context, values calendar.AddedFields, of string) []*tenancy.Field {
	return values.Among(ui.SiteOf(ctx).FieldsOf(of, true))
}

// mostOnPoster is how many added fields a poster has room for.
const mostOnPoster = 3

// posterFacts returns the added fields that are on the poster of an event: the first ones that are no links, which nobody can follow
// on paper.
func posterFacts(ctx context.Context, e *eventView) []*tenancy.Field {
	all := addedShown(ctx, e.Fields, tenancy.FieldOfEvents)
	all = slices.DeleteFunc(all, func(f *tenancy.Field) bool { return f.Kind == tenancy.LinkField })
	return all[:min(len(all), mostOnPoster)]
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
