package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strconv"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// placeKind is what the pages of venues and of organizers are made of.
type placeKind struct {
	kind, section string
	fields        []string // in their order, without those all have
	table         *args.Table
	list          func(ctx context.Context, f *calendar.PlaceFilter, n int) ([]*placeEntry, int, error)
	get           func(ctx context.Context, id int64) (*placeEntry, error)
	find          func(ctx context.Context, typed string) (int64, error)        // by its name, 0 for none
	check         func(ctx context.Context, id int64, values args.Values) error // all that is wrong; id 0: of a new one
	create        func(ctx context.Context, values args.Values) (int64, error)
	update        func(ctx context.Context, id int64, values args.Values, cond calendar.Condition) error
	remove        func(ctx context.Context, id int64, force bool) error
	of            func(f *calendar.EventFilter, id int64)
}

// placeEntry is a venue or organizer.
type placeEntry struct {
	*calendar.Post
	Name, Note, Description string
	Map                     string // address of it on a map, or ""
	texts                   map[string]string
}

// placeList is a page of the list of venues or organizers.
type placeList struct {
	kind   *placeKind
	form   *form
	items  []*placeEntry
	twins  [][]pair // that may be the same
	total  int
	page   int
	length int
}

// placeEditor is the form of one venue or organizer.
type placeEditor struct {
	kind    *placeKind
	form    *form
	entry   *placeEntry // nil: a new one
	authors []pair
	events  *placeEvents
	twins   [][]pair // that may be the same as this
	image   picked
}

const placesPerPage = 50

// placeCommon are the fields every place has.
var placeCommon = []string{"status", "date", "author", "slug", "image", "description", "excerpt"}

func (k *placeKind) order() []string { return append(append([]string{}, k.fields...), placeCommon...) }

func (k *placeKind) address(id int64) string { return adminRoot + "/" + k.section + "/" + idText(id) }

// routesOf are the routes of venues or organizers.
func (w *admin) routesOf(k *placeKind) []adminRoute {
	const get, post, edit = "GET", "POST", tenancy.EditOwn
	path := "/" + k.section
	with := func(handle func(*visit, *placeKind) (*reply, error)) adminHandler {
		return func(v *visit) (*reply, error) { return handle(v, k) }
	}
	return append(w.routesOfMerge(w.placeMerge(k)), []adminRoute{
		{get, path, edit, with(w.listPlaces), false},
		{post, path, edit, with(w.manyPlaces), false},
		{get, path + "/new", edit, with(w.newPlace), false},
		{post, path + "/new", edit, with(w.createPlace), false},
		{get, path + "/#", edit, with(w.editPlace), false},
		{post, path + "/#", edit, with(w.updatePlace), false},
	}...)
}

func (w *admin) listPlaces(v *visit, k *placeKind) (*reply, error) {
	l := &placeList{kind: k, form: &form{kind: k.kind, values: v.query}, length: placesPerPage, page: 1}
	if n, err := strconv.Atoi(v.query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	f := &calendar.PlaceFilter{Search: args.Some(cut(v.query.Get("search"), 500))}
	f.Page = args.Some(l.page)
	var err error
	l.items, l.total, err = k.list(v.ctx, f, l.length)
	if errors.Is(err, calendar.ErrPage) {
		return &reply{redirect: l.address(1)}, nil
	}
	if err != nil {
		return nil, err
	}
	if l.twins, err = w.twins(v.ctx, k); err != nil {
		return nil, err
	}
	return &reply{title: tell(v.ctx, "nav."+k.section), section: k.section, body: placesPage(l)}, nil
}

func (l *placeList) pages() int { return (l.total + l.length - 1) / l.length }

// address is the list's at a page.
func (l *placeList) address(page int) string {
	q := url.Values{}
	if text := l.form.get("search"); text != "" {
		q.Set("search", text)
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return adminRoot + "/" + l.kind.section
	}
	return adminRoot + "/" + l.kind.section + "?" + q.Encode()
}

func cut(text string, most int) string {
	letters := []rune(text)
	return string(letters[:min(len(letters), most)])
}

func (w *admin) manyPlaces(v *visit, k *placeKind) (*reply, error) {
	if ids := chosen(v.form); v.form.get("do") == "merge" && len(ids) > 0 {
		return &reply{redirect: mergeAddress(k.section, ids)}, nil
	}
	restore := func(v *visit, id int64) error {
		status, err := w.calendar.StatusBefore(v.ctx, k.kind, id)
		if err != nil {
			return err
		}
		return k.update(v.ctx, id, args.Values{"status": string(status)}, nil)
	}
	remove := func(force bool) deed {
		return func(v *visit, id int64) error { return k.remove(v.ctx, id, force) }
	}
	return w.many(v, manager{section: k.section, deeds: map[string]deed{"restore": restore, "trash": remove(false), "delete": remove(true)},
		names: func(v *visit, ids []int64) (names []pair, err error) {
			for _, id := range ids {
				entry, err := k.get(v.ctx, id)
				if err != nil {
					return nil, err
				}
				names = append(names, pair{idText(id), entry.Name})
			}
			return names, nil
		}})
}

func (w *admin) newPlace(v *visit, k *placeKind) (*reply, error) {
	ed := &placeEditor{kind: k, form: &form{kind: k.kind, values: url.Values{"once": {newFormToken()},
		"show_map": {"1"}, "show_map_link": {"1"}, "author": {whoever(v.ctx)}}}}
	if may(v.ctx, eventPublish) {
		ed.form.set("status", string(calendar.Publish))
	}
	return w.placeReply(v, ed, 0)
}

func (w *admin) createPlace(v *visit, k *placeKind) (*reply, error) {
	ed := &placeEditor{kind: k, form: v.form}
	ed.form.kind = k.kind
	if err := w.upload(v, ed.form); err != nil {
		return nil, err
	}
	if ed.form.reshape() {
		return w.placeReply(v, ed, 0)
	}
	values, err := w.readPlace(v, ed)
	if err != nil {
		return w.placeAgain(v, ed, err)
	}
	id, err := w.platform.Forms.Once(v.ctx, v.form.get("once"), k.kind, func(ctx context.Context) (int64, error) {
		return k.create(ctx, values)
	})
	if err != nil {
		return w.placeAgain(v, ed, err)
	}
	return &reply{redirect: k.address(id), say: "saved"}, nil
}

func (w *admin) editPlace(v *visit, k *placeKind) (*reply, error) {
	ed, r, err := w.placeAt(v, k)
	if ed == nil {
		return r, err
	}
	ed.form = ed.entry.form(v.ctx, k)
	return w.placeReply(v, ed, 0)
}

// placeAt returns the editor of a place when whoever asks may change it.
func (w *admin) placeAt(v *visit, k *placeKind) (*placeEditor, *reply, error) {
	entry, err := k.get(v.ctx, v.id)
	switch {
	case err != nil:
		return nil, nil, err
	case entry.Trashed():
		return nil, &reply{redirect: adminRoot + "/trash", say: "trashed"}, nil
	case !calendar.MayEdit(v.scope().Principal, entry.Post):
		return nil, nil, tenancy.ErrForbidden
	}
	return &placeEditor{kind: k, entry: entry}, nil, nil
}

// updatePlace stores what was changed in the form. When somebody else changed
// the place meanwhile, both versions are shown.
func (w *admin) updatePlace(v *visit, k *placeKind) (*reply, error) {
	ed, r, err := w.placeAt(v, k)
	if ed == nil {
		return r, err
	}
	ed.form = v.form
	ed.form.kind = k.kind
	if err := w.upload(v, ed.form); err != nil {
		return nil, err
	}
	c, err := w.placeContest(v, ed)
	if err != nil {
		return nil, err
	}
	c.resolve()
	switch {
	case ed.form.reshape():
		return w.placeReply(v, ed, 0)
	case c.met():
		return c.settle(v), nil
	}
	values, err := w.readPlace(v, ed)
	if err != nil {
		return w.placeAgain(v, ed, err)
	}
	if len(values) > 0 {
		err = k.update(v.ctx, v.id, values, still(ed.entry.Version))
	}
	if errors.Is(err, calendar.ErrPrecondition) {
		return w.updatePlace(v, k) // once more: now it is seen that there is another version
	}
	if err != nil {
		return w.placeAgain(v, ed, err)
	}
	return &reply{redirect: k.address(v.id), say: "saved"}, nil
}

// placeContest is the contest over a place.
func (w *admin) placeContest(v *visit, ed *placeEditor) (_ *contest, err error) {
	if ed.authors, err = w.authors(v.ctx); err != nil {
		return nil, err
	}
	return &contest{form: ed.form, now: ed.entry.form(v.ctx, ed.kind), fields: ed.kind.order(), action: ed.kind.address(ed.entry.ID),
		section: ed.kind.section, readable: func(f *form, name string) string { return f.readable(v.ctx, name, nil, ed.authors) }}, nil
}

// readPlace reads the form: all of it for a new place, else what differs from
// the place as it stands. It returns errWrong when the form says what is wrong.
func (w *admin) readPlace(v *visit, ed *placeEditor) (_ args.Values, err error) {
	var now *form
	var id int64
	if ed.entry != nil {
		now, id = ed.entry.form(v.ctx, ed.kind), ed.entry.ID
	}
	if err := w.settleImage(v, ed.form, now); err != nil {
		return nil, err
	}
	if ed.authors, err = w.authors(v.ctx); err != nil {
		return nil, err
	}
	values := args.Values{}
	for _, name := range ed.kind.order() {
		if now == nil || ed.form.has(name) && ed.form.canonical(name) != now.canonical(name) {
			ed.form.read(ed.kind.table.Field(name), values)
		}
	}
	if err := ed.kind.check(v.ctx, id, values); err != nil && !ed.form.refuse(v.ctx, err) {
		return nil, err
	}
	ed.form.knowAuthor(v.ctx, ed.authors, now)
	if len(ed.form.problems) > 0 {
		return nil, errWrong
	}
	return values, nil
}

func (w *admin) placeAgain(v *visit, ed *placeEditor, err error) (*reply, error) {
	if !ed.form.refuse(v.ctx, err) {
		return nil, err
	}
	ed.form.attend(ed.kind.order())
	return w.placeReply(v, ed, http.StatusUnprocessableEntity)
}

func (w *admin) placeReply(v *visit, ed *placeEditor, status int) (_ *reply, err error) {
	if ed.authors, err = w.authors(v.ctx); err != nil {
		return nil, err
	}
	ed.form.action = placeAction(ed)
	if ed.image, err = w.pickedIn(v.ctx, ed.form); err != nil {
		return nil, err
	}
	title := tell(v.ctx, ed.kind.section+".new")
	if ed.entry != nil {
		title = ed.entry.Name
		if ed.events, err = w.eventsOf(v, ed); err != nil {
			return nil, err
		}
		all, err := w.twins(v.ctx, ed.kind)
		if err != nil {
			return nil, err
		}
		ed.twins = groupsOf(all, ed.entry.ID)
	}
	return &reply{status: status, title: title, section: ed.kind.section, body: placePage(ed), scripts: editorScripts, styles: true}, nil
}

// form is the form of a place as it stands.
func (e *placeEntry) form(ctx context.Context, k *placeKind) *form {
	f := &form{kind: k.kind, values: url.Values{}}
	for name, text := range e.texts {
		f.set(name, text)
	}
	f.set(k.kind, e.Name)
	f.set("description", e.Description)
	f.set("status", string(e.Status))
	f.set("slug", e.Slug)
	f.set("author", someID(e.Author))
	f.set("version", idText(e.Version))
	f.set("date", "")
	if e.Dated {
		f.set("date", clockText(ui.WallAt(e.Date, ui.SiteOf(ctx).Location)))
	}
	f.set("image", "")
	if e.Image != nil {
		f.set("image", idText(e.Image.ID))
	}
	f.set("base", f.digest(k.order()))
	return f
}

// parsed reads arguments through the table of a struct, and returns everything
// that is wrong with them beside those that are right.
func parsed[F any](table *args.Table, values args.Values, mode args.Mode) (*F, error) {
	fields := new(F)
	return fields, table.ParseAll(values, mode, fields)
}

// checked is parsed with what the rules find wrong as well.
func checked[F any](table *args.Table, values args.Values, mode args.Mode, rules func(*F) error) (*F, error) {
	found := &args.Problems{}
	fields, err := parsed[F](table, values, mode)
	if err := found.Add(err, rules(fields)); err != nil {
		return nil, err
	}
	return fields, found.Err()
}

var (
	venueTable     = args.TableOf(reflect.TypeFor[calendar.VenueFields]())
	organizerTable = args.TableOf(reflect.TypeFor[calendar.OrganizerFields]())
)
