package admin

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/admin/editor"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// bulkEvent is an event with the changes that a form would make to it.
type bulkEvent struct {
	*calendar.Event

	changes []bulkChange
	notes   []string // remarks about the change
	refused error    // why the event cannot be changed; nil: it can
	why     []string // refused as texts
}

// bulkChange is a field of an event that would change, as its texts before and after.
type bulkChange struct{ label, before, after string }

// sum is a digest of the changes shown. If the digest differs, the event would change in another way.
func (e *bulkEvent) sum() string {
	hash := sha256.New()
	for _, c := range e.changes {
		for _, text := range []string{c.label, c.before, c.after} {
			hash.Write([]byte(text + "\x00"))
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// would returns a bulkEvent with the changes that the form would make, and the fields to write. The fields are nil
// if nothing would change. It does not read the database.
func (w *Pages) would(ctx context.Context, b *bulk, e *calendar.Event) (*bulkEvent, *calendar.EventFields, error) {
	one := &bulkEvent{Event: e}
	fields, err := b.fields(ctx, e)
	if err == nil && b.outside[e.ID] {
		err = tenancy.ErrOutside
	}
	var then *calendar.Event
	if err == nil && fields != nil {
		then, err = w.calendar.Events().Would(ctx, e, fields)
	}
	if err != nil {
		one.refused = err
		if one.why = refusalText(ctx, err); one.why == nil {
			return nil, nil, err
		}
		return one, nil, nil
	}
	if fields == nil {
		return one, nil, nil
	}
	one.changes = b.changes(ctx, e, then)
	if len(one.changes) == 0 {
		return one, nil, nil
	}
	one.notes = bulkNotes(ctx, e, then, w.calendar.Now())
	return one, fields, nil
}

// closed reports whether the user may change none of the events, whatever the form says.
func (b *bulk) closed() bool {
	return !slices.ContainsFunc(b.events, func(e *bulkEvent) bool { return !errors.Is(e.refused, tenancy.ErrForbidden) })
}

// refusalText says why an event cannot be changed. It returns nil for errors that do not concern this event alone.
func refusalText(ctx context.Context, err error) []string {
	switch {
	case errors.Is(err, tenancy.ErrOutside):
		return []string{frame.Tell(ctx, "fail.outside.title")}
	case errors.Is(err, tenancy.ErrForbidden):
		return []string{frame.Tell(ctx, "bulk.cannot.right")}
	case errors.Is(err, calendar.ErrGone):
		return []string{frame.Tell(ctx, "bulk.cannot.trash")}
	}
	f := &frame.Form{Kind: "event"}
	if !chosen.OneItem(err) && !errors.Is(err, services.ErrFromSource) || !f.Refuse(ctx, err) {
		return nil
	}
	var list []string
	for _, name := range f.Wrongs(nil) {
		list = append(list, f.Told(ctx, name))
	}
	return list
}

// bulkNotes are what people should know about a change: it concerns a whole series or one date, publishes an event that is
// over, or changes an event from a source.
func bulkNotes(ctx context.Context, was, e *calendar.Event, now time.Time) (list []string) {
	switch {
	case was.Recurring():
		list = append(list, frame.Tell(ctx, "bulk.whole"))
	case was.Series != nil:
		list = append(list, frame.Tell(ctx, "bulk.date"))
	}
	if editing.Shown(e) && !editing.Shown(was) && !e.Recurring() && e.EndUTC.Before(now) {
		list = append(list, frame.Tell(ctx, "doubt.over"))
	}
	if name := editor.SourceName(ctx, was); name != "" {
		list = append(list, frame.TellWith(ctx, "bulk.source", "Name", name))
	}
	return list
}

// plain adds the values that are the same for every event.
func (b *bulk) plain(ctx context.Context, values args.Values) {
	b.alike(ctx, values)
	for _, name := range []string{"cost", "status", "event_status"} {
		if text := b.form.Text(name); text != "" {
			values[name] = text
		}
	}
	if _, given := values["event_status"]; given {
		values["event_status_reason"] = b.form.Text("event_status_reason")
	}
}

// fields returns the changes of the form to an event, as the API would receive them, or nil if there are none.
func (b *bulk) fields(ctx context.Context, e *calendar.Event) (*calendar.EventFields, error) {
	values := args.Values{}
	b.plain(ctx, values)
	b.words(e, values)
	if status, same := b.form.Get("status"), string(e.Status); status == same {
		delete(values, "status")
	}
	if start, end := b.times(e); !start.Equal(e.Start) {
		values["start_date"], values["end_date"] = start.Format(time.DateTime), end.Format(time.DateTime)
	}
	for name, link := range b.links(e) {
		if link.changed() {
			values[name] = link.argument()
		}
	}
	categories, others := b.categoriesOf(e)
	tags, retagged := b.tagsOf(e)
	if len(values) == 0 && !others && !retagged {
		return nil, nil //nolint:nilnil // nothing is asked
	}
	f, err := frame.Parsed[calendar.EventFields](editor.Table, values, args.Updating)
	if err != nil {
		return nil, err
	}
	if others {
		f.Categories = args.Some(refsOf(categories))
	}
	if retagged {
		f.Tags = args.Some(editor.TagRefs(strings.Join(tags, ",")))
	}
	return f, nil
}

// bulkLinks are the venues or organizers of an event before and after the change.
type bulkLinks struct{ before, after []frame.Pair }

func (l *bulkLinks) changed() bool {
	return !slices.EqualFunc(l.before, l.after, func(a, b frame.Pair) bool { return a.Name == b.Name })
}

// argument is the value of the API's argument for the links after the change.
func (l *bulkLinks) argument() any {
	list := []any{}
	for _, p := range l.after {
		list = append(list, p.Name)
	}
	return list
}

// links returns the venues and the organizers of an event before and after the change.
func (b *bulk) links(e *calendar.Event) map[string]*bulkLinks {
	venues, organizers := &bulkLinks{}, &bulkLinks{}
	for i := range e.Venues {
		venues.before = append(venues.before, frame.Pair{Name: frame.IDText(e.Venues[i].ID), Value: e.Venues[i].Name})
	}
	for i := range e.Organizers {
		organizers.before = append(organizers.before, frame.Pair{Name: frame.IDText(e.Organizers[i].ID), Value: e.Organizers[i].Name})
	}
	venues.after, organizers.after = b.set("set_venue", b.venues, venues.before), b.set("set_organizer", b.organizers, organizers.before)
	if id := b.chosen("remove_organizer", b.organizers); id != 0 {
		organizers.after = slices.DeleteFunc(organizers.after, func(p frame.Pair) bool { return p.Name == frame.IDText(id) })
	}
	if id := b.chosen("add_organizer", b.organizers); id != 0 {
		organizers.after = offers.With(organizers.after, b.pair(b.organizers, id))
	}
	return map[string]*bulkLinks{"venue": venues, "organizer": organizers}
}

// set returns the links of an event after the form field "set" has replaced them.
func (b *bulk) set(field string, choices, before []frame.Pair) []frame.Pair {
	if b.form.Text(field) == bulkNone {
		return nil
	}
	if id := b.chosen(field, choices); id != 0 {
		return []frame.Pair{b.pair(choices, id)}
	}
	return slices.Clone(before)
}

// pair is the choice with an ID.
func (*bulk) pair(choices []frame.Pair, id int64) frame.Pair {
	return frame.Pair{Name: frame.IDText(id), Value: frame.ValueOf(choices, frame.IDText(id), "")}
}

// times returns the local start and end that an event would have. All-day events move only by whole days.
func (b *bulk) times(e *calendar.Event) (start, end time.Time) {
	days, _ := strconv.Atoi(b.form.Text("move_days"))
	hours, _ := strconv.Atoi(b.form.Text("move_hours"))
	by := time.Duration(hours) * time.Hour
	if e.AllDay {
		by = 0
	}
	return e.Start.AddDate(0, 0, days).Add(by), e.End.AddDate(0, 0, days).Add(by)
}

// categoriesOf are the categories that an event would have.
func (b *bulk) categoriesOf(e *calendar.Event) (list []calendar.Term, changed bool) {
	for _, t := range e.Categories {
		if !b.form.Among("remove_category", frame.IDText(t.ID)) {
			list = append(list, t)
		}
	}
	changed = len(list) != len(e.Categories)
	for _, text := range slices.Sorted(slices.Values(b.form.All("add_category"))) {
		add := frame.IDIn(text)
		if add == 0 || slices.ContainsFunc(list, func(t calendar.Term) bool { return t.ID == add }) {
			continue
		}
		t := calendar.Term{Name: strings.TrimLeft(frame.ValueOf(b.categories, text, ""), "– ")}
		t.ID = add
		list, changed = append(list, t), true
	}
	return list, changed
}

// tagsOf are the names of the tags that an event would have.
func (b *bulk) tagsOf(e *calendar.Event) (list []string, changed bool) {
	remove := editor.SplitTags(b.form.Get("remove_tags"))
	for _, t := range e.Tags {
		if !slices.ContainsFunc(remove, func(name string) bool { return strings.EqualFold(name, t.Name) }) {
			list = append(list, t.Name)
		}
	}
	changed = len(list) != len(e.Tags)
	for _, name := range editor.SplitTags(b.form.Get("add_tags")) {
		if !slices.ContainsFunc(list, func(there string) bool { return strings.EqualFold(name, there) }) {
			list, changed = append(list, name), true
		}
	}
	return list, changed
}

// changes lists the fields that differ between an event and its changed copy.
func (b *bulk) changes(ctx context.Context, was, e *calendar.Event) (list []bulkChange) {
	note := func(label, before, after string) {
		if before != after {
			list = append(list, bulkChange{label, before, after})
		}
	}
	comma := frame.Tell(ctx, "comma") + " "
	links := b.links(was)
	for _, name := range []string{"venue", "organizer"} {
		if l := links[name]; l.changed() {
			note(b.form.Label(ctx, "set_"+name), pairNames(l.before, comma), pairNames(l.after, comma))
		}
	}
	termName := func(t *calendar.Term) string { return t.Name }
	if terms, changed := b.categoriesOf(was); changed {
		note(
			b.form.Label(ctx, "categories"),
			strings.Join(namesOf(was.Categories, termName), comma),
			strings.Join(namesOf(terms, termName), comma),
		)
	}
	if tags, changed := b.tagsOf(was); changed {
		note(b.form.Label(ctx, "tags"), strings.Join(namesOf(was.Tags, termName), comma), strings.Join(tags, comma))
	}
	note(b.form.Label(ctx, "cost"), strings.Join(was.Cost, comma), strings.Join(e.Cost, comma))
	note(b.form.Label(ctx, "status"), frame.StatusOf(ctx, string(was.Status)), frame.StatusOf(ctx, string(e.Status)))
	note(b.form.Label(ctx, "event_status"), happeningText(ctx, cmp.Or(was.Happening.Status, scheduled)),
		happeningText(ctx, cmp.Or(e.Happening.Status, scheduled)))
	note(b.form.Label(ctx, "event_status_reason"), was.Happening.Reason, e.Happening.Reason)
	b.sharedChanges(ctx, was, e, note)
	note(frame.Tell(ctx, "column.when"), frame.ShortSpan(ctx, was), frame.ShortSpan(ctx, e))
	return list
}

// pairNames joins the names of the pairs.
func pairNames(list []frame.Pair, comma string) string {
	return strings.Join(namesOf(list, func(p *frame.Pair) string { return p.Value }), comma)
}

// addCategory returns the change that adds a category to events.
func (w *Pages) addCategory(v *frame.Visit) (joint, error) {
	if frame.IDIn(v.Form.Get("category")) == 0 {
		return nil, args.Invalid("category", "problem.category.unknown", nil)
	}
	b := &bulk{form: &frame.Form{Kind: "event", Values: url.Values{"add_category": v.Form.All("category")}}}
	return func(e *calendar.Event) (*calendar.EventFields, error) { return b.fields(v.Ctx, e) }, nil
}

// refsOf names terms by their ids.
func refsOf(terms []calendar.Term) args.Refs {
	refs := make(args.Refs, 0, len(terms))
	for i := range terms {
		refs = append(refs, args.Ref{ID: terms[i].ID})
	}
	return refs
}

// namesOf returns the names of the entries of a list.
func namesOf[T any](list []T, name func(*T) string) []string {
	names := make([]string, 0, len(list))
	for i := range list {
		names = append(names, name(&list[i]))
	}
	return names
}
