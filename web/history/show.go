package history

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// Difference is a field that differs between two versions of an object.
type Difference struct {
	name          string
	label         string
	before, after string
	pieces        []piece // of texts compared word by word
}

// RowID is the id of the row's head for a field in a DifferenceTable.
func RowID(name string) string { return "different-" + name }

// Differences compares fields of an object. It considers only the fields in before unless all is set. A nil map has
// no fields. state supplies values that both maps lack.
func Differences(ctx context.Context, kind string, before, after, state map[string]any, all bool) []Difference {
	names := maps.Clone(before)
	if names == nil {
		names = map[string]any{}
	}
	if all {
		maps.Copy(names, after)
	}
	var list []Difference
	for _, name := range slices.SortedFunc(maps.Keys(names), byFieldOrder) {
		if kind == "site" && name == "fields" {
			list = append(list, definitions(ctx, before[name], after[name])...)
			continue
		}
		one := Difference{name: name, label: FieldLabel(ctx, kind, name), before: fieldText(ctx, kind, name, before, state),
			after: fieldText(ctx, kind, name, after, state)}
		secret := name == "password" || name == "post_password"
		switch {
		case reflect.DeepEqual(before[name], after[name]) && (!secret || all):
			continue
		case name == "slug" && one.before == one.after: // the trash has another one
			continue
		case secret && one.before == one.after:
			one.after = frame.Tell(ctx, "history.password.new")
		case one.before == one.after:
			one.before, one.after = RawText(before[name]), RawText(after[name]) // only markup differs
		}
		if one.before == one.after {
			continue // nothing against nothing
		}
		if proseFields[name] {
			one.pieces = compareTexts(one.before, one.after)
		}
		list = append(list, one)
	}
	return list
}

// Since returns the changes of an object since a version of its site, or nil if they are unknown.
func Since(ctx context.Context, kind string, past *editing.Past, version int64) []Difference {
	before := past.Seen(version)
	if before == nil {
		return nil
	}
	return Differences(ctx, kind, before, past.Now, nil, true)
}

// proseFields are the texts that are compared word by word.
var proseFields = map[string]bool{"title": true, "description": true, "excerpt": true, "seo_title": true, "seo_description": true,
	"name": true, "venue.name": true}

func byFieldOrder(a, b string) int {
	place := func(name string) int {
		if at := slices.Index(EventFields, name); at >= 0 {
			return at
		}
		return len(EventFields)
	}
	if d := place(a) - place(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}

// FieldLabel returns the label of a field as in forms, or the field's name if no form has it.
func FieldLabel(ctx context.Context, kind, name string) string {
	if kind == "site" { // from the settings form, or from a form of the provider
		return frame.TellOr(ctx, name, "history.field."+name, "field.settings."+name, "field.site."+name, "field."+name)
	}
	return frame.TellOr(ctx, (&frame.Form{Kind: kind}).Label(ctx, name), "history.field."+name)
}

// FieldList lists the names of changed fields.
func FieldList(ctx context.Context, kind string, before map[string]any) string {
	names := make([]string, 0, len(before))
	for _, name := range slices.SortedFunc(maps.Keys(before), byFieldOrder) {
		if name == "series" { // it only identifies the subject of the entry
			continue
		}
		names = append(names, FieldLabel(ctx, kind, name))
	}
	return strings.Join(names, frame.Tell(ctx, "comma")+" ")
}

// Sides say what a table of differences compares. Below returns what follows the value of a field on a side.
type Sides struct {
	Before, After string
	Below         func(name string, after bool) templ.Component
}

// heading returns the heading of a side. Sides that are nil are called before and after.
func (s *Sides) heading(ctx context.Context, after bool) string {
	switch {
	case s == nil && after:
		return frame.Tell(ctx, "history.after")
	case s == nil:
		return frame.Tell(ctx, "history.before")
	case after:
		return s.After
	}
	return s.Before
}

// ChangedFields lists the names of the fields that an entry changed, but not the address that the trash gives an object.
func ChangedFields(ctx context.Context, kind string, e *tenancy.Entry) string {
	before := maps.Clone(e.Before)
	if e.Action == "trash" || e.Action == "restore" {
		delete(before, "slug")
	}
	return FieldList(ctx, kind, before)
}

// fieldText describes a field of an object. Other fields of the object are in fields, or in state if fields lacks
// them.
func fieldText(ctx context.Context, kind, name string, fields, state map[string]any) string {
	switch name {
	case "recurrence":
		if _, known := fields[name]; !known {
			return ""
		}
		return recurrenceText(ctx, fields, state)
	case "start_date", "end_date":
		text, _ := fields[name].(string)
		if at, err := time.Parse(frame.SecondForm, text); err == nil && clockOf(fields, state).AllDay {
			return ui.DatesIn(ctx).Short(at)
		}
	}
	return ValueText(ctx, kind, name, fields[name])
}

// ValueText describes the value of a field as the history has it.
func ValueText(ctx context.Context, kind, name string, value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return frame.Tell(ctx, "yes")
		}
		return frame.Tell(ctx, "no")
	case float64:
		return ui.DatesIn(ctx).Digits(strconv.FormatFloat(v, 'f', -1, 64))
	case map[string]any:
		switch name {
		case "limits":
			return limitList(ctx, v)
		case "deleted":
			return deletionText(ctx, v)
		case "translations":
			return translationsText(v)
		case "seasons":
			return seasonsText(ctx, v)
		case "fields":
			return addedText(ctx, kind, v)
		}
		return linkText(ctx, v)
	case []any:
		list := make([]string, 0, len(v))
		for _, one := range v {
			list = append(list, ValueText(ctx, kind, name, one))
		}
		return strings.Join(list, "\n")
	case string:
		return textValue(ctx, kind, name, v)
	}
	return RawText(value)
}

func textValue(ctx context.Context, kind, name, text string) string {
	if field := calendar.EventFieldNamed(name); field != nil && field.Words != nil {
		return ui.Fact(ctx, name, text)
	}
	switch name {
	case "registration_until":
		if at, err := time.Parse(calendar.ClockForm, text); err == nil {
			l := ui.DatesIn(ctx)
			return l.At(l.Short(at), l.Time(at))
		}
	case "status":
		return frame.StatusOf(ctx, text)
	case "start_date", "end_date":
		if at, err := time.Parse(frame.SecondForm, text); err == nil {
			l := ui.DatesIn(ctx)
			return l.At(l.Short(at), l.Time(at))
		}
	case "date":
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return frame.ShortTime(ctx, at)
		}
	case "slug":
		return calendar.SlugOutside(text)
	case "description", "excerpt":
		return wording.PlainText(text)
	case "post_password", "password":
		return frame.Tell(ctx, "history.password.set")
	case "event_status":
		return frame.Tell(ctx, "history.happening."+text)
	case "attendance_mode":
		return frame.Tell(ctx, "history.attendance."+text)
	case "virtual_url_shown":
		return frame.Tell(ctx, "history.shown."+text)
	case "state":
		if kind == "site" {
			return frame.Tell(ctx, "history.state."+text)
		}
	}
	return text
}

// linkText returns the name of a field's target, or lists the members of another object.
func linkText(ctx context.Context, v map[string]any) string {
	if name, ok := v["name"].(string); ok && v["id"] != nil {
		if name == "" { // a venue or organizer that the reader may not see
			return frame.Tell(ctx, "history.hidden")
		}
		return name
	}
	parts := make([]string, 0, len(v))
	for _, name := range slices.SortedFunc(maps.Keys(v), byTicketOrder) {
		text := RawText(v[name])
		if key := "ticket.status." + text; name == "status" && frame.Tell(ctx, key) != "admin."+key {
			text = frame.Tell(ctx, key)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, frame.Tell(ctx, "comma")+" ")
}

func byTicketOrder(a, b string) int {
	return slices.Index(TicketFields, a) - slices.Index(TicketFields, b)
}

// RawText returns a text, a number, true or false as it is stored. It returns "" for other values.
func RawText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// ActorText returns the name of the actor of an entry.
func ActorText(ctx context.Context, e *tenancy.Entry) string {
	switch {
	case e.Via == tenancy.ViaSupport:
		return frame.TellWith(ctx, "support.name", "Platform", e.Who)
	case e.Person != "":
		return e.Person
	case e.UserID == 0 && tenancy.Unnamed(e.Who):
		return frame.Tell(ctx, "history.provider")
	case e.Who != "":
		return e.Who
	case e.UserID != 0:
		return frame.TellWith(ctx, "history.user", "Number", frame.Plain(ctx, int(e.UserID)))
	case e.Via == tenancy.ViaSchedule:
		return frame.Tell(ctx, "history.via.schedule")
	}
	return frame.Tell(ctx, "history.nobody")
}

// wayText describes how a change was made, for example with which key.
func wayText(ctx context.Context, e *tenancy.Entry) string {
	if e.Via == "" {
		return ""
	}
	text := frame.Tell(ctx, "history.via."+string(e.Via))
	if e.Key != "" && !tenancy.Unnamed(e.Key) {
		text = frame.TellWith(ctx, "history.via.named", "Way", text, "Name", e.Key)
	}
	return text
}

// ObjectText returns the kind and number of the changed object. A sign-in has no number of its own.
func ObjectText(ctx context.Context, p tenancy.Position) string {
	kind := frame.Tell(ctx, "history.kind."+p.Kind)
	if p.ID == 0 || p.Kind == "site" || p.Kind == "session" {
		return kind
	}
	return frame.TellWith(ctx, "history.object", "Kind", kind, "Number", frame.Plain(ctx, int(p.ID)))
}

// dateText returns the date of a series that an entry concerns, or "".
func dateText(ctx context.Context, e *tenancy.Entry) string {
	of, ok := e.Before["series"].(map[string]any)
	if !ok {
		return ""
	}
	id, _ := of["id"].(float64)
	original, _ := of["original_start"].(string)
	return frame.TellWith(ctx, "history.date", "Number", frame.Plain(ctx, int(id)), "Date", textValue(ctx, "event", "start_date", original))
}

// EntryText describes the action of an entry. An update of an event without changed fields is a confirmation that
// the event is still right.
func EntryText(ctx context.Context, e *tenancy.Entry) string {
	if e.Position.Kind == "event" && e.Action == "update" && e.Before != nil && len(e.Before) == 0 {
		return ActionText(ctx, "confirm")
	}
	return ActionText(ctx, e.Action)
}

// ActionText describes an action.
func ActionText(ctx context.Context, action string) string {
	return frame.Tell(ctx, "history.action."+action)
}

// EventFields are the fields of the event form in order.
var EventFields = calendar.EventFieldNames()

// TicketFields are the fields of a ticket row.
var TicketFields = []string{"name", "price", "currency", "url", "available_from", "available_until", "status"}
