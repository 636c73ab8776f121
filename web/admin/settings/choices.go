package settings

import (
	"context"
	"strconv"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// weekStarts returns the choices for the first day of the week.
func weekStarts(ctx context.Context) []frame.Pair {
	list := []frame.Pair{{Name: "0", Value: frame.Tell(ctx, "settings.by_language")}}
	for day := 1; day <= 7; day++ {
		list = append(list, frame.Pair{Name: strconv.Itoa(day), Value: ui.DatesIn(ctx).Weekday(day)})
	}
	return list
}

// dateForms returns the date formats, each with today as an example.
func dateForms(ctx context.Context, now time.Time) []frame.Pair {
	var list []frame.Pair
	l := ui.DatesIn(ctx)
	for _, l.Form = range configTable.Field("date_form").Enum {
		list = append(list, frame.Pair{Name: l.Form, Value: l.Full(ui.WallAt(now, ui.SiteOf(ctx).Location))})
	}
	return list
}

// timeForms returns the time formats, each with 19:30 as an example.
func timeForms(ctx context.Context, now time.Time) []frame.Pair {
	var list []frame.Pair
	evening := args.DayOf(now).Add(19*time.Hour + 30*time.Minute)
	l := ui.DatesIn(ctx)
	for _, l.Hours = range configTable.Field("time_form").Enum {
		text := l.Clock(evening)
		if l.OfHours() == "" {
			text = frame.TellWith(ctx, "settings.by_language.example", "Example", text)
		}
		list = append(list, frame.Pair{Name: l.Hours, Value: text})
	}
	return list
}

// varieties returns the ways in which a language can write dates, each with today as an example.
func varieties(ctx context.Context, name string, now time.Time) []frame.Pair {
	names := configTable.Field(name).Enum
	list := make([]frame.Pair, 0, len(names))
	language, today := ui.Varied(names[1]), ui.WallAt(now, ui.SiteOf(ctx).Location)
	for _, value := range names {
		site := &tenancy.Site{Settings: tenancy.Settings{English: value, Calendar: value}}
		list = append(list, frame.Pair{Name: value, Value: ui.DatesOf(language, site).Full(today)})
	}
	return list
}

func currencyPositions(ctx context.Context) []frame.Pair {
	return []frame.Pair{
		{Name: tenancy.ByLanguage, Value: frame.Tell(ctx, "settings.by_language")},
		{Name: "prefix", Value: frame.Tell(ctx, "settings.prefix")},
		{Name: "postfix", Value: frame.Tell(ctx, "settings.postfix")},
	}
}

// namedForms returns the choices of a setting whose values have names.
func namedForms(ctx context.Context, name string) []frame.Pair {
	var list []frame.Pair
	for _, form := range configTable.Field(name).Enum {
		list = append(list, frame.Pair{Name: form, Value: frame.Tell(ctx, "settings."+name+"."+form)})
	}
	return list
}
