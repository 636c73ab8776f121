package admin

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// bulkNone is the choice of no venue or no organizer.
const bulkNone = "none"

// mostShifted bounds by how many days or hours a form moves events: ten years of days.
const mostShifted = 3660

// bulk is one set of changes for many events: the form, and what it would do to each of them.
type bulk struct {
	form       *frame.Form
	back       string
	events     []bulkEvent
	venues     []frame.Pair
	organizers []frame.Pair
	categories []frame.Pair
	looked     bool // the changes of each event are shown
}

// bulkFields are the fields of the form in their order.
var bulkFields = []string{"set_venue", "set_organizer", "add_category", "remove_category", "add_tags", "remove_tags", "cost", "event_status",
	"event_status_reason", "move_days", "move_hours"}

// bulkEvent is an event with what would change about it, once that is shown.
type bulkEvent struct {
	*calendar.Event

	changes []bulkChange
}

// bulkChange is a field of an event that would change, as its texts before and after.
type bulkChange struct{ label, before, after string }

// askBulk shows the form for some events, with what it would do once something is filled in. It is called until the form is right and its last
// button is pressed; then it returns no reply.
func (w *Pages) askBulk(v *frame.Visit, ids []int64, back string) (*frame.Reply, error) {
	b := &bulk{form: v.Form, back: back}
	b.form.Kind = "event"
	o, err := offers.Of(v.Ctx, w.calendar, calendar.OfferQuery{Venues: offers.Longest, Organizers: offers.Longest, Categories: offers.MostTerms})
	if err != nil {
		return nil, err
	}
	b.venues, b.organizers = offers.Named(v.Ctx, o.Venues), offers.Named(v.Ctx, o.Organizers)
	b.categories = offers.Indented(offers.Tree(o.Categories))
	step := b.form.Get("step")
	b.check(v.Ctx)
	b.looked = step != "" && len(b.form.Problems) == 0
	if step == "save" && b.looked && b.form.Get("shown") == b.typed() {
		return nil, nil //nolint:nilnil // nothing to ask any more
	}
	if step == "" {
		b.form.Problems = nil
	}
	events, err := w.eventsByID(v, ids)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		one := bulkEvent{Event: e}
		if b.looked {
			one.changes = b.changes(v.Ctx, e)
		}
		b.events = append(b.events, one)
	}
	r := &frame.Reply{Title: frame.Tell(v.Ctx, "bulk.title"), Section: "events", Body: bulkPage(b)}
	if len(b.form.Problems) > 0 {
		r.Status = http.StatusUnprocessableEntity
	}
	return r, nil
}

// typed is what the fields say, as one text. A page that shows what would change keeps it: what is pressed there applies to what it has shown.
func (b *bulk) typed() string {
	values := url.Values{}
	for _, name := range bulkFields {
		values.Set(name, b.form.Text(name))
	}
	return values.Encode()
}

// check notes what is wrong with the form whatever the events are.
func (b *bulk) check(ctx context.Context) {
	filled := false
	for _, name := range bulkFields {
		filled = filled || b.form.Text(name) != "" && name != "event_status_reason"
	}
	if !filled {
		b.form.Wrong("set_venue", frame.Tell(ctx, "bulk.empty"))
	}
	for _, name := range []string{"move_days", "move_hours"} {
		if text := b.form.Text(name); text != "" {
			switch n, err := strconv.Atoi(text); {
			case err != nil || n > mostShifted:
				b.form.Wrong(name, i18n.T(ctx, "problem.max", map[string]any{"Max": mostShifted}))
			case n < -mostShifted:
				b.form.Wrong(name, i18n.T(ctx, "problem.min", map[string]any{"Min": -mostShifted}))
			}
		}
	}
	for _, one := range []struct {
		name, problem string
		choices       []frame.Pair
	}{
		{"set_venue", "problem.venue.unknown", orNone(ctx, b.venues)}, {"set_organizer", "problem.organizer.unknown", orNone(ctx, b.organizers)},
		{"add_category", "problem.category.unknown", b.categories}, {"remove_category", "problem.category.unknown", b.categories},
	} {
		id := b.form.Get(one.name)
		if id != "" && !slices.ContainsFunc(one.choices, func(p frame.Pair) bool { return p.Name == id }) {
			b.form.Wrong(one.name, i18n.T(ctx, one.problem, nil))
		}
	}
	values := args.Values{}
	b.plain(values)
	if _, err := frame.Parsed[calendar.EventFields](eventTable, values, args.Updating); err != nil {
		b.form.Refuse(ctx, err)
	}
}

// plain adds the fields that are the same for every event.
func (b *bulk) plain(values args.Values) {
	for _, name := range []string{"cost", "event_status"} {
		if text := b.form.Text(name); text != "" {
			values[name] = text
		}
	}
	if _, given := values["event_status"]; given {
		values["event_status_reason"] = b.form.Text("event_status_reason")
	}
	for _, name := range []string{"venue", "organizer"} {
		switch id := b.form.Get("set_" + name); id {
		case "":
		case bulkNone:
			values[name] = nil
		default:
			values[name] = []any{id}
		}
	}
}

// fields returns what an event is sent, as the interface would be.
func (b *bulk) fields(e *calendar.Event) (*calendar.EventFields, error) {
	values := args.Values{}
	b.plain(values)
	if start, end := b.times(e); !start.Equal(e.Start) {
		values["start_date"], values["end_date"] = start.Format(time.DateTime), end.Format(time.DateTime)
	}
	f, err := frame.Parsed[calendar.EventFields](eventTable, values, args.Updating)
	if err != nil {
		return nil, err
	}
	if list, changed := b.categoriesOf(e); changed {
		f.Categories = args.Some(refsOf(list))
	}
	if list, changed := b.tagsOf(e); changed {
		f.Tags = args.Some(tagRefs(strings.Join(list, ",")))
	}
	return f, nil
}

// times are the start and the end that an event would have. Events of whole days move by days only.
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
	add, remove := frame.IDIn(b.form.Get("add_category")), frame.IDIn(b.form.Get("remove_category"))
	for _, t := range e.Categories {
		if t.ID != remove {
			list = append(list, t)
		}
	}
	changed = len(list) != len(e.Categories)
	if add != 0 && !slices.ContainsFunc(list, func(t calendar.Term) bool { return t.ID == add }) {
		t := calendar.Term{Name: strings.TrimLeft(frame.ValueOf(b.categories, frame.IDText(add), ""), "– ")}
		t.ID = add
		list, changed = append(list, t), true
	}
	return list, changed
}

// tagsOf are the names of the tags that an event would have.
func (b *bulk) tagsOf(e *calendar.Event) (list []string, changed bool) {
	remove := splitTags(b.form.Get("remove_tags"))
	for _, t := range e.Tags {
		if !slices.ContainsFunc(remove, func(name string) bool { return strings.EqualFold(name, t.Name) }) {
			list = append(list, t.Name)
		}
	}
	changed = len(list) != len(e.Tags)
	for _, name := range splitTags(b.form.Get("add_tags")) {
		if !slices.ContainsFunc(list, func(there string) bool { return strings.EqualFold(name, there) }) {
			list, changed = append(list, name), true
		}
	}
	return list, changed
}

// changes are what would be different about an event.
func (b *bulk) changes(ctx context.Context, e *calendar.Event) (list []bulkChange) {
	note := func(field, before, after string) {
		if before != after {
			list = append(list, bulkChange{b.form.Label(ctx, field), before, after})
		}
	}
	comma := frame.Tell(ctx, "comma") + " "
	linked := func(name string, choices []frame.Pair, before []string) {
		switch id := b.form.Get("set_" + name); id {
		case "":
		case bulkNone:
			note("set_"+name, strings.Join(before, comma), "")
		default:
			note("set_"+name, strings.Join(before, comma), frame.ValueOf(choices, id, ""))
		}
	}
	linked("venue", b.venues, namesOf(e.Venues, func(v *calendar.Venue) string { return v.Name }))
	linked("organizer", b.organizers, namesOf(e.Organizers, func(o *calendar.Organizer) string { return o.Name }))
	termName := func(t *calendar.Term) string { return t.Name }
	if terms, changed := b.categoriesOf(e); changed {
		note("categories", strings.Join(namesOf(e.Categories, termName), comma), strings.Join(namesOf(terms, termName), comma))
	}
	if tags, changed := b.tagsOf(e); changed {
		note("tags", strings.Join(namesOf(e.Tags, termName), comma), strings.Join(tags, comma))
	}
	if text := b.form.Text("cost"); text != "" {
		note("cost", strings.Join(e.Cost, comma), text)
	}
	if status := b.form.Get("event_status"); status != "" {
		was := e.Happening.Status
		if was == "" {
			was = "scheduled"
		}
		note("event_status", happeningText(ctx, was), happeningText(ctx, status))
		note("event_status_reason", e.Happening.Reason, b.form.Text("event_status_reason"))
	}
	moved := *e
	moved.Start, moved.End = b.times(e)
	if was, will := frame.ShortSpan(ctx, e), frame.ShortSpan(ctx, &moved); was != will {
		list = append(list, bulkChange{frame.Tell(ctx, "column.when"), was, will})
	}
	return list
}

// happeningText names a status of taking place.
func happeningText(ctx context.Context, status string) string {
	if status == "scheduled" {
		status = "usual"
	}
	return frame.Tell(ctx, "happening.status."+status)
}

// happeningChoices are the statuses that the form offers.
func (*bulk) happeningChoices(ctx context.Context) (list []frame.Pair) {
	for _, status := range happenings {
		if status == "" {
			status = "scheduled"
		}
		list = append(list, frame.Pair{Name: status, Value: happeningText(ctx, status)})
	}
	return list
}

// orNone returns choices with that of none before them.
func orNone(ctx context.Context, choices []frame.Pair) []frame.Pair {
	return append([]frame.Pair{{Name: bulkNone, Value: frame.Tell(ctx, "bulk.none")}}, choices...)
}

// changed counts the events that would change.
func (b *bulk) changed() (n int) {
	for _, e := range b.events {
		if len(e.changes) > 0 {
			n++
		}
	}
	return n
}

// applyBulk changes one event as the form says. An event that is so already stays as it is.
func (w *Pages) applyBulk(v *frame.Visit, id int64, still calendar.Condition) (*calendar.Event, error) {
	return w.changeAs(v, &bulk{form: v.Form}, id, still)
}

// addCategory gives an event one more category.
func (w *Pages) addCategory(v *frame.Visit, id int64, still calendar.Condition) (*calendar.Event, error) {
	if frame.IDIn(v.Form.Get("category")) == 0 {
		return nil, args.Invalid("category", "problem.category.unknown", nil)
	}
	return w.changeAs(v, &bulk{form: &frame.Form{Values: url.Values{"add_category": v.Form.All("category")}}}, id, still)
}

// changeAs changes one event as a form says that was checked.
func (w *Pages) changeAs(v *frame.Visit, b *bulk, id int64, still calendar.Condition) (*calendar.Event, error) {
	e, err := w.calendar.Events().Get(v.Ctx, calendar.Key{ID: id}, "")
	if err != nil {
		return nil, err
	}
	if err := still.Check(e.Version); err != nil {
		return nil, err
	}
	fields, err := b.fields(e)
	if err != nil {
		return nil, err
	}
	return w.calendar.Events().Update(v.Ctx, calendar.Key{ID: id}, fields, frame.Still(e.Version))
}

// refsOf names terms by their ids.
func refsOf(terms []calendar.Term) args.Refs {
	refs := make(args.Refs, 0, len(terms))
	for i := range terms {
		refs = append(refs, args.Ref{ID: terms[i].ID})
	}
	return refs
}

// namesOf returns the names of what an event is linked to.
func namesOf[T any](list []T, name func(*T) string) []string {
	names := make([]string, 0, len(list))
	for i := range list {
		names = append(names, name(&list[i]))
	}
	return names
}
