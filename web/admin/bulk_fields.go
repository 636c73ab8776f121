package admin

import (
	"context"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/admin/editor"
	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/words"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/ui"
)

// bulkClear names the fields that the form empties.
const bulkClear = "clear"

// shared are the fields that can have the same value in several events, in the order of the form of an event.
// Titles, descriptions and other texts about one event are not among them, and neither is all_day. event_status has
// separate controls, like times, links, terms and prices.
var shared = slices.DeleteFunc(slices.Clone(calendar.AllEventFields()), func(f calendar.EventField) bool {
	switch {
	case f.Name == "all_day", f.Name == "event_status", f.Filled:
		return true
	case f.Flag != nil, f.Words != nil, f.Added != nil, f.Usual != "":
		return false
	}
	return f.Text == nil || !slices.Contains([]calendar.TextKind{calendar.Address, calendar.Names, calendar.Clock}, f.Kind)
})

// sharedAmong returns the shared fields that are facts about events, or the shared fields that are not. Neither
// list includes added fields.
func sharedAmong(facts bool) (list []*calendar.EventField) {
	for i := range shared {
		if f := &shared[i]; f.Added == nil && f.Fact == facts {
			list = append(list, f)
		}
	}
	return list
}

// addControl and removeControl are the names of the tick boxes that add words or terms to events, or remove them.
func addControl(name string) string    { return "add_" + name }
func removeControl(name string) string { return "remove_" + name }

// label is the label of a control of the form.
func (b *bulk) label(ctx context.Context, name string) string {
	for i := range shared {
		if f := &shared[i]; f.Words != nil && (name == addControl(f.Name) || name == removeControl(f.Name)) {
			return b.form.Label(ctx, f.Name)
		}
	}
	if name == "add_category" || name == "remove_category" {
		name = "categories"
	}
	return editor.Labels(b.form)(ctx, name)
}

// ticksNamed are the attributes that name a group of tick boxes.
func ticksNamed(ctx context.Context, b *bulk, name, label string) templ.Attributes {
	title := b.label(ctx, name)
	if label == "" {
		return templ.Attributes{"aria-label": title}
	}
	return templ.Attributes{"id": "f-" + name, "tabindex": "-1", "aria-label": title + ": " + label}
}

// bulkControls are the names of the form's controls for shared fields. Those of added fields depend on the site.
func bulkControls(ctx context.Context) (list []string) {
	for i := range shared {
		switch f := &shared[i]; {
		case f.Words != nil:
			list = append(list, addControl(f.Name), removeControl(f.Name))
		case f.Added != nil:
			for _, one := range tenancy.Current(ctx).Fields(tenancy.FieldOfEvents) {
				list = append(list, added.Name(one.Key))
			}
		default:
			list = append(list, f.Name)
		}
	}
	return append(list, bulkClear)
}

// used reports whether one of these controls has content or a problem, or its field is to be emptied.
func (b *bulk) used(controls ...string) bool {
	return b.form.WrongAmong(controls...) || slices.ContainsFunc(controls, func(name string) bool {
		return len(b.form.All(name)) > 0 || b.form.Among(bulkClear, name)
	})
}

// addedUsed reports whether the controls of one of these added fields are used.
func (b *bulk) addedUsed(list []*tenancy.Field) bool {
	return slices.ContainsFunc(list, func(f *tenancy.Field) bool { return b.used(added.Name(f.Key)) })
}

// namesUsed reports whether the controls of one of these shared fields are used.
func (b *bulk) namesUsed(list []*calendar.EventField) bool {
	return slices.ContainsFunc(list, func(f *calendar.EventField) bool {
		return b.used(f.Name, addControl(f.Name), removeControl(f.Name))
	})
}

// alike adds the shared fields that the form sets to the same value in every event.
func (b *bulk) alike(ctx context.Context, values args.Values) {
	for i := range shared {
		f := &shared[i]
		switch text := b.form.Text(f.Name); {
		case f.Added != nil:
			if object := b.addedAlike(ctx); len(object) > 0 {
				values[f.Name] = object
			}
		case f.Words != nil: // these fields depend on the words that each event has
		case text != "":
			values[f.Name] = text
		case b.form.Among(bulkClear, f.Name):
			values[f.Name] = nil
		}
	}
}

// addedAlike returns the values of the added fields that the form sets.
func (b *bulk) addedAlike(ctx context.Context) map[string]any {
	object := map[string]any{}
	for _, one := range tenancy.Current(ctx).Fields(tenancy.FieldOfEvents) {
		name := added.Name(one.Key)
		if text := b.form.Text(name); text != "" {
			object[one.Key] = added.Sent(one, text)
		} else if b.form.Among(bulkClear, name) {
			object[one.Key] = nil
		}
	}
	return object
}

// checkShared adds the problems with the words and the values of added fields that the form names.
func (w *Pages) checkShared(ctx context.Context, b *bulk) {
	for i := range shared {
		f := &shared[i]
		if f.Words == nil {
			continue
		}
		for _, name := range []string{addControl(f.Name), removeControl(f.Name)} {
			for _, word := range b.form.All(name) {
				if !slices.Contains(f.Choices(), word) {
					b.form.Wrong(name, i18n.T(ctx, "problem.choice", nil))
				}
			}
		}
	}
	if err := w.calendar.Events().CheckAdded(ctx, b.addedAlike(ctx)); err != nil {
		b.form.Refuse(ctx, err)
	}
}

// words adds the words that the form changes in an event.
func (b *bulk) words(e *calendar.Event, values args.Values) {
	for i := range shared {
		f := &shared[i]
		if f.Words == nil {
			continue
		}
		had, list := *f.Words(e), []any{}
		add, remove := b.form.All(addControl(f.Name)), b.form.All(removeControl(f.Name))
		for _, word := range f.Choices() {
			if slices.Contains(add, word) || slices.Contains(had, word) && !slices.Contains(remove, word) {
				list = append(list, word)
			}
		}
		if len(add)+len(remove) > 0 {
			values[f.Name] = list
		}
	}
}

// sharedChanges adds the shared fields that differ between an event and its changed copy.
func (b *bulk) sharedChanges(ctx context.Context, was, e *calendar.Event, note func(label, before, after string)) {
	for i := range shared {
		f := &shared[i]
		if f.Added == nil {
			note(b.form.Label(ctx, f.Name), sharedText(ctx, f, was), sharedText(ctx, f, e))
			continue
		}
		for _, one := range tenancy.Current(ctx).Fields(tenancy.FieldOfEvents) {
			text := func(values calendar.AddedFields) string {
				if !values.Has(one) {
					return ""
				}
				return ui.AddedValue(ctx, one, values[one.Key])
			}
			note(ui.AddedLabel(ctx, one), text(was.Fields), text(e.Fields))
		}
	}
}

// bulkOptions are the options of a shared field with few values.
func bulkOptions(ctx context.Context, f *calendar.EventField) (list []frame.Pair) {
	if f.Flag != nil {
		return []frame.Pair{{Name: "true", Value: frame.Tell(ctx, "yes")}, {Name: "false", Value: frame.Tell(ctx, "no")}}
	}
	for _, choice := range f.Choices() {
		list = append(list, frame.Pair{Name: choice, Value: choiceText(ctx, f, choice)})
	}
	return list
}

// choiceText returns the text of a choice, as in the form of an event.
func choiceText(ctx context.Context, f *calendar.EventField, choice string) string {
	if choice == f.Usual {
		choice = ""
	}
	return words.Readable(ctx, &frame.Form{}, f.Name, choice, nil, nil)
}

// sharedText returns the content of an event's field as people read it.
func sharedText(ctx context.Context, f *calendar.EventField, e *calendar.Event) string {
	switch {
	case f.Words != nil:
		return words.Text(ctx, f.Name, *f.Words(e))
	case f.Usual != "":
		return choiceText(ctx, f, *f.Text(e))
	}
	return strings.ReplaceAll(history.ValueText(ctx, "event", f.Name, f.Value(e)), "\n", frame.Tell(ctx, "comma")+" ")
}

// wordPairs are words of a field with their names.
func wordPairs(ctx context.Context, name string, words []string) (list []frame.Pair) {
	for _, word := range words {
		list = append(list, frame.Pair{Name: word, Value: ui.Fact(ctx, name, word)})
	}
	return list
}

// wordsHeld are the words of a field that at least one of the events has, or that the form removes.
func (b *bulk) wordsHeld(ctx context.Context, f *calendar.EventField) []frame.Pair {
	return wordPairs(ctx, f.Name, slices.DeleteFunc(slices.Clone(f.Choices()), func(word string) bool {
		return !b.form.Among(removeControl(f.Name), word) && !slices.ContainsFunc(b.events, func(e *bulkEvent) bool {
			return slices.Contains(*f.Words(e.Event), word)
		})
	}))
}

// categoriesHeld are the categories that at least one of the events has, or that the form removes.
func (b *bulk) categoriesHeld() []frame.Pair {
	held := map[string]bool{}
	for _, id := range b.form.All("remove_category") {
		held[id] = true
	}
	for _, e := range b.events {
		for i := range e.Categories {
			held[frame.IDText(e.Categories[i].ID)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(b.categories), func(p frame.Pair) bool { return !held[p.Name] })
}
