package calendar

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// EventField is a field of an event. The API's responses, the history, forms and files use the same Name. They
// handle texts, choices, flags and words generically, as this struct describes; for other kinds of fields they have
// their own code.
type EventField struct {
	Name   string
	Text   func(*Event) *string      // the text, if the field is a text
	Flag   func(*Event) *bool        // the flag, if the field is a flag
	Words  func(*Event) *[]string    // the words, if the field is a list of words that its argument allows
	Added  func(*Event) *AddedFields // the values of the fields that the site has added, which count as one field here
	Column string                    // in the database, of a text, a flag or words; "": Name
	Usual  string                    // the choice that "" means; "": the text is not a choice
	Kind   TextKind                  //
	Filled bool                      // the text is never ""

	Whole  bool   // a date always has the value of its series
	With   string // the field that must differ with this one in a date of a series; "": itself
	Masked bool   // readers without the password of the event don't get the text
	Said   bool   // responses include the field only if it is not empty, after the fields with a fixed position
	Fact   bool   // people ask about it before they go. The form has it among the facts, and the page too if it is words or plain text
	Sheet  string // the heading of the field's column in CSV files; "": it has none, or several

	// sent returns the text in a write, and whether the write has it. switched does the same for a flag, and listed
	// for words.
	sent     func(*EventFields) (string, bool)
	switched func(*EventFields) args.Opt[bool]
	listed   func(*EventFields) args.Opt[args.Texts]
	// same compares the field in two events, and take copies it from another event. Texts, flags and words do not
	// need these functions.
	same func(a, b *Event) bool
	take func(e, from *Event)
}

// TextKind is the kind of a text.
type TextKind int

// The kinds of texts.
const (
	Tidy    TextKind = iota // plain text as it was typed, without spaces around it
	Line                    // plain text, of which tags were removed
	Markup                  // HTML
	Address                 // URL
	Names                   // plain texts, one per line; responses have them as a list
	Clock                   // date and time on the event's own clock, as ClockForm; written with the event's other times
)

// ClockForm is the form of a date and time in a text of the kind Clock.
const ClockForm = time.DateTime

// Write sets the fields of an event that are texts, choices and flags.
func (f *EventFields) Write(e *Event) {
	for i := range eventFields {
		eventFields[i].write(f, e)
	}
}

// eventFields are the fields of an event, in the order of the form.
var eventFields = []EventField{
	{Name: "title", Text: func(e *Event) *string { return &e.Title }, Kind: Line, Filled: true, Sheet: "Event Name"},
	{Name: "start_date"},
	{Name: "end_date"},
	{Name: "all_day", Flag: func(e *Event) *bool { return &e.AllDay }, Whole: true, Sheet: "All Day Event",
		switched: func(f *EventFields) args.Opt[bool] { return f.AllDay }},
	{Name: "end_unknown", Flag: func(e *Event) *bool { return &e.Facts.EndUnknown }, Said: true, Sheet: "End Unknown",
		switched: func(f *EventFields) args.Opt[bool] { return f.EndUnknown }},
	{Name: "timezone", Text: func(e *Event) *string { return &e.Timezone }, Filled: true, Whole: true, Sheet: "Timezone"},
	{Name: "recurrence", Whole: true},
	{Name: "exceptions", Whole: true},
	{Name: "event_status", Text: func(e *Event) *string { return &e.Happening.Status }, Usual: "scheduled", Sheet: "Event Status",
		sent: func(f *EventFields) (string, bool) {
			if text, given := said(f.EventStatus); text != "canceled" {
				return text, given
			}
			return "cancelled", true
		},
		same: func(a, b *Event) bool { return a.Happening == b.Happening }, take: func(e, from *Event) { e.Happening = from.Happening }},
	{Name: "event_status_reason", Text: func(e *Event) *string { return &e.Happening.Reason }, Column: "status_reason", Kind: Line,
		With: "event_status", Masked: true, Sheet: "Event Status Reason",
		sent: func(f *EventFields) (string, bool) { return said(f.StatusReason) }},
	{Name: "attendance_mode", Text: func(e *Event) *string { return &e.Attendance.Mode }, Column: "attendance", Usual: "offline",
		Masked: true, Sheet: "Attendance Mode", sent: func(f *EventFields) (string, bool) { return said(f.Attendance) },
		same: func(a, b *Event) bool { return a.Attendance == b.Attendance },
		take: func(e, from *Event) { e.Attendance = from.Attendance }},
	{Name: "virtual_url", Text: func(e *Event) *string { return &e.Attendance.URL }, Kind: Address, With: "attendance_mode", Masked: true,
		Sheet: "Virtual URL", sent: func(f *EventFields) (string, bool) { return said(f.VirtualURL) }},
	{Name: "virtual_url_shown", Text: func(e *Event) *string { return &e.Attendance.Shown }, Column: "virtual_shown", Usual: "always",
		With: "attendance_mode", Masked: true, Sheet: "Virtual URL Shown",
		sent: func(f *EventFields) (string, bool) { return said(f.VirtualShown) }},
	{Name: "venue", same: func(a, b *Event) bool { return slices.EqualFunc(a.Venues, b.Venues, sameVenue) },
		take: func(e, from *Event) { e.Venues = from.Venues }},
	{Name: "organizer", same: func(a, b *Event) bool {
		return slices.EqualFunc(a.Organizers, b.Organizers, func(a, b Organizer) bool { return a.ID == b.ID })
	}, take: func(e, from *Event) { e.Organizers = from.Organizers }},
	{Name: "accessibility", Words: func(e *Event) *[]string { return &e.Facts.Accessibility }, Masked: true, Said: true, Fact: true,
		Sheet: "Accessibility", listed: func(f *EventFields) args.Opt[args.Texts] { return f.Entry }},
	{Name: "audience", Words: func(e *Event) *[]string { return &e.Facts.Audience }, Masked: true, Said: true, Fact: true,
		Sheet: "Audience", listed: func(f *EventFields) args.Opt[args.Texts] { return f.Audience }},
	{Name: "event_language", Words: func(e *Event) *[]string { return &e.Facts.Languages }, Masked: true, Said: true, Fact: true,
		Sheet: "Event Language", listed: func(f *EventFields) args.Opt[args.Texts] { return f.Spoken }},
	{Name: "registration_until", Text: func(e *Event) *string { return &e.Facts.Registration }, Kind: Clock, Masked: true, Said: true,
		Fact: true, Sheet: "Registration Until"},
	{Name: "performers", Text: func(e *Event) *string { return &e.Facts.Performers }, Kind: Names, Masked: true, Said: true, Fact: true,
		Sheet: "Performers", sent: func(f *EventFields) (string, bool) { return names(f.Performers.Or(nil)), f.Performers.Given() }},
	{Name: "video_url", Text: func(e *Event) *string { return &e.Facts.Video }, Kind: Address, Masked: true, Said: true, Fact: true,
		Sheet: "Video URL", sent: func(f *EventFields) (string, bool) { return said(f.Video) }},
	{Name: "fields", Added: func(e *Event) *AddedFields { return &e.Fields }, Masked: true, Said: true},
	{Name: "description", Text: func(e *Event) *string { return &e.Description }, Kind: Markup, Masked: true,
		Sheet: "Event Description"},
	{Name: "excerpt", Text: func(e *Event) *string { return &e.Excerpt }, Kind: Markup, Masked: true, Sheet: "Event Excerpt"},
	{Name: "translations"},
	{Name: "seo_title", Text: func(e *Event) *string { return &e.SEO.Title }, Masked: true, Said: true, Sheet: "Event SEO Title",
		sent: func(f *EventFields) (string, bool) { return said(f.SEOTitle) }},
	{Name: "seo_description", Text: func(e *Event) *string { return &e.SEO.Description }, Masked: true, Said: true,
		Sheet: "Event SEO Description", sent: func(f *EventFields) (string, bool) { return said(f.SEODesc) }},
	{Name: "categories", Sheet: "Event Category", same: func(a, b *Event) bool { return sameTerms(a.Categories, b.Categories) },
		take: func(e, from *Event) { e.Categories = from.Categories }},
	{Name: "tags", Sheet: "Event Tags", same: func(a, b *Event) bool { return sameTerms(a.Tags, b.Tags) },
		take: func(e, from *Event) { e.Tags = from.Tags }},
	{Name: "image", Sheet: "Event Featured Image", same: func(a, b *Event) bool { return imageID(a) == imageID(b) },
		take: func(e, from *Event) { e.Image = from.Image }},
	{Name: "cost", Sheet: "Event Cost", same: func(a, b *Event) bool { return slices.Equal(a.Cost, b.Cost) },
		take: func(e, from *Event) { e.Cost = from.Cost }},
	{Name: "tickets", Sheet: "Event Tickets", same: func(a, b *Event) bool { return slices.EqualFunc(a.Tickets, b.Tickets, sameTicket) },
		take: func(e, from *Event) { e.Tickets = from.Tickets }},
	{Name: "website", Text: func(e *Event) *string { return &e.Website }, Kind: Address, Masked: true, Sheet: "Event Website",
		sent: func(f *EventFields) (string, bool) { return said(f.Website) }},
	{Name: "status", Whole: true, Sheet: "Publication Status", same: func(a, b *Event) bool { return a.Status == b.Status },
		take: func(e, from *Event) { e.Status = from.Status }},
	{Name: "review_note", Text: func(e *Event) *string { return &e.ReviewNote }, Whole: true, Said: true},
	{Name: "date", Whole: true, Sheet: "Publication Date", same: func(a, b *Event) bool { return a.Date.Equal(b.Date) || !b.Dated },
		take: func(e, from *Event) { e.Date, e.Dated = from.Date, from.Dated }},
	{Name: "author", Whole: true, same: func(a, b *Event) bool { return a.Author == b.Author },
		take: func(e, from *Event) { e.Author = from.Author }},
	{Name: "slug", Whole: true, Sheet: "Event Slug", same: func(a, b *Event) bool { return a.Slug == b.Slug },
		take: func(e, from *Event) { e.Slug = from.Slug }},
	{Name: "post_password", Whole: true, same: func(a, b *Event) bool { return bytes.Equal(a.Password, b.Password) },
		take: func(e, from *Event) { e.Password = from.Password }},
	{Name: "post_parent", Whole: true, same: func(a, b *Event) bool { return a.Parent == b.Parent },
		take: func(e, from *Event) { e.Parent = from.Parent }},
	{Name: "featured", Flag: func(e *Event) *bool { return &e.Featured }, Sheet: "Feature Event",
		switched: func(f *EventFields) args.Opt[bool] { return f.Featured }},
	{Name: "sticky", Flag: func(e *Event) *bool { return &e.Sticky }, Sheet: "Event Sticky in Month View",
		switched: func(f *EventFields) args.Opt[bool] { return f.Sticky }},
	{Name: "hide_from_listings", Flag: func(e *Event) *bool { return &e.Hidden }, Column: "hidden", Whole: true,
		Sheet: "Hide Event From Event Listings", switched: func(f *EventFields) args.Opt[bool] { return f.Hidden }},
	{Name: "show_map", Flag: func(e *Event) *bool { return &e.ShowMap }, Sheet: "Event Show Map",
		switched: func(f *EventFields) args.Opt[bool] { return f.ShowMap }},
	{Name: "show_map_link", Flag: func(e *Event) *bool { return &e.ShowMapLink }, Sheet: "Event Show Map Link",
		switched: func(f *EventFields) args.Opt[bool] { return f.ShowMapLink }},
}

// AllEventFields returns the fields of an event in the order of its form.
func AllEventFields() []EventField { return eventFields }

// EventFieldNames returns the names of the fields of an event in the order of its form.
func EventFieldNames() []string {
	names := make([]string, 0, len(eventFields))
	for i := range eventFields {
		names = append(names, eventFields[i].Name)
	}
	return names
}

// EventFieldNamed returns a field of an event, or nil if there is none with this name.
func EventFieldNamed(name string) *EventField {
	if i := slices.IndexFunc(eventFields, func(f EventField) bool { return f.Name == name }); i >= 0 {
		return &eventFields[i]
	}
	return nil
}

// EventFacts returns the fields that are facts, in the order of the form.
func EventFacts() (list []*EventField) {
	for i := range eventFields {
		if f := &eventFields[i]; f.Fact {
			list = append(list, f)
		}
	}
	return list
}

// Choices returns the words that the argument of the field allows.
func (f *EventField) Choices() []string { return choicesOf(eventArguments, f.Name) }

// Value returns the field's value in an event: a text, a choice, a flag, words or added fields. It is nil for other fields.
// Words are never a nil []string, and added fields never a nil map[string]any.
func (f *EventField) Value(e *Event) any {
	switch {
	case f.Flag != nil:
		return *f.Flag(e)
	case f.Words != nil:
		return append([]string{}, *f.Words(e)...)
	case f.Added != nil:
		return f.Added(e).document()
	case f.Text == nil:
		return nil
	case *f.Text(e) == "":
		return f.Usual
	}
	return *f.Text(e)
}

// Clearable reports whether a date of a series can leave the field empty although its series does not.
func (f *EventField) Clearable() bool {
	return f.Flag == nil && f.Usual == "" && !f.Filled && !f.Whole && (f.With != "" || f.own())
}

// own reports whether the field can be an entry of Series.Changed.
func (f *EventField) own() bool {
	return !f.Whole && f.With == "" && (f.take != nil || f.Text != nil || f.Flag != nil || f.Words != nil || f.Added != nil)
}

// Same reports whether the field is the same in two events.
func (f *EventField) Same(a, b *Event) bool {
	switch {
	case f.same != nil:
		return f.same(a, b)
	case f.Flag != nil:
		return *f.Flag(a) == *f.Flag(b)
	case f.Words != nil:
		return slices.Equal(*f.Words(a), *f.Words(b))
	case f.Added != nil:
		return f.Added(a).Same(*f.Added(b))
	}
	return f.Text == nil || *f.Text(a) == *f.Text(b)
}

// Take copies the field from another event.
func (f *EventField) Take(e, from *Event) {
	switch {
	case f.take != nil:
		f.take(e, from)
	case f.Flag != nil:
		*f.Flag(e) = *f.Flag(from)
	case f.Words != nil:
		*f.Words(e) = slices.Clone(*f.Words(from))
	case f.Added != nil:
		*f.Added(e) = maps.Clone(*f.Added(from))
	case f.Text != nil:
		*f.Text(e) = *f.Text(from)
	}
}

// write sets the field of an event to the value in a write.
func (f *EventField) write(w *EventFields, e *Event) {
	if f.switched != nil {
		arg := f.switched(w)
		arg.Patch(f.Flag(e), false)
	}
	if f.listed != nil {
		if arg := f.listed(w); arg.Given() {
			*f.Words(e) = wordsIn(arg.Or(nil), f.Choices())
		}
	}
	if f.sent == nil {
		return
	}
	text, given := f.sent(w)
	if !given {
		return
	}
	switch {
	case f.Usual != "":
		text = unless(text, f.Usual)
	case f.Kind == Line:
		text = wording.CleanTitle(text)
	case f.Kind == Tidy:
		text = wording.Tidy(text)
	}
	*f.Text(e) = text
}

// said returns the text of an argument, and whether the write has it.
func said[S ~string](arg args.Opt[S]) (string, bool) { return string(arg.Or("")), arg.Given() }

func sameVenue(a, b Venue) bool { return a.ID == b.ID }

// unless returns text, or "" if it equals the default, which is not stored.
func unless(text, usual string) string {
	if text == usual {
		return ""
	}
	return text
}
