// Package places has the pages of venues and organizers: their lists, their forms, those that may be the same, and merging them.
// It finds the venue or organizer that a name in a form means.
package places

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/admin/merging"
	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/pictures"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/forms/texts"
	"github.com/kalends/kalends/web/forms/words"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/ui"
)

// Pages are the pages of venues and organizers.
type Pages struct {
	calendar *services.Calendar
	editing  *editing.Service
	platform *platform.Platform
	pictures *pictures.Pages
	sent     *submissions.Service
}

// New returns the pages.
func New(c *services.Calendar, e *editing.Service, p *platform.Platform, images *pictures.Pages, sent *submissions.Service) *Pages {
	return &Pages{calendar: c, editing: e, platform: p, pictures: images, sent: sent}
}

// Routes are the routes of these pages, for the administration to add to its own.
func (w *Pages) Routes() []frame.Route {
	return append(w.routesOf(w.Venues()), w.routesOf(w.Organizers())...)
}

// Kind describes the pages of venues or of organizers.
type Kind struct {
	Kind, Section string
	fields        []string // fields in order, without the common ones
	table         *args.Table
	List          func(ctx context.Context, f *calendar.PlaceFilter, n int) ([]*Entry, int, error) // includes the numbers of events
	get           func(ctx context.Context, id int64) (*Entry, error)
	Find          func(ctx context.Context, typed string) (int64, error)        // returns the id of the place with a typed name, or 0
	Check         func(ctx context.Context, id int64, values args.Values) error // returns all problems; id is 0 for a new place
	create        func(ctx context.Context, values args.Values) (int64, error)
	update        func(ctx context.Context, id int64, values args.Values, cond calendar.Condition) error
	remove        func(ctx context.Context, id int64, force bool, cond calendar.Condition) error
	of            func(f *calendar.EventFilter, id int64)
	twins         func(ctx context.Context) ([]calendar.Twins, error)
	several       func(ctx context.Context, ids []int64) ([]*Entry, error) // with the numbers of events
	part          func(ctx context.Context, ids []int64) error
}

// Entry is a venue or organizer.
type Entry struct {
	*calendar.Post
	Name, Note, Description string
	Map                     string // URL of the place on a map, or ""
	count                   int    // number of its events; only in lists
	texts                   map[string]string
	added                   calendar.AddedFields
}

// label returns the name of the place in the language of the page, followed by its own name in brackets if that
// differs.
func (e *Entry) label(ctx context.Context) string {
	return offers.Label(ctx, calendar.NamesOf(e.Name, &e.Translated))
}

// placeList is a page of the list of venues or organizers.
type placeList struct {
	kind   *Kind
	form   *frame.Form
	items  []*Entry
	twins  int // groups of entries that may be the same
	total  int
	page   int
	length int
}

// placeEditor is the form of one venue or organizer.
type placeEditor struct {
	kind    *Kind
	form    *frame.Form
	entry   *Entry // nil: a new place
	authors []frame.Pair
	events  *placeEvents
	twins   [][]frame.Pair // places that may be duplicates of this one
	reports []*submissions.Report
	image   *calendar.Image
}

const placesPerPage = 50

// placeCommon are the fields every place has.
var placeCommon = []string{"status", "date", "author", "slug", "image", "description", "excerpt", texts.Field}

// all are the fields of a form of the kind.
func (k *Kind) all() saving.Fields {
	all := saving.Fields{Names: slices.Concat(k.fields, placeCommon), Apart: words.Apart(map[string]saving.Field{"fields": added.Compared})}
	if k.Kind == "venue" {
		all.Names = append(all.Names, "fields")
	}
	return all
}

func (k *Kind) address(id int64) string {
	return frame.Address(k.Section, id)
}

// routesOf are the routes of venues or organizers.
func (w *Pages) routesOf(k *Kind) []frame.Route {
	const edit = tenancy.EditOwn
	path := "/" + k.Section
	with := func(handle func(*frame.Visit, *Kind) (*frame.Reply, error)) frame.Handler {
		return func(v *frame.Visit) (*frame.Reply, error) { return handle(v, k) }
	}
	return append(merging.Routes(w.placeMerge(k)), []frame.Route{
		frame.GetPage(path, edit, with(w.listPlaces)),
		frame.PostPage(path, edit, with(w.manyPlaces)),
		frame.GetPage(path+"/twins", calendar.MergeRight, with(w.listTwins)),
		frame.PostPage(path+"/twins", calendar.MergeRight, with(w.decideTwins)),
		frame.GetPage(path+"/new", edit, with(w.newPlace)),
		frame.FormPage(path+"/new", edit, with(w.createPlace)),
		frame.GetPage(path+"/#", edit, with(w.editPlace)),
		frame.FormPage(path+"/#", edit, with(w.updatePlace)),
	}...)
}

func (w *Pages) listPlaces(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	l := &placeList{kind: k, form: &frame.Form{Kind: k.Kind, Values: v.Query}, length: placesPerPage, page: 1}
	if n, err := strconv.Atoi(v.Query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	f := &calendar.PlaceFilter{Search: args.Some(frame.Cut(v.Query.Get("search"), 500)), ByName: true}
	f.Lacking, f.Every = texts.LackingIn(v.Ctx, v.Query), true
	f.Page = args.Some(l.page)
	var err error
	l.items, l.total, err = k.List(v.Ctx, f, l.length)
	if errors.Is(err, calendar.ErrPage) {
		return &frame.Reply{Redirect: l.address(1)}, nil
	}
	if err != nil {
		return nil, err
	}
	twins, err := w.twins(v.Ctx, k)
	if err != nil {
		return nil, err
	}
	l.twins = len(twins)
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav."+k.Section), Section: k.Section, Body: placesPage(l)}, nil
}

func (l *placeList) pages() int { return (l.total + l.length - 1) / l.length }

// address is the address of a page of the list.
func (l *placeList) address(page int) string {
	q := url.Values{}
	for _, name := range []string{"search", texts.Lacking} {
		if text := l.form.Get(name); text != "" {
			q.Set(name, text)
		}
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return frame.AdminRoot + "/" + l.kind.Section
	}
	return frame.AdminRoot + "/" + l.kind.Section + "?" + q.Encode()
}

func (w *Pages) manyPlaces(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	if ids := chosen.IDs(v.Form); v.Form.Get("do") == "merge" && len(ids) > 0 {
		return &frame.Reply{Redirect: merging.Address(k.Section, ids)}, nil
	}
	restore := func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
		status, err := w.editing.StatusBefore(v.Ctx, k.Kind, id)
		if err != nil {
			return 0, err
		}
		return 0, k.update(v.Ctx, id, args.Values{"status": string(status)}, still)
	}
	remove := func(force bool) chosen.Deed {
		return func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
			return 0, k.remove(v.Ctx, id, force, still)
		}
	}
	m := &chosen.Actions{
		Section: k.Section,
		Kind:    k.Kind,
		Deeds:   map[string]chosen.Deed{"restore": restore, "trash": remove(false), "delete": remove(true)},
		Names: func(v *frame.Visit, ids []int64) (names []frame.Pair, err error) {
			for _, id := range ids {
				entry, err := k.get(v.Ctx, id)
				if err != nil {
					return nil, err
				}
				names = append(names, frame.Pair{Name: frame.IDText(id), Value: entry.Name})
			}
			return names, nil
		},
	}
	return m.Perform(v, w.editing)
}

func (w *Pages) newPlace(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	ed := &placeEditor{kind: k, form: &frame.Form{Kind: k.Kind, Values: url.Values{"once": {frame.NewToken()},
		"show_map": {"1"}, "show_map_link": {"1"}, "author": {offers.Whoever(v.Ctx)}}}}
	if frame.May(v.Ctx, frame.Publishing) {
		ed.form.Set("status", string(calendar.Publish))
	}
	return w.placeReply(v, ed, 0)
}

func (w *Pages) createPlace(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	ed := &placeEditor{kind: k, form: v.Form}
	ed.form.Kind = k.Kind
	takeRegion(ed.form)
	if err := w.pictures.Upload(v, ed.form); err != nil {
		return nil, err
	}
	if ed.form.ShownAgain() {
		return w.placeReply(v, ed, 0)
	}
	values, err := w.readPlace(v, ed)
	if err != nil {
		return w.placeAgain(v, ed, err)
	}
	id, err := w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), k.Kind, func(ctx context.Context) (int64, error) {
		return k.create(ctx, values)
	})
	if err != nil {
		return w.placeAgain(v, ed, err)
	}
	return &frame.Reply{Redirect: k.address(id), Say: "saved"}, nil
}

func (w *Pages) editPlace(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	ed, r, err := w.placeAt(v, k)
	if ed == nil {
		return r, err
	}
	ed.form = ed.entry.form(v.Ctx, k)
	return w.placeReply(v, ed, 0)
}

// placeAt returns the editor of a place if the user may edit it.
func (w *Pages) placeAt(v *frame.Visit, k *Kind) (*placeEditor, *frame.Reply, error) {
	entry, err := k.get(v.Ctx, v.ID)
	switch {
	case err != nil:
		return nil, nil, err
	case entry.Trashed():
		return nil, &frame.Reply{Redirect: frame.AdminRoot + "/trash", Say: "trashed"}, nil
	}
	if err := calendar.Editable(v.Scope().Principal, entry.Post, nil); err != nil {
		return nil, nil, err
	}
	return &placeEditor{kind: k, entry: entry}, nil, nil
}

// updatePlace stores the changes of a form. If someone else has changed the place meanwhile, it shows both versions.
func (w *Pages) updatePlace(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	return saving.Save(v, func() (*saving.Edit, *frame.Reply, error) {
		ed, r, err := w.placeAt(v, k)
		if ed == nil {
			return nil, r, err
		}
		ed.form = v.Form
		ed.form.Kind = k.Kind
		takeRegion(ed.form)
		if err := w.pictures.Upload(v, ed.form); err != nil {
			return nil, nil, err
		}
		if ed.authors, err = offers.Authors(v.Ctx, w.calendar); err != nil {
			return nil, nil, err
		}
		return &saving.Edit{Form: ed.form, Now: ed.entry.form(v.Ctx, k), Fields: k.all(), Action: k.address(ed.entry.ID),
			Section: k.Section, By: history.LastSaved(v.Ctx, w.editing, k.Kind, ed.entry.Post),
			Readable: func(f *frame.Form, name, text string) string {
				if name == "image" {
					return w.pictures.Shown(v.Ctx, f)
				}
				return words.Readable(v.Ctx, f, name, text, nil, ed.authors)
			},
			Again: func() (*frame.Reply, error) { return w.placeReply(v, ed, 0) },
			Store: func() (*frame.Reply, error) { return w.savePlace(v, ed) }}, nil, nil
	})
}

func (w *Pages) savePlace(v *frame.Visit, ed *placeEditor) (*frame.Reply, error) {
	values, err := w.readPlace(v, ed)
	if err == nil && len(values) > 0 {
		err = ed.kind.update(v.Ctx, v.ID, values, frame.Still(ed.entry.Version))
	}
	if err != nil {
		return w.placeAgain(v, ed, err)
	}
	return frame.TickReports(v, &frame.Reply{Redirect: ed.kind.address(v.ID), Say: "saved"}, w.sent)
}

// readPlace reads the form: the whole form for a new place, otherwise the fields that differ from the stored place. It returns
// frame.ErrWrong if the form has problems.
func (w *Pages) readPlace(v *frame.Visit, ed *placeEditor) (_ args.Values, err error) {
	var now *frame.Form
	var id int64
	if ed.entry != nil {
		now, id = ed.entry.form(v.Ctx, ed.kind), ed.entry.ID
	}
	if err := w.pictures.Settle(v, ed.form, now); err != nil {
		return nil, err
	}
	if ed.authors, err = offers.Authors(v.Ctx, w.calendar); err != nil {
		return nil, err
	}
	values := args.Values{}
	fields := ed.kind.all()
	for _, name := range fields.Names {
		switch {
		case now != nil && !fields.Changed(ed.form, now, name):
		case name == texts.Field:
			texts.Read(ed.form, now, values)
		case name == "fields":
			added.Read(v.Ctx, ed.form, values)
		default:
			ed.form.Read(ed.kind.table.Field(name), values)
		}
	}
	if err := ed.kind.Check(v.Ctx, id, values); err != nil && !ed.form.Refuse(v.Ctx, err) {
		return nil, err
	}
	offers.KnowAuthor(v.Ctx, ed.form, ed.authors, now)
	if len(ed.form.Problems) > 0 {
		return nil, frame.ErrWrong
	}
	return values, nil
}

func (w *Pages) placeAgain(v *frame.Visit, ed *placeEditor, err error) (*frame.Reply, error) {
	if !ed.form.Refuse(v.Ctx, err) {
		return nil, err
	}
	ed.form.Attend(ed.kind.all().Names)
	return w.placeReply(v, ed, http.StatusUnprocessableEntity)
}

func (w *Pages) placeReply(v *frame.Visit, ed *placeEditor, status int) (_ *frame.Reply, err error) {
	if ed.authors, err = offers.Authors(v.Ctx, w.calendar); err != nil {
		return nil, err
	}
	ed.form.Action = placeAction(ed)
	if ed.image, err = w.pictures.Named(v.Ctx, ed.form); err != nil {
		return nil, err
	}
	title := frame.Tell(v.Ctx, ed.kind.Section+".new")
	if ed.entry != nil {
		title = ed.entry.Name
		if ed.events, err = w.eventsOf(v, ed); err != nil {
			return nil, err
		}
		all, err := w.twins(v.Ctx, ed.kind)
		if err != nil {
			return nil, err
		}
		ed.twins = twinsOf(all, ed.entry.ID)
		if ed.reports, err = w.sent.ReportsAbout(v.Ctx, submissions.Subject{Kind: ed.kind.Kind, ID: ed.entry.ID}); err != nil {
			return nil, err
		}
	}
	return &frame.Reply{Status: status, Title: title, Section: ed.kind.Section, Body: placePage(ed),
		Script: "form.js"}, nil
}

// form is the form of a stored place.
func (e *Entry) form(ctx context.Context, k *Kind) *frame.Form {
	f := &frame.Form{Kind: k.Kind, Values: url.Values{}}
	for name, text := range e.texts {
		if f.Set(name, text); words.Is(name) {
			f.Set(name, strings.Split(","+text, ",")...)
		}
	}
	if k.Kind == "venue" {
		added.Fill(ctx, f, e.added, tenancy.FieldOfVenues)
	}
	f.Set(k.Kind, e.Name)
	f.Set("description", e.Description)
	f.Set("status", string(e.Status))
	f.Set("slug", e.Slug)
	f.Set("author", frame.SomeID(e.Author))
	f.Set("date", "")
	if e.Dated {
		f.Set("date", frame.ClockText(ui.WallAt(e.Date, ui.SiteOf(ctx).Location)))
	}
	f.Set("image", "")
	if e.Image != nil {
		f.Set("image", frame.IDText(e.Image.ID))
	}
	texts.Fill(ctx, f, e.Texts)
	k.all().Stamp(f, frame.IDText(e.Version))
	return f
}

var (
	venueTable     = args.TableOf(reflect.TypeFor[calendar.VenueFields]())
	organizerTable = args.TableOf(reflect.TypeFor[calendar.OrganizerFields]())
)

// publicPlace is the path of the public page of a place.
func publicPlace(ed *placeEditor) string {
	return "/" + ed.kind.Kind + "/" + wording.EncodedSlug(ed.entry.Slug) + "/"
}

// placeAction is the address to which the form of a place is sent.
func placeAction(ed *placeEditor) string {
	if ed.entry == nil {
		return frame.AdminRoot + "/" + ed.kind.Section + "/new"
	}
	return ed.kind.address(ed.entry.ID)
}

// texts returns the place's translations.
func (ed *placeEditor) texts() translations.Texts {
	if ed.entry == nil {
		return translations.Texts{}
	}
	return ed.entry.Texts
}
