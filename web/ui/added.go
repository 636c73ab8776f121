package ui

import (
	"context"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// AddedLabel returns the label of a field that the site has added.
func AddedLabel(ctx context.Context, f *tenancy.Field) string {
	return tenancy.Current(ctx).FieldText(f).Label
}

// AddedChoice returns a text that says which filter value a field has.
func AddedChoice(ctx context.Context, f *tenancy.Field, value string) string {
	return SayTwo(ctx, "filter.field", "Name", AddedLabel(ctx, f), "Value", AddedOption(ctx, f, value))
}

// AddedOption returns the label of a filter value.
func AddedOption(ctx context.Context, f *tenancy.Field, value string) string {
	if f.Kind == tenancy.YesNoField {
		return AddedValue(ctx, f, value == "true")
	}
	return AddedValue(ctx, f, value)
}

// AddedValue formats the value of a field that the site has added: the name of an option, a day in the format of the language,
// a number with its unit, yes or no.
func AddedValue(ctx context.Context, f *tenancy.Field, value any) string {
	text := tenancy.Current(ctx).FieldText(f)
	switch v := value.(type) {
	case bool:
		return Say(ctx, map[bool]string{true: "yes", false: "no"}[v])
	case float64:
		if text.Unit == "" {
			return DatesIn(ctx).Decimal(v)
		}
		return DatesIn(ctx).Decimal(v) + "\u00a0" + text.Unit
	case string:
		if day, err := time.Parse(time.DateOnly, v); f.Kind == tenancy.DateField && err == nil {
			return DatesIn(ctx).DayIn(day, 0)
		}
		if f.Kind == tenancy.ChoiceField {
			return text.OptionLabel(v)
		}
		return v
	}
	return ""
}
