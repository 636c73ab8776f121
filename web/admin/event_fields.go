package admin

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/ui"
)

// eventFields are the fields of an event's form.
var eventFields = saving.Fields{Names: history.EventFields, Together: [][]string{
	{"start_date", "end_date", "all_day", "end_unknown", "timezone", "recurrence"}, {"event_status", "event_status_reason"},
	{"attendance_mode", "virtual_url", "virtual_url_shown"}}, Apart: withWords(map[string]saving.Field{
	"recurrence": {Text: repeats.Text, Sent: func(f *frame.Form) bool { return f.Has(repeats.Choice) },
		Owns: func(control string) bool { return strings.HasPrefix(control, repeats.Choice) }},
	"fields":     added.Compared,
	"venue":      linkField("venue"),
	"organizer":  linkField("organizer"),
	"categories": categoryField,
	"tags":       {Text: func(f *frame.Form) string { return strings.Join(splitTags(f.Get("tags")), ", ") }},
	"tickets":    {Text: ticketsText, Sent: func(f *frame.Form) bool { return f.Has(ticketName(0, "name")) }},
	"post_password": {Secret: true, Text: func(f *frame.Form) string {
		return f.Get("post_password") + "\n" + f.Get("post_password_clear")
	}},
})}

// newCategory is the field for the name of a category that is created with the event.
const newCategory = "new_category"

// categoryField compares the ticked categories together with the new one.
var categoryField = saving.Field{
	Text: func(f *frame.Form) string {
		return strings.Join(slices.Sorted(slices.Values(append(f.All("categories"), f.All(newCategory)...))), ",")
	},
	Owns: func(control string) bool { return control == newCategory }}

// withWords adds the fields that hold several words. Their order does not matter.
func withWords(apart map[string]saving.Field) map[string]saving.Field {
	for _, name := range calendar.EventFieldNames() {
		if isWords(name) {
			apart[name] = saving.Set(name)
		}
	}
	return apart
}

// isWords reports whether a field holds several words from a list.
func isWords(name string) bool {
	field := calendar.EventFieldNamed(name)
	return field != nil && field.Words != nil
}

// linkField compares the venues or organizers of the form, including new ones.
func linkField(kind string) saving.Field {
	return saving.Field{
		Text: func(f *frame.Form) string { return strings.Join(append(f.All(kind), newNames(f, kind)...), "\n") },
		Sent: func(f *frame.Form) bool { return f.Has(kind) || f.Has(newName(kind, 0, kind)) },
		Owns: func(control string) bool { return strings.HasPrefix(control, "new_"+kind+".") }}
}

// hasChanged reports whether a field differs between the form that was sent and now, the form with the stored event.
func hasChanged(ctx context.Context, f *frame.Form, name string, now *frame.Form) bool {
	switch name {
	case repeats.AppliesTo: // determines to which dates the other fields apply
		return false
	case "recurrence":
		return repeats.Touched(ctx, f, now)
	}
	return eventFields.Changed(f, now, name)
}

// edited pairs the form with the stored event, to find and show conflicts.
func (w *Pages) edited(ctx context.Context, ed *eventEditor, now *frame.Form) *saving.Edit {
	return &saving.Edit{Form: ed.form, Now: now, Fields: eventFields, Action: editorAddress(ed), Section: "events",
		By: w.lastSaved(ctx, "event", &ed.event.Post),
		Readable: func(f *frame.Form, name, text string) string {
			return readable(ctx, f, name, text, ed.categories, ed.authors)
		}}
}

// lastSaved returns a function that finds the author of the stored version of an item.
func (w *Pages) lastSaved(ctx context.Context, kind string, post *calendar.Post) func() (tenancy.Entry, error) {
	return func() (by tenancy.Entry, err error) {
		past, err := w.editing.Revisions(ctx, kind, post.ID)
		for i := range past.Events {
			if past.Events[i].Position.Version == post.Version {
				by = past.Events[i]
			}
		}
		return by, err
	}
}

// factWords returns the words of a fact as people read them.
func factWords(ctx context.Context, name string, words []string) string {
	var list []string
	for _, word := range words {
		list = append(list, ui.Fact(ctx, name, word))
	}
	return strings.Join(list, ", ")
}

// readable returns the content of a field as people read it. It takes the names of categories and authors from the
// lists.
func readable(ctx context.Context, f *frame.Form, name, text string, categories []offers.Branch, authors []frame.Pair) string {
	if field := calendar.EventFieldNamed(name); field != nil && field.Flag != nil {
		return frame.Tell(ctx, map[bool]string{true: "yes", false: "no"}[text == "1"])
	}
	if isWords(name) {
		return factWords(ctx, name, f.All(name))
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
			names = append(names, f.All(newCategory)...)
		}
		return strings.Join(names, ", ")
	case "author":
		return frame.ValueOf(authors, text, text)
	case "start_date", "end_date", "date", "registration_until":
		return strings.Replace(text, "T", " ", 1)
	case "tickets":
		return strings.ReplaceAll(text, "\t", "  ")
	}
	return text
}
