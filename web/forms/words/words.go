// Package words has the fields of forms that are answered with words of a list, and the content of fields in words that people
// read.
package words

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/forms/texts"
	"github.com/kalends/kalends/web/ui"
)

// Is reports whether a field holds several words from a list.
func Is(name string) bool {
	field := calendar.EventFieldNamed(name)
	return field != nil && field.Words != nil
}

// Apart adds the fields that hold several words. Their order does not matter.
func Apart(apart map[string]saving.Field) map[string]saving.Field {
	for _, name := range calendar.EventFieldNames() {
		if Is(name) {
			apart[name] = saving.Set(name)
		}
	}
	return apart
}

// Text returns the words of a fact as people read them.
func Text(ctx context.Context, name string, words []string) string {
	var list []string
	for _, word := range words {
		list = append(list, ui.Fact(ctx, name, word))
	}
	return strings.Join(list, ", ")
}

// Labels returns a function with the labels of a form's fields, including those that the site has added and those for texts in
// other languages.
func Labels(f *frame.Form) func(ctx context.Context, name string) string {
	return func(ctx context.Context, name string) string {
		return cmp.Or(added.Label(ctx, name), texts.Label(ctx, f, name), f.Label(ctx, name))
	}
}

// Readable returns the content of a field as people read it. It takes the names of categories and authors from the
// lists.
func Readable(ctx context.Context, f *frame.Form, name, text string, categories []offers.Branch, authors []frame.Pair) string {
	if field := calendar.EventFieldNamed(name); field != nil && field.Flag != nil {
		return frame.Tell(ctx, map[bool]string{true: "yes", false: "no"}[text == "1"])
	}
	if Is(name) {
		return Text(ctx, name, f.All(name))
	}
	switch name {
	case "fields":
		return added.Readable(ctx, f)
	case "recurrence":
		return repeats.Words(ctx, f)
	case "event_status":
		return frame.Tell(ctx, "happening.status."+cmp.Or(text, "usual"))
	case "attendance_mode":
		return frame.Tell(ctx, "happening.mode."+cmp.Or(text, "usual"))
	case "virtual_url_shown":
		return frame.Tell(ctx, "happening.shown."+cmp.Or(text, "usual"))
	case "status":
		return frame.StatusOf(ctx, text)
	case "categories", "parent":
		var names []string
		for _, c := range categories {
			if f.Among(name, frame.IDText(c.ID)) {
				names = append(names, c.Name)
			}
		}
		if name == "categories" {
			names = append(names, f.All(offers.NewCategory)...)
		}
		return strings.Join(names, ", ")
	case "author":
		return frame.ValueOf(authors, text, text)
	case "start_date", "end_date":
		return dated(ctx, text, f.Ticked("all_day"))
	case "date", "registration_until":
		return dated(ctx, text, false)
	case "tickets":
		return tickets(ctx, text)
	case "description", "excerpt":
		return wording.PlainText(text)
	case texts.Field:
		return texts.Readable(ctx, f)
	}
	return text
}

// dated returns a day, or a day with a time, as the language writes it, and any other text as it is.
func dated(ctx context.Context, text string, allDay bool) string {
	l := ui.DatesIn(ctx)
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return l.Short(day)
	}
	at, err := frame.ReadClock(text)
	switch {
	case err != nil:
		return text
	case allDay:
		return l.Short(at)
	}
	return l.At(l.Short(at), l.Time(at))
}

// tickets returns tickets, each on a line with tabs between its parts, as people read them.
func tickets(ctx context.Context, text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		var parts []string
		for part := range strings.SplitSeq(line, "\t") {
			if part != "" {
				parts = append(parts, frame.TellOr(ctx, dated(ctx, part, false), "ticket.status."+part))
			}
		}
		lines[i] = strings.Join(parts, frame.Tell(ctx, "comma")+" ")
	}
	return strings.Join(lines, "\n")
}
