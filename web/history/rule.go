package history

import (
	"context"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// mostDatesTold is the maximum number of dates listed individually.
const mostDatesTold = 12

// recurrenceText describes the recurrence in a history entry, including added and excluded dates.
func recurrenceText(ctx context.Context, fields, state map[string]any) string {
	rules, ok := fields["recurrence"].(map[string]any)
	if !ok {
		return frame.Tell(ctx, "history.once")
	}
	clock := clockOf(fields, state)
	set := recur.Set{Dates: datesIn8601(rules["rdate"]), Except: datesIn8601(rules["exdate"])}
	for _, text := range textsIn(rules["rrule"]) {
		rule, problems := recur.ParseRule(text, clock)
		if len(problems) > 0 {
			return text
		}
		set.Rules = append(set.Rules, rule)
	}
	lines := []string{ui.DatesIn(ctx).Recurrence(set, clock, "")}
	for _, list := range []struct {
		key   string
		dates []time.Time
	}{{"history.rdates", set.Dates}, {"history.exdates", set.Except}} {
		if len(list.dates) > 0 {
			lines = append(lines, frame.TellWith(ctx, list.key, "Dates", datesTold(ctx, list.dates)))
		}
	}
	return strings.Join(lines, "\n")
}

// clockOf returns the clock that the rules in a history entry refer to.
func clockOf(fields, state map[string]any) recur.Clock {
	field := func(name string) any {
		if value, ok := fields[name]; ok {
			return value
		}
		return state[name]
	}
	clock := recur.Clock{Zone: time.UTC}
	if name, ok := field("timezone").(string); ok {
		if place, err := args.LocationOf(name); err == nil {
			clock.Zone = place
		}
	}
	clock.AllDay, _ = field("all_day").(bool)
	text, _ := field("start_date").(string)
	clock.Start, _ = time.Parse(frame.SecondForm, text)
	return clock
}

// datesTold lists dates briefly, and only the first if there are many.
func datesTold(ctx context.Context, dates []time.Time) string {
	texts := make([]string, 0, mostDatesTold+1)
	for i, date := range dates {
		if i == mostDatesTold {
			texts = append(texts, "…")
			break
		}
		texts = append(texts, ui.DatesIn(ctx).Short(date))
	}
	return strings.Join(texts, frame.Tell(ctx, "history.dates")+" ")
}

func textsIn(value any) []string {
	list, _ := value.([]any)
	texts := make([]string, 0, len(list))
	for _, one := range list {
		if text, ok := one.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

func datesIn8601(value any) []time.Time {
	var dates []time.Time
	for _, text := range textsIn(value) {
		if at, err := time.Parse(frame.SecondForm, text); err == nil {
			dates = append(dates, at)
		}
	}
	return dates
}
