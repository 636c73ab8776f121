package editor

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/forms/words"
	"github.com/kalends/kalends/web/history"
)

// eventFields are the fields of an event's form.
var eventFields = saving.Fields{Names: history.EventFields, Together: [][]string{
	{"start_date", "end_date", "all_day", "end_unknown", "timezone", "recurrence"}, {"event_status", "event_status_reason"},
	{"attendance_mode", "virtual_url", "virtual_url_shown"}}, Apart: words.Apart(map[string]saving.Field{
	"recurrence": {Text: repeats.Text, Sent: func(f *frame.Form) bool { return f.Has(repeats.Choice) },
		Owns: func(control string) bool { return strings.HasPrefix(control, repeats.Choice) }},
	"fields":     added.Compared,
	"venue":      linkField("venue"),
	"organizer":  linkField("organizer"),
	"categories": categoryField,
	"tags":       {Text: func(f *frame.Form) string { return strings.Join(SplitTags(f.Get("tags")), ", ") }},
	"tickets":    {Text: ticketsText, Sent: func(f *frame.Form) bool { return f.Has(ticketName(0, "name")) }},
	"post_password": {Secret: true, Text: func(f *frame.Form) string {
		return f.Get("post_password") + "\n" + f.Get("post_password_clear")
	}},
})}

// categoryField compares the ticked categories together with the new one.
var categoryField = saving.Field{
	Text: func(f *frame.Form) string {
		return strings.Join(slices.Sorted(slices.Values(append(f.All("categories"), f.All(offers.NewCategory)...))), ",")
	},
	Owns: func(control string) bool { return control == offers.NewCategory }}

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
		By: history.LastSaved(ctx, w.editing, "event", &ed.event.Post),
		Readable: func(f *frame.Form, name, text string) string {
			if name == "image" {
				return w.pictures.Shown(ctx, f)
			}
			return words.Readable(ctx, f, name, text, ed.categories, ed.authors)
		}}
}
