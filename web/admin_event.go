package web

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// eventEditor is the form of one event, with what its fields offer.
type eventEditor struct {
	form       *form
	event      *calendar.Event // nil: a new one
	series     *calendar.Event // that the event is, or is a date of; nil: it happens once
	repeat     *repeatShown
	venues     []pair
	organizers []pair
	categories []branch
	authors    []pair
	taken      []*calendar.Event // at the event's venues, at its time
	copied     bool
	draft      *calendar.FormDraft // what was typed before and not saved
	typed      bool                // and stands in the form
	unsaved    bool                // the form was sent and came back
	image      picked
	preview    *calendar.Preview // nil: none
	now        time.Time
}

var (
	eventTable  = args.TableOf(reflect.TypeFor[calendar.EventFields]())
	ticketTable = args.TableOf(reflect.TypeFor[calendar.TicketFields]())
)

// newEvent shows the form of a new event, or of a copy.
func (w *admin) newEvent(v *visit) (*reply, error) {
	ed := &eventEditor{}
	if err := w.offers(v.ctx, ed); err != nil {
		return nil, err
	}
	if id, err := strconv.ParseInt(v.query.Get("copy"), 10, 64); err == nil {
		e, err := w.calendar.Events().Get(v.ctx, calendar.Key{ID: id}, "")
		if err != nil {
			return nil, err
		}
		ed.form, ed.copied = copyForm(v.ctx, e, ed), true
	} else {
		ed.form = freshEvent(v.ctx, w.calendar.Now(), v.query)
	}
	ed.form.set("once", newFormToken())
	ed.form.first = "title"
	if !ed.copied {
		if err := w.offerDraft(v, ed); err != nil {
			return nil, err
		}
	}
	return w.editorReply(v, ed)
}

// createEvent makes the event of a form; the same form makes one, however often
// it is sent.
func (w *admin) createEvent(v *visit) (*reply, error) {
	ed := &eventEditor{form: v.form}
	ed.form.kind = "event"
	if err := w.offers(v.ctx, ed); err != nil {
		return nil, err
	}
	if ed.form.get("do") == "look" {
		return w.look(v, ed, nil)
	}
	if err := w.upload(v, ed.form); err != nil {
		return nil, err
	}
	if ed.form.reshape() {
		return w.editorReply(v, ed)
	}
	ed.form.settle()
	fields, err := w.readEvent(v, ed, nil)
	if err != nil {
		return w.again(v, ed, err)
	}
	var made *calendar.Event
	id, err := w.platform.Forms.Once(v.ctx, v.form.get("once"), "event", func(ctx context.Context) (int64, error) {
		e, err := w.calendar.Events().Create(ctx, fields)
		if err != nil {
			return 0, err
		}
		made = e
		return e.ID, nil
	})
	if err != nil {
		return w.again(v, ed, err)
	}
	if err := w.dropDraft(v.ctx, 0); err != nil {
		return nil, err
	}
	return w.share(v, made, &reply{redirect: eventAddress(id), say: savedWord("", made)})
}

// editEvent shows the form of an event.
func (w *admin) editEvent(v *visit) (*reply, error) {
	e, r, err := w.editable(v)
	if e == nil {
		return r, err
	}
	ed := &eventEditor{event: e}
	if err := w.offers(v.ctx, ed); err != nil {
		return nil, err
	}
	if ed.taken, err = w.taken(v.ctx, e); err != nil {
		return nil, err
	}
	ed.form = formOf(v.ctx, e, ed)
	if err := w.offerDraft(v, ed); err != nil {
		return nil, err
	}
	return w.editorReply(v, ed)
}

// editable returns the event of a visit when whoever asks may change it.
func (w *admin) editable(v *visit) (*calendar.Event, *reply, error) {
	e, err := w.calendar.Events().Get(v.ctx, calendar.Key{ID: v.id}, "")
	switch {
	case errors.Is(err, calendar.ErrTrashed):
		return nil, &reply{redirect: adminRoot + "/trash", say: "trashed"}, nil
	case err != nil:
		return nil, nil, err
	case !calendar.MayEdit(v.scope().Principal, &e.Post):
		return nil, nil, tenancy.ErrForbidden
	}
	return e, nil, nil
}

// updateEvent stores what was changed in a form. When somebody else changed the
// event meanwhile, both versions are shown.
func (w *admin) updateEvent(v *visit) (*reply, error) {
	e, r, err := w.editable(v)
	if gone, ok := errors.AsType[*calendar.RemovedError](err); ok {
		return w.goneDate(v, gone), nil
	}
	if e == nil {
		return r, err
	}
	ed := &eventEditor{form: v.form, event: e}
	ed.form.kind = "event"
	if err := w.offers(v.ctx, ed); err != nil {
		return nil, err
	}
	now := formOf(v.ctx, e, ed)
	if ed.form.get("do") == "look" {
		return w.look(v, ed, now)
	}
	if err := w.upload(v, ed.form); err != nil {
		return nil, err
	}
	ed.form.settle()
	c := ed.contestOf(v.ctx, now)
	c.resolve()
	switch {
	case ed.form.reshape():
		return w.editorReply(v, ed)
	case c.met():
		return c.settle(v), nil
	}
	fields, err := w.readEvent(v, ed, now)
	if err != nil {
		return w.again(v, ed, err)
	}
	var stored *calendar.Event
	if !reflect.DeepEqual(*fields, calendar.EventFields{}) {
		if e.Series != nil {
			scope, said := scopeOf(ed.form)
			if !said {
				return w.askAbout(v, ed, fields, now)
			}
			fields.AppliesTo = args.Some(scope)
		}
		stored, err = w.calendar.Events().Update(v.ctx, calendar.Key{ID: e.ID}, fields, still(e.Version))
	}
	away := errors.Is(err, calendar.ErrGone) || errors.Is(err, calendar.ErrNotFound)
	if errors.Is(err, calendar.ErrPrecondition) || e.Series != nil && away {
		return w.updateEvent(v) // once more: now it is seen that there is another version
	}
	if err != nil {
		return w.again(v, ed, err)
	}
	r, err = w.updatedReply(v, e, stored)
	// The history keeps no password.
	if err == nil && stored != nil && stored.Version > e.Version && !(fields.Password.Given() && e.Protected()) {
		r.undo = undoOf(calendar.Write{ID: stored.ID, Version: stored.Version})
	}
	return r, err
}

// updatedReply leads to the event that was changed: to the date of a series it was
// about, as long as that is one, else to the series.
func (w *admin) updatedReply(v *visit, e, stored *calendar.Event) (*reply, error) {
	at := e.ID
	if e.Series != nil && stored != nil && stored.ID != e.ID {
		switch _, err := w.calendar.Events().Get(v.ctx, calendar.Key{ID: e.ID}, ""); {
		case errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrTrashed):
			at = stored.ID
		case err != nil:
			return nil, err
		}
	}
	if err := w.dropDraft(v.ctx, e.ID); err != nil {
		return nil, err
	}
	if stored == nil {
		stored = e
	}
	return w.share(v, stored, &reply{redirect: eventAddress(at), say: savedWord(e.Status, stored)})
}

func eventAddress(id int64) string { return adminRoot + "/events/" + idText(id) }

// again shows the form once more with what is wrong with it; other errors stay
// errors.
func (w *admin) again(v *visit, ed *eventEditor, err error) (*reply, error) {
	if !ed.form.refuseEvent(v.ctx, err) {
		return nil, err
	}
	ed.form.attend(eventFields)
	r, err := w.editorReply(v, ed)
	if err != nil {
		return nil, err
	}
	r.status = http.StatusUnprocessableEntity
	return r, nil
}

func (w *admin) editorReply(v *visit, ed *eventEditor) (_ *reply, err error) {
	ed.unsaved, ed.form.action, ed.now = v.post, editorAddress(ed), w.calendar.Now()
	if ed.repeat, err = w.showRepeat(v.ctx, ed.form); err != nil {
		return nil, err
	}
	if ed.repeat != nil && ed.event != nil {
		ed.repeat.waits(v.ctx, ed.event)
	}
	if ed.image, err = w.pickedIn(v.ctx, ed.form); err != nil {
		return nil, err
	}
	if err := w.findPreview(v, ed); err != nil {
		return nil, err
	}
	title := tell(v.ctx, "events.new")
	if ed.event != nil {
		title = ed.event.Title
	}
	return &reply{title: title, section: "events", body: editorPage(ed), scripts: editorScripts, styles: true}, nil
}

// editorScripts are the scripts of forms of events, venues and organizers.
var editorScripts = []string{"session.js", "when.js", "live.js", "pick.js", "tree.js", "image.js", "rich.js", "keys.js", "copy.js"}

// offers fills in what the fields offer to choose from.
func (w *admin) offers(ctx context.Context, ed *eventEditor) (err error) {
	o, err := w.calendar.Offers(ctx, calendar.OfferQuery{Venues: longestChoice, Organizers: longestChoice, Categories: mostTerms,
		Authors: calendar.MostAuthors})
	if err != nil {
		return err
	}
	ed.venues, ed.organizers, ed.categories, ed.authors = choices(o.Venues), choices(o.Organizers), tree(o.Categories), choices(o.Authors)
	if e := ed.event; e != nil {
		if ed.series, err = w.seriesOf(ctx, e); err != nil {
			return err
		}
		for i := range e.Venues {
			ed.venues = with(ed.venues, pair{idText(e.Venues[i].ID), e.Venues[i].Name})
		}
		for i := range e.Organizers {
			ed.organizers = with(ed.organizers, pair{idText(e.Organizers[i].ID), e.Organizers[i].Name})
		}
	}
	ed.venues, ed.organizers = distinct(ed.venues), distinct(ed.organizers)
	return nil
}

// authors are those an item can be given to; none for people who may not.
func (w *admin) authors(ctx context.Context) ([]pair, error) {
	o, err := w.calendar.Offers(ctx, calendar.OfferQuery{Authors: calendar.MostAuthors})
	if err != nil {
		return nil, err
	}
	return choices(o.Authors), nil
}

// knowAuthor notes an author whom the site doesn't have. Where there are more
// people than a form offers, that is for the database to find.
func (f *form) knowAuthor(ctx context.Context, authors []pair, now *form) {
	author := f.canonical("author")
	if author == "" || now != nil && author == now.canonical("author") || len(authors) == 0 || len(authors) >= calendar.MostAuthors {
		return
	}
	if !slices.ContainsFunc(authors, func(p pair) bool { return p.Name == author }) {
		f.wrong("author", i18n.T(ctx, "problem.author", nil))
	}
}

// with adds a choice that is missing.
func with(list []pair, one pair) []pair {
	if slices.ContainsFunc(list, func(p pair) bool { return p.Name == one.Name }) {
		return list
	}
	return append(list, one)
}

// distinct adds the id to names that several have.
func distinct(list []pair) []pair {
	times := map[string]int{}
	for _, p := range list {
		times[calendar.Fold(p.Value)]++
	}
	for i, p := range list {
		if times[calendar.Fold(p.Value)] > 1 {
			list[i].Value = p.Value + " (#" + p.Name + ")"
		}
	}
	return list
}

// wholeID returns the id of the series that an event belongs to, or its own.
func wholeID(e *calendar.Event) int64 {
	if e.Series != nil {
		return e.Series.ID
	}
	return e.ID
}

// taken lists what else happens at the event's venues at its time.
func (w *admin) taken(ctx context.Context, e *calendar.Event) ([]*calendar.Event, error) {
	if len(e.Venues) == 0 {
		return nil, nil
	}
	var venues args.IDs
	for i := range e.Venues {
		venues = append(venues, e.Venues[i].ID)
	}
	f := &calendar.EventFilter{Venue: args.Some(venues), StrictDates: args.Some(args.Truthy(true)),
		StartsBefore: instantArg(e.EndUTC), EndsAfter: instantArg(e.StartUTC)}
	page, err := w.calendar.Events().Board(ctx, f, 10)
	others := page.Items[:0:0]
	for _, other := range page.Items {
		if wholeID(other) != wholeID(e) {
			others = append(others, other)
		}
	}
	return others, err
}
