package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/admin/editor"
	"github.com/kalends/kalends/web/admin/places"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/ui"
)

// bulkNone is the value of the choices "no venue" and "no organizer".
const bulkNone = "none"

// mostShifted is the largest number of days or hours by which a form can move events: ten years in days.
const mostShifted = 3660

// alsoField is the form field with the ids of the events that the form would not change. If the user then changes the
// form, they are checked again.
const alsoField = "also"

// bulk is one set of changes for many events: the form, and its effect on each of them.
type bulk struct {
	form       *frame.Form
	back       string
	venues     []frame.Pair
	organizers []frame.Pair
	categories []frame.Pair
	events     []*bulkEvent   // the events of the form
	outside    map[int64]bool // which of them are outside the user's area
	looked     bool           // the effect has been previewed
	done       int            // number of other events, which have already been changed
	stale      bool           // these were left unchanged, because someone has changed them in the meantime
	gone       int            // number of events deleted permanently
}

// bulkFields are the fields of the form in their order.
var bulkFields = []string{"set_venue", "set_organizer", "add_organizer", "remove_organizer", "add_category", "remove_category", "add_tags",
	"remove_tags", "cost", "status", "event_status", "event_status_reason", "move_days", "move_hours"}

// bulk asks what to change about several events, shows the effect on each, and changes all of them in one write.
func (w *Pages) bulk(v *frame.Visit, m *chosen.Actions) (*frame.Reply, error) {
	if v.Form.Get("step") == "look" {
		v.Form.Set("id", append(v.Form.All("id"), v.Form.All(alsoField)...)...)
	}
	ids, r, err := m.Chosen(v)
	if r != nil || err != nil {
		return r, err
	}
	b := &bulk{form: v.Form, back: frame.Inside(v.Form.Get("to"))}
	b.form.Kind, b.form.Empty = "event", frame.Tell(v.Ctx, "bulk.keep")
	if err := w.bulkChoices(v.Ctx, b); err != nil {
		return nil, err
	}
	if b.outside, err = w.calendar.Events().Outside(v.Ctx, ids); err != nil {
		return nil, err
	}
	step := b.form.Get("step")
	w.checkBulk(v.Ctx, b)
	switch {
	case step == "":
		b.form.Problems = nil
	case step == "save" && len(b.form.Problems) == 0 && b.form.Get("shown") == b.typed(v.Ctx):
		return w.saveBulk(v, b, ids)
	}
	b.looked = step != "" && len(b.form.Problems) == 0
	return w.showBulk(v, b, ids)
}

// bulkChoices adds the choices of the form. If there are too many venues or organizers for a list, people type a name instead.
func (w *Pages) bulkChoices(ctx context.Context, b *bulk) error {
	o, err := offers.Of(
		ctx,
		w.calendar,
		calendar.OfferQuery{Venues: offers.Longest, Organizers: offers.Longest, Categories: offers.MostTerms, Writing: true},
	)
	if err != nil {
		return err
	}
	b.venues, b.organizers = offers.Named(ctx, o.Venues), offers.Named(ctx, o.Organizers)
	b.categories = offers.Indented(ctx, offers.Tree(o.Categories))
	for _, one := range []struct {
		name    string
		choices *[]frame.Pair
		find    func(context.Context, string) (int64, error)
	}{{"set_venue", &b.venues, w.places.FindVenue}, {"set_organizer", &b.organizers, w.places.FindOrganizer},
		{"add_organizer", &b.organizers, w.places.FindOrganizer}, {"remove_organizer", &b.organizers, w.places.FindOrganizer}} {
		typed := b.form.Text(one.name)
		if typed == "" || typed == bulkNone || len(*one.choices) < offers.Longest {
			continue
		}
		id, err := places.IDOf(ctx, typed, *one.choices, one.find)
		if err != nil && !errors.Is(err, places.ErrSeveral) {
			return err
		}
		if name, number := places.NameAndID(typed); id != "" {
			*one.choices = offers.With(*one.choices, frame.Pair{Name: id, Value: frame.ValueOf(*one.choices, id, name)})
			if number == 0 {
				b.form.Set(one.name, places.Named(name, frame.IDIn(id)))
			}
		}
	}
	return nil
}

// chosen returns the ID that a field of the form names, or 0 if it names none of the choices.
func (b *bulk) chosen(field string, choices []frame.Pair) int64 {
	typed := b.form.Text(field)
	if _, id := places.NameAndID(typed); id != 0 {
		typed = frame.IDText(id)
	}
	if !slices.ContainsFunc(choices, func(p frame.Pair) bool { return p.Name == typed }) {
		return 0
	}
	return frame.IDIn(typed)
}

// typed encodes the fields of the form as one text. The page that shows the effects keeps it, so that the save button applies
// only to the changes shown.
func (b *bulk) typed(ctx context.Context) string {
	values := url.Values{}
	for _, name := range append(slices.Clone(bulkFields), bulkControls(ctx)...) {
		for _, text := range slices.Sorted(slices.Values(b.form.All(name))) {
			values.Add(name, strings.ReplaceAll(text, "\r", ""))
		}
	}
	return values.Encode()
}

// checkBulk adds the problems of the form that do not depend on the events.
func (w *Pages) checkBulk(ctx context.Context, b *bulk) {
	filled := false
	for _, name := range append(slices.Clone(bulkFields), bulkControls(ctx)...) {
		filled = filled || len(b.form.All(name)) > 0 && name != "event_status_reason"
	}
	if !filled {
		b.form.Wrong("set_venue", frame.Tell(ctx, "bulk.empty"))
	}
	for _, name := range []string{"move_days", "move_hours"} {
		if b.form.Text(name) != "" {
			numberIn(ctx, b.form, name, -mostShifted)
		}
	}
	for _, one := range []struct {
		name, problem string
		choices       []frame.Pair
	}{
		{"set_venue", "problem.venue.unknown", b.venues}, {"set_organizer", "problem.organizer.unknown", b.organizers},
		{"add_organizer", "problem.organizer.unknown", b.organizers}, {"remove_organizer", "problem.organizer.unknown", b.organizers},
	} {
		text := b.form.Text(one.name)
		none := text == bulkNone && strings.HasPrefix(one.name, "set_")
		if text != "" && !none && b.chosen(one.name, one.choices) == 0 {
			b.form.Wrong(one.name, ui.Problem(ctx, args.Problem{Key: one.problem}, false))
		}
	}
	for _, name := range []string{"add_category", "remove_category"} {
		for _, id := range b.form.All(name) {
			if !slices.ContainsFunc(b.categories, func(p frame.Pair) bool { return p.Name == id }) {
				b.form.Wrong(name, ui.Problem(ctx, args.Problem{Key: "problem.category.unknown"}, false))
			}
		}
	}
	w.checkShared(ctx, b)
	values := args.Values{}
	b.plain(ctx, values)
	if _, err := frame.Parsed[calendar.EventFields](editor.Table, values, args.Updating); err != nil {
		b.form.Refuse(ctx, err)
	}
}

// numberIn returns the whole number in a field, from least to mostShifted. If it is not one, numberIn adds a problem to the
// form.
func numberIn(ctx context.Context, f *frame.Form, name string, least int) int {
	n, err := strconv.Atoi(f.Text(name))
	switch {
	case err != nil || n > mostShifted:
		f.Wrong(name, i18n.T(ctx, "problem.max", map[string]any{"Max": mostShifted}))
	case n < least:
		f.Wrong(name, i18n.T(ctx, "problem.min", map[string]any{"Min": least}))
	}
	return n
}

// showBulk shows the form for some events and, once it is filled in, the effect on each of them.
func (w *Pages) showBulk(v *frame.Visit, b *bulk, ids []int64) (*frame.Reply, error) {
	events, err := chosen.Events(v, w.calendar, ids)
	if err != nil {
		return nil, err
	}
	b.events, b.gone = nil, len(ids)-len(events)
	for _, e := range events {
		one := &bulkEvent{Event: e}
		if b.looked {
			if one, _, err = w.would(v.Ctx, b, e); err != nil {
				return nil, err
			}
		}
		b.events = append(b.events, one)
	}
	r := &frame.Reply{Title: frame.Tell(v.Ctx, "bulk.title"), Section: "events", Body: bulkPage(b)}
	switch {
	case len(b.form.Problems) > 0:
		r.Status = http.StatusUnprocessableEntity
	case b.stale:
		r.Status = http.StatusConflict
	}
	return r, nil
}

// errNothing rolls back the write of a form that would change nothing.
var errNothing = errors.New("nothing to change")

// saveBulk makes the changes that the page has shown. It shows the page again for events that cannot be changed,
// and for events whose changes would now differ. If the form is sent twice, it changes the events once.
func (w *Pages) saveBulk(v *frame.Visit, b *bulk, ids []int64) (*frame.Reply, error) {
	var became *services.Many
	was := sumsIn(b.form)
	once := onceFor(b.form, b.typed(v.Ctx), ids)
	version, err := w.platform.Forms.Once(v.Ctx, once, accounts.Batch, func(ctx context.Context) (int64, error) {
		var err error
		became, err = w.calendar.Events().ChangeMany(ctx, ids, func(e *calendar.Event) (*calendar.EventFields, error) {
			one, fields, err := w.would(ctx, b, e)
			switch {
			case err != nil:
				return nil, err
			case one.refused != nil:
				return nil, one.refused
			case len(one.changes) > 0 && one.sum() != was[e.ID]:
				return nil, calendar.ErrPrecondition
			}
			return fields, nil
		})
		if err == nil && became.Version == 0 {
			err = errNothing
		}
		if err != nil {
			return 0, err
		}
		return became.Version, nil
	})
	if err != nil && !errors.Is(err, errNothing) {
		if !b.form.Refuse(v.Ctx, err) {
			return nil, err
		}
		return w.showBulk(v, b, ids)
	}
	var done int
	var left []int64
	if became == nil { // the form was sent before
		entries, err := w.editing.Written(v.Ctx, version)
		if err != nil {
			return nil, err
		}
		done = len(entries)
	} else {
		done = len(became.Changed)
		b.stale = len(became.RefusedBy(calendar.ErrPrecondition)) > 0
		for _, id := range ids {
			if became.Refused[id] != nil {
				left = append(left, id)
			}
		}
	}
	r := &frame.Reply{Redirect: b.back, Say: "bulk", Count: done}
	if len(left) > 0 {
		b.done, b.looked = done, true
		if r, err = w.showBulk(v, b, left); err != nil {
			return nil, err
		}
	} else if became != nil && slices.ContainsFunc(became.Changed, (*calendar.Event).Recurring) {
		r.Say += frame.OfSeries
	}
	frame.OfferUndo(v, r, version)
	return r, nil
}

// onceFor returns a key for a form, made from its token, fields and events. If someone goes back and sends other
// changes, these count as another form.
func onceFor(f *frame.Form, typed string, ids []int64) string {
	if f.Get("once") == "" {
		return ""
	}
	hash := sha256.New()
	hash.Write([]byte(typed))
	for _, id := range ids {
		hash.Write([]byte("," + frame.IDText(id)))
	}
	return f.Get("once") + " " + hex.EncodeToString(hash.Sum(nil))
}

// wasField is the form field with the digests of all events that the page has shown, because a form may not have a
// separate field for each event.
const wasField = "was"

// sumsOf joins the IDs and digests of events for wasField.
func sumsOf(list []*bulkEvent) string {
	sums := make([]string, 0, len(list))
	for _, e := range list {
		sums = append(sums, frame.IDText(e.ID)+"."+e.sum())
	}
	return strings.Join(sums, " ")
}

// sumsIn reads what sumsOf wrote.
func sumsIn(f *frame.Form) map[int64]string {
	sums := map[int64]string{}
	for one := range strings.FieldsSeq(f.Get(wasField)) {
		id, sum, _ := strings.Cut(one, ".")
		sums[frame.IDIn(id)] = sum
	}
	return sums
}

// happeningText returns the text for an event_status.
func happeningText(ctx context.Context, status string) string {
	if status == scheduled {
		status = "usual"
	}
	return frame.Tell(ctx, "happening.status."+status)
}

// scheduled is the value of event_status for an event that takes place as planned.
const scheduled = "scheduled"

// happeningChoices are the statuses that the form offers.
func (*bulk) happeningChoices(ctx context.Context) (list []frame.Pair) {
	for _, status := range editor.Happenings {
		if status == "" {
			status = scheduled
		}
		list = append(list, frame.Pair{Name: status, Value: happeningText(ctx, status)})
	}
	return list
}

// statusChoices are the statuses that the form offers.
func (*bulk) statusChoices(ctx context.Context) (list []frame.Pair) {
	for _, status := range frame.Statuses(ctx, &frame.Form{}) {
		list = append(list, frame.Pair{Name: status, Value: frame.StatusOf(ctx, status)})
	}
	return list
}

// orNone puts the choice "none" before other choices.
func orNone(ctx context.Context, choices []frame.Pair) []frame.Pair {
	return append([]frame.Pair{{Name: bulkNone, Value: frame.Tell(ctx, "bulk.none")}}, choices...)
}

// fitting are the events that would change.
func (b *bulk) fitting() []*bulkEvent {
	return b.of(func(e *bulkEvent) bool { return e.refused == nil && len(e.changes) > 0 })
}

// unable are the events that can't be changed.
func (b *bulk) unable() []*bulkEvent {
	return b.of(func(e *bulkEvent) bool { return e.refused != nil })
}

// same are the events that the form would leave unchanged.
func (b *bulk) same() []*bulkEvent {
	return b.of(func(e *bulkEvent) bool { return e.refused == nil && len(e.changes) == 0 })
}

func (b *bulk) of(want func(*bulkEvent) bool) (list []*bulkEvent) {
	for _, e := range b.events {
		if want(e) {
			list = append(list, e)
		}
	}
	return list
}
