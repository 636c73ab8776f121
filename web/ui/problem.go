package ui

import (
	"context"
	"time"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
)

// sameForPeople maps problems that differ only for programs to the problems whose texts people read instead.
var sameForPeople = map[string]string{
	"problem.category.named": "problem.category.unknown", "problem.enum": "problem.choice", "problem.ids": "problem.links",
	"problem.tag.named": "problem.term.id", "problem.terms": "problem.links",
}

// Problem returns the message of a problem for people who fill in a form. Messages for programs mention IDs,
// parameters and formats; for these, people get another text, with dates and digits of the language. day says
// that the field is a date without a time.
func Problem(ctx context.Context, p args.Problem, day bool) string {
	key := p.Key
	switch key {
	case "problem.empty", "problem.blank", "problem.missing", "problem.null":
		return i18n.T(ctx, "admin.required", nil)
	}
	if same := sameForPeople[key]; same != "" {
		key = same
	}
	data := map[string]any{"Arg": p.Arg}
	if key == "problem.date" {
		l, sample := DatesIn(ctx), time.Date(2027, time.March, 1, 19, 30, 0, 0, time.UTC)
		example := l.Short(sample)
		if !day {
			example = l.At(example, l.Time(sample))
		}
		data["Example"] = example
	}
	for name, value := range p.Data {
		if inner, ok := value.(args.Problem); ok {
			value = Problem(ctx, inner, false)
		}
		data[name] = value
	}
	text := i18n.T(ctx, "admin."+key, data)
	if text == "admin."+key {
		text = i18n.T(ctx, key, data)
	}
	return DatesIn(ctx).Figures(text)
}
