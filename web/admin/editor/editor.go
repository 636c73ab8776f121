// Package editor has the form of an event: a new one, a stored one, a copy, and the small form in the list. It previews what people
// type, keeps drafts of it, and suggests venues, organizers and tags.
package editor

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/admin/counting"
	"github.com/kalends/kalends/web/admin/places"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/pictures"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/history"
)

// Pages are the form of an event.
type Pages struct {
	calendar *services.Calendar
	editing  *editing.Service
	platform *platform.Platform
	imported *imports.Service
	pictures *pictures.Pages
	places   *places.Pages
	counted  *counting.Pages
	sent     *submissions.Service
}

// New returns the pages.
func New(c *services.Calendar, e *editing.Service, p *platform.Platform, i *imports.Service, images *pictures.Pages, of *places.Pages,
	counted *counting.Pages, sent *submissions.Service) *Pages {
	return &Pages{calendar: c, editing: e, platform: p, imported: i, pictures: images, places: of, counted: counted, sent: sent}
}

// Routes are the routes of these pages, for the administration to add to its own.
func (w *Pages) Routes() []frame.Route {
	const edit = tenancy.EditOwn
	return []frame.Route{
		frame.GetPage("/events/new", edit, w.newEvent),
		frame.FormPage("/events/new", edit, w.createEvent),
		frame.FormPage("/events/preview", edit, w.previewEvent),
		frame.GetPage("/events/#/row", edit, w.askRow),
		frame.FormPage("/events/#/row", edit, w.saveRow),
		frame.GetPage("/events/#/copy", edit, w.askCopy),
		frame.FormPage("/events/#/copy", edit, w.copyEvent),
		frame.GetPage("/search/venues", edit, w.searchVenues),
		frame.GetPage("/search/organizers", edit, w.searchOrganizers),
		frame.GetPage("/search/tags", edit, w.searchTags),
		frame.GetPage("/search/zones", edit, w.searchZones),
		frame.GetPage("/search/events", edit, w.searchParents),
		frame.GetPage("/events/#", edit, w.editEvent),
		frame.FormPage("/events/#", edit, w.updateEvent),
		frame.FormPage("/events/#/remove", edit, w.removeEvent),
		frame.PostPage("/events/#/preview", edit, w.changePreview),
		frame.PostPage("/events/#/source", edit, w.takeBack),
		frame.FormPage("/drafts", edit, w.saveDraft),
	}
}

// eventEditor is the form of one event, with the choices for its fields.
type eventEditor struct {
	form       *frame.Form
	event      *calendar.Event // nil: a new event
	series     *calendar.Event // the event itself if it is a series, or the series of a date; nil for a single event
	repeat     *repeats.Shown
	venues     []frame.Pair
	organizers []frame.Pair
	categories []offers.Branch
	parent     string // the parent event, as its field shows it; "": as typed
	parents    []pick // suggestions if the typed text names no event
	authors    []frame.Pair
	taken      []editing.Booking  // other events at its venues at the same time
	copied     *calendar.Event    // the original of this copy; nil: not a copy
	proposed   string             // proposed time of this copy; "": none
	patterns   []*calendar.Event  // earlier events that a new event can be copied from
	day        string             // the day chosen for a new event; "": none
	draft      *editing.FormDraft // unsaved input from an earlier visit
	typed      bool               // the form shows the draft
	guessed    bool               // nobody has said when the event ends: the end in the form is a guess
	others     []editing.Typist   // other people who are typing into the same form
	unsaved    bool               // the form was sent but not stored
	doubts     *editing.Doubts    // about publishing the event; nil: none
	image      *calendar.Image
	preview    *calendar.Preview // nil: none
	kept       []string          // fields that the event's source no longer changes
	noted      *tenancy.Entry    // history entry with which an editor sent the event back; nil: none or unknown
	unchecked  bool              // the event needs checking
	reports    []*submissions.Report
	counted    *numbers.Report // numbers of the last days; nil: views are not counted
	now        time.Time
}

var (
	// Table has the arguments of an event.
	Table       = args.TableOf(reflect.TypeFor[calendar.EventFields]())
	ticketTable = args.TableOf(reflect.TypeFor[calendar.TicketFields]())

	eventLetters = lettersOf(Table)
)

// newEvent shows the form of a new event, or of a copy.
func (w *Pages) newEvent(v *frame.Visit) (*frame.Reply, error) {
	ed := &eventEditor{}
	if err := w.offers(v.Ctx, ed); err != nil {
		return nil, err
	}
	if id, err := strconv.ParseInt(v.Query.Get("copy"), 10, 64); err == nil {
		if ed.copied, err = w.calendar.Events().Get(v.Ctx, calendar.Key{ID: id}, ""); err != nil {
			return nil, err
		}
		w.copyInto(v, ed)
	} else {
		ed.form, ed.guessed = freshEvent(v.Ctx, w.calendar.Now(), v.Query), v.Query.Get("end_date") == ""
		ed.only(v.Ctx)
	}
	ed.form.Set("once", frame.NewToken())
	ed.form.First = "title"
	if ed.copied == nil {
		if err := w.offerDraft(v, ed); err != nil {
			return nil, err
		}
		ed.day = v.Query.Get("start_date")
		var err error
		if ed.patterns, err = w.editing.Patterns(v.Ctx, mostPatterns); err != nil {
			return nil, err
		}
	}
	return w.editorReply(v, ed)
}

// createEvent creates the event of a form. A form creates only one event, however often it is sent.
func (w *Pages) createEvent(v *frame.Visit) (*frame.Reply, error) {
	ed := &eventEditor{form: v.Form}
	ed.form.Kind = "event"
	if err := w.offers(v.Ctx, ed); err != nil {
		return nil, err
	}
	if err := w.settleNames(v.Ctx, ed.form); err != nil {
		return nil, err
	}
	if err := w.findCopied(v.Ctx, ed); err != nil {
		return nil, err
	}
	if ed.form.Get("do") == "look" {
		return w.look(v, ed, nil)
	}
	if err := w.pictures.Upload(v, ed.form); err != nil {
		return nil, err
	}
	if ed.form.Get("do") == "like" {
		if err := w.liken(v, ed); err != nil {
			return nil, err
		}
		return w.editorReply(v, ed)
	}
	if ed.form.ShownAgain() {
		return w.editorReply(v, ed)
	}
	settle(ed.form)
	fields, err := w.readEvent(v, ed, nil)
	if err != nil {
		return w.again(v, ed, err)
	}
	guardCopy(fields, ed.copied)
	var made *calendar.Event
	id, err := w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), "event", func(ctx context.Context) (int64, error) {
		if err := w.doubtAbout(ctx, ed, fields); err != nil {
			return 0, err
		}
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
	if err := w.dropDraft(v.Ctx, 0); err != nil {
		return nil, err
	}
	return w.share(v, made, &frame.Reply{Redirect: frame.EventAddress(id), Say: savedWord("", made)})
}

// editEvent shows the form of an event.
func (w *Pages) editEvent(v *frame.Visit) (*frame.Reply, error) {
	e, r, err := w.Editable(v)
	if e == nil {
		return r, err
	}
	ed := &eventEditor{event: e}
	if err := w.offers(v.Ctx, ed); err != nil {
		return nil, err
	}
	ed.form = formOf(v.Ctx, e, ed)
	if err := w.offerDraft(v, ed); err != nil {
		return nil, err
	}
	if ed.counted, err = w.counted.Event(v.Ctx, e); err != nil {
		return nil, err
	}
	if err := w.findUnchecked(v, ed); err != nil {
		return nil, err
	}
	return w.editorReply(v, ed)
}

// Editable returns the event of a visit if the user may edit it.
func (w *Pages) Editable(v *frame.Visit) (*calendar.Event, *frame.Reply, error) {
	e, err := w.calendar.Events().Get(v.Ctx, calendar.Key{ID: v.ID}, "")
	switch {
	case errors.Is(err, calendar.ErrTrashed):
		return nil, &frame.Reply{Redirect: frame.AdminRoot + "/trash", Say: "trashed"}, nil
	case err != nil:
		return nil, nil, err
	}
	if err := w.calendar.Events().Open(v.Ctx, e); err != nil {
		return nil, nil, err
	}
	return e, nil, nil
}

// sentEvent returns the editor for a form that was sent, if the user may edit its event.
func (w *Pages) sentEvent(v *frame.Visit) (*eventEditor, *frame.Reply, error) {
	e, r, err := w.Editable(v)
	if e == nil {
		return nil, r, err
	}
	ed := &eventEditor{form: v.Form, event: e}
	ed.form.Kind = "event"
	if err := w.offers(v.Ctx, ed); err != nil {
		return nil, nil, err
	}
	return ed, nil, nil
}

// updateEvent stores the changes of a form. If someone else has changed the event meanwhile, it shows both versions.
func (w *Pages) updateEvent(v *frame.Visit) (*frame.Reply, error) {
	return saving.Save(v, func() (*saving.Edit, *frame.Reply, error) {
		ed, r, err := w.sentEvent(v)
		if gone, ok := errors.AsType[*calendar.RemovedError](err); ok {
			return nil, w.goneDate(v, gone), nil
		}
		if ed == nil {
			return nil, r, err
		}
		if err := w.settleNames(v.Ctx, ed.form); err != nil {
			return nil, nil, err
		}
		now := formOf(v.Ctx, ed.event, ed)
		if ed.form.Get("do") == "look" {
			r, err = w.look(v, ed, now)
			return nil, r, err
		}
		if err := w.pictures.Upload(v, ed.form); err != nil {
			return nil, nil, err
		}
		settle(ed.form)
		e := w.edited(v.Ctx, ed, now)
		e.Again = func() (*frame.Reply, error) { return w.editorReply(v, ed) }
		e.Store = func() (*frame.Reply, error) { return w.saveEvent(v, ed, now) }
		return e, nil, nil
	})
}

func (w *Pages) saveEvent(v *frame.Visit, ed *eventEditor, now *frame.Form) (*frame.Reply, error) {
	e := ed.event
	fields, err := w.readEvent(v, ed, now)
	if err != nil {
		return w.again(v, ed, err)
	}
	var stored *calendar.Event
	if !reflect.DeepEqual(*fields, calendar.EventFields{}) {
		if err := w.doubtAbout(v.Ctx, ed, fields); err != nil {
			return w.again(v, ed, err)
		}
		if e.Series != nil {
			scope, said := repeats.ScopeOf(ed.form)
			if !said {
				return w.askAbout(v, ed, fields, now)
			}
			fields.AppliesTo = args.Some(scope)
		}
		stored, err = w.calendar.Events().Update(v.Ctx, calendar.Key{ID: e.ID}, fields, frame.Still(e.Version))
	}
	away := errors.Is(err, calendar.ErrGone) || errors.Is(err, calendar.ErrNotFound)
	if e.Series != nil && away {
		return nil, calendar.ErrPrecondition // another date of the series was changed, and with it this one
	}
	if err != nil {
		return w.again(v, ed, err)
	}
	var sub *submissions.Submission
	if left := leftBy(e, stored); stored != nil && (len(left) > 0 || stored.Status != e.Status) {
		sub, _ = w.sent.Follow(v.Ctx, stored.ID, left...) // what was saved stays saved
	}
	r, err := w.updatedReply(v, e, stored)
	if err != nil {
		return nil, err
	}
	if sub != nil && sub.Opened {
		r.Say += frame.WithVenue
	}
	if sub != nil && sub.Status == submissions.Approved && stored.Status != e.Status && w.sent.Tells(sub) {
		r.Say += frame.WithMail
	}
	if stored != nil && stored.Version > e.Version {
		r.Undo = frame.UndoOf(editing.Write{ID: stored.ID, Version: stored.Version})
	}
	return frame.TickReports(v, r, w.sent)
}

// leftBy returns the venues that an event had before it was saved and has no more, if they are not public.
func leftBy(e, stored *calendar.Event) []calendar.Venue {
	if stored == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(e.Venues), func(v calendar.Venue) bool {
		return v.Status == calendar.Publish || slices.ContainsFunc(stored.Venues, func(one calendar.Venue) bool { return one.ID == v.ID })
	})
}

// updatedReply redirects to the event that was changed. If that was a date of a series which no longer exists, it redirects to
// the series.
func (w *Pages) updatedReply(v *frame.Visit, e, stored *calendar.Event) (*frame.Reply, error) {
	at := e.ID
	if e.Series != nil && stored != nil && stored.ID != e.ID {
		switch _, err := w.calendar.Events().Get(v.Ctx, calendar.Key{ID: e.ID}, ""); {
		case errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrTrashed):
			at = stored.ID
		case err != nil:
			return nil, err
		}
	}
	if err := w.dropDraft(v.Ctx, e.ID); err != nil {
		return nil, err
	}
	if stored == nil {
		stored = e
	}
	if v.Form.Get("to") != "" { // the form was opened from the list
		return w.rowSaved(v, e, stored), nil
	}
	said := savedWord(e.Status, stored)
	switch {
	case v.Form.Get("do") == sendBack:
		said = "returned"
	case stored.Series != nil && stored.ID == e.ID:
		said += frame.OfDate
	}
	return w.share(v, stored, &frame.Reply{Redirect: frame.EventAddress(at), Say: said})
}

// again shows the form again with its problems or doubts. It returns all other errors.
func (w *Pages) again(v *frame.Visit, ed *eventEditor, err error) (*frame.Reply, error) {
	if !errors.As(err, &ed.doubts) && !refuseEvent(v.Ctx, ed.form, err) {
		return nil, err
	}
	ed.form.Attend(history.EventFields)
	r, err := w.editorReply(v, ed)
	if err != nil {
		return nil, err
	}
	r.Status = http.StatusUnprocessableEntity
	return r, nil
}

func (w *Pages) editorReply(v *frame.Visit, ed *eventEditor) (_ *frame.Reply, err error) {
	ed.unsaved, ed.form.Action, ed.now, ed.form.Most = v.Post, editorAddress(ed), w.calendar.Now(), eventLetters
	if ed.repeat, err = repeats.Show(v.Ctx, w.calendar, ed.form); err != nil {
		return nil, err
	}
	if ed.repeat != nil && ed.event != nil {
		ed.repeat.Waits(v.Ctx, ed.event)
	}
	if ed.taken, err = w.takenFor(v.Ctx, ed); err != nil {
		return nil, err
	}
	if err := w.showParent(v.Ctx, ed); err != nil {
		return nil, err
	}
	if ed.image, err = w.pictures.Named(v.Ctx, ed.form); err != nil {
		return nil, err
	}
	if err := w.findPreview(v, ed); err != nil {
		return nil, err
	}
	if err := w.findNote(v.Ctx, ed); err != nil {
		return nil, err
	}
	if ed.event != nil {
		if ed.kept, err = w.keptIn(v.Ctx, ed.event); err != nil {
			return nil, err
		}
		if err := w.findReports(v.Ctx, ed); err != nil {
			return nil, err
		}
	}
	title := frame.Tell(v.Ctx, "events.new")
	if ed.event != nil {
		title = ed.event.Title
	}
	return &frame.Reply{Title: title, Section: "events", Body: editorPage(ed), Script: "form.js"}, nil
}

// linkRows returns the names in the rows of a field, and three empty rows.
func linkRows(f *frame.Form, name string) []string {
	return append(f.All(name), "", "", "")
}

// linkLabel is the label of a row.
func linkLabel(ctx context.Context, f *frame.Form, name string, i int) string {
	return f.Label(ctx, name) + " " + frame.Number(ctx, i+1)
}

// newLabel is the label of a field of a venue or organizer that the form adds.
func newLabel(ctx context.Context, kind, field string) string {
	return (&frame.Form{Kind: kind}).Label(ctx, field)
}

// findUnchecked finds out whether the event of a form needs checking.
func (w *Pages) findUnchecked(v *frame.Visit, ed *eventEditor) error {
	scope, list := tenancy.Current(v.Ctx), w.calendar.Events()
	if !list.Unchecked(scope, ed.event) {
		return nil
	}
	found, err := list.Shelf(v.Ctx, &calendar.EventFilter{Include: args.Some(args.IDs{ed.event.ID}),
		Lacks: calendar.Lack{Check: calendar.Unchecked(scope, w.calendar.Now())}}, 1)
	ed.unchecked = len(found.Items) > 0
	return err
}
