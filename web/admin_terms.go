package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// termKind is what the pages of categories and of tags are made of.
type termKind struct {
	kind, section string
	taxonomy      calendar.Taxonomy
	may           tenancy.Permission
}

var (
	categoryKind = &termKind{"category", "categories", calendar.Categories, tenancy.EditOwn | tenancy.ManageCategories}
	tagKind      = &termKind{"tag", "tags", calendar.Tags, tenancy.EditOwn | tenancy.ManageTags}
)

// termList is the list of categories, as a tree, or of tags, with the form of a
// new one.
type termList struct {
	kind    *termKind
	form    *form
	items   []branch
	choices []branch
	twins   [][]pair // that may be the same
	search  string
}

// termEditor is the form of one term.
type termEditor struct {
	kind    *termKind
	form    *form
	term    *calendar.Term
	choices []branch // what it can be below
}

var categoryTable = args.TableOf(reflect.TypeFor[calendar.CategoryFields]())

// termFields are the fields of a term's form.
var termFields = []string{"name", "slug", "parent", "color", "description"}

func (k *termKind) address(id int64) string { return adminRoot + "/" + k.section + "/" + idText(id) }

func (w *admin) routesOfTerms(k *termKind) []adminRoute {
	path := "/" + k.section
	with := func(handle func(*visit, *termKind) (*reply, error)) adminHandler {
		return func(v *visit) (*reply, error) { return handle(v, k) }
	}
	return append(w.routesOfMerge(w.termMerge(k)), []adminRoute{
		{http.MethodGet, path, k.may, with(w.listTerms), false},
		{http.MethodPost, path, k.may, with(w.createTerm), false},
		{http.MethodGet, path + "/#", k.may, with(w.editTerm), false},
		{http.MethodPost, path + "/#", k.may, with(w.updateTerm), false},
	}...)
}

func (w *admin) listTerms(v *visit, k *termKind) (*reply, error) {
	f := &form{kind: k.kind, values: url.Values{"once": {newFormToken()}}}
	return w.termsReply(v, k, f, 0)
}

func (w *admin) termsReply(v *visit, k *termKind, f *form, status int) (*reply, error) {
	all, err := w.terms(v.ctx, k.taxonomy)
	if err != nil {
		return nil, err
	}
	l := &termList{kind: k, form: f, search: v.query.Get("search"), twins: twinTerms(all)}
	l.choices = tree(all)
	for _, b := range l.choices {
		if l.search == "" || strings.Contains(calendar.Fold(b.Name), calendar.Fold(l.search)) {
			l.items = append(l.items, b)
		}
	}
	return &reply{status: status, title: tell(v.ctx, "nav."+k.section), section: k.section, body: termsPage(l)}, nil
}

func (w *admin) createTerm(v *visit, k *termKind) (*reply, error) {
	f := v.form
	f.kind = k.kind
	switch ids := chosen(f); f.get("do") {
	case "merge":
		return &reply{redirect: mergeAddress(k.section, ids)}, nil
	case "move":
		return w.moveTerms(v, k, ids)
	}
	if f.reshape() {
		return w.termsReply(v, k, f, 0)
	}
	// What is wrong is looked for once, too: the name of what the form has made is taken.
	_, err := w.platform.Forms.Once(v.ctx, v.form.get("once"), k.kind, func(ctx context.Context) (int64, error) {
		fields, err := w.readTerm(v, k, 0, f, nil)
		if err != nil {
			return 0, err
		}
		made, err := w.calendar.Terms(k.taxonomy).Create(ctx, fields)
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
	if err != nil && !w.refuseTerm(v, f, err) {
		return nil, err
	}
	if err != nil {
		return w.termsReply(v, k, f, http.StatusUnprocessableEntity)
	}
	return &reply{redirect: adminRoot + "/" + k.section, say: "saved"}, nil
}

// moveTerms puts categories below another, or at the top. What can't be there,
// because that is below itself, stays.
func (w *admin) moveTerms(v *visit, k *termKind, ids []int64) (*reply, error) {
	back := adminRoot + "/" + k.section
	below, err := strconv.ParseInt(v.form.get("below"), 10, 64)
	if err != nil || below < 0 || len(ids) == 0 || k.taxonomy != calendar.Categories {
		return &reply{redirect: back, say: "none"}, nil //nolint:nilerr // what is no number is nothing chosen
	}
	done, refused := 0, 0
	for _, id := range ids {
		_, err := w.calendar.Terms(k.taxonomy).Update(v.ctx, id, &calendar.CategoryFields{Parent: args.Some(below)}, nil)
		switch {
		case err == nil:
			done++
		case bearable(err):
			refused++
		default:
			return nil, err
		}
	}
	if done == 0 {
		return &reply{redirect: back, say: "refused", count: refused}, nil
	}
	return &reply{redirect: back, say: "moved", count: done}, nil
}

// refuseTerm notes what is wrong with a term's form.
func (w *admin) refuseTerm(v *visit, f *form, err error) bool {
	var exists *calendar.ExistsError
	switch {
	case errors.As(err, &exists):
		err = args.Invalid("name", "problem.name.taken", nil)
	case errors.Is(err, calendar.ErrSlugTaken):
		err = args.Invalid("slug", "problem.slug.taken", nil)
	}
	return f.refuse(v.ctx, err)
}

// readTerm reads a term's form: all of it, or what differs from the term of that
// id.
func (w *admin) readTerm(v *visit, k *termKind, id int64, f, now *form) (*calendar.CategoryFields, error) {
	mode, values := args.Updating, args.Values{}
	if now == nil {
		mode = args.Creating
	}
	for _, name := range termFields {
		if name != "color" && (now == nil || f.has(name) && f.canonical(name) != now.canonical(name)) {
			f.read(categoryTable.Field(name), values)
		}
	}
	return checked(categoryTable, values, mode, func(fields *calendar.CategoryFields) error {
		if color := f.color(); f.has("color") && (now == nil || color != now.get("color")) {
			fields.Color = args.Some(color)
		}
		found := &args.Problems{}
		err := found.Add(w.calendar.Terms(k.taxonomy).Check(v.ctx, id, fields), w.knowCategory(v.ctx, fields.Parent.Or(0)))
		if err != nil {
			return err
		}
		return found.Err()
	})
}

// knowCategory returns *args.Problems for a parent that isn't there, 0 being
// none.
func (w *admin) knowCategory(ctx context.Context, id int64) error {
	if id == 0 {
		return nil
	}
	_, err := w.calendar.Terms(calendar.Categories).Get(ctx, id)
	if errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrWrongType) {
		return args.Invalid("parent", "problem.category.unknown", nil)
	}
	return err
}

func termForm(k *termKind, t *calendar.Term) *form {
	f := &form{kind: k.kind, values: url.Values{"name": {t.Name}, "slug": {t.Slug}, "description": {t.Description},
		"parent": {someID(t.Parent)}, "color": {t.Color}, "color_was": {t.Color}, "version": {idText(t.Version)}}}
	f.set("base", f.digest(termFields))
	return f
}

func (w *admin) editTerm(v *visit, k *termKind) (*reply, error) {
	t, err := w.calendar.Terms(k.taxonomy).Get(v.ctx, v.id)
	if err != nil {
		return nil, err
	}
	return w.termReply(v, &termEditor{kind: k, form: termForm(k, t), term: t}, 0)
}

// updateTerm stores what was changed of a term, or deletes it when that was
// asked twice. When somebody else changed it meanwhile, both versions are shown.
func (w *admin) updateTerm(v *visit, k *termKind) (*reply, error) {
	terms := w.calendar.Terms(k.taxonomy)
	t, err := terms.Get(v.ctx, v.id)
	if err != nil {
		return nil, err
	}
	ed := &termEditor{kind: k, form: v.form, term: t}
	ed.form.kind = k.kind
	if ed.form.has("color") {
		ed.form.set("color", ed.form.color())
		ed.form.values.Del("color_none")
	}
	c, err := w.termContest(v, ed)
	if err != nil {
		return nil, err
	}
	c.resolve()
	switch {
	case ed.form.get("do") == "delete":
		return w.deleteTerm(v, k, t)
	case ed.form.reshape():
		return w.termReply(v, ed, 0)
	case c.met():
		return c.settle(v), nil
	}
	fields, err := w.readTerm(v, k, v.id, ed.form, c.now)
	if err == nil && !reflect.DeepEqual(*fields, calendar.CategoryFields{}) {
		_, err = terms.Update(v.ctx, v.id, fields, still(t.Version))
	}
	switch {
	case errors.Is(err, calendar.ErrPrecondition):
		return w.updateTerm(v, k) // once more: now it is seen that there is another version
	case err != nil && !w.refuseTerm(v, ed.form, err):
		return nil, err
	case err != nil:
		return w.termReply(v, ed, http.StatusUnprocessableEntity)
	}
	return &reply{redirect: adminRoot + "/" + k.section, say: "saved"}, nil
}

// termContest is the contest over a term.
func (w *admin) termContest(v *visit, ed *termEditor) (*contest, error) {
	all, err := w.terms(v.ctx, ed.kind.taxonomy)
	if err != nil {
		return nil, err
	}
	return &contest{form: ed.form, now: termForm(ed.kind, ed.term), fields: termFields, action: ed.kind.address(ed.term.ID),
		section: ed.kind.section, readable: func(f *form, name string) string { return f.readable(v.ctx, name, tree(all), nil) }}, nil
}

func (w *admin) deleteTerm(v *visit, k *termKind, t *calendar.Term) (*reply, error) {
	if v.form.get("sure") == "" {
		notes, err := w.deleteNotes(v, k, t)
		if err != nil {
			return nil, err
		}
		return &reply{title: tell(v.ctx, "delete.title"), section: k.section, body: confirmPage(confirmation{action: v.path,
			back: k.address(t.ID), names: []pair{{idText(t.ID), t.Name}}, text: k.kind + ".delete", notes: notes})}, nil
	}
	if _, err := w.calendar.Terms(k.taxonomy).Delete(v.ctx, t.ID, nil); err != nil {
		return nil, err
	}
	return &reply{redirect: adminRoot + "/" + k.section, say: "delete", count: 1}, nil
}

// deleteNotes says how many events lose a term, and which categories move up.
func (w *admin) deleteNotes(v *visit, k *termKind, t *calendar.Term) ([]string, error) {
	each, _, err := w.calendar.Terms(k.taxonomy).Linked(v.ctx, []int64{t.ID})
	if err != nil {
		return nil, err
	}
	notes := []string{counted(v.ctx, "term.loses", each[t.ID])}
	all, err := w.terms(v.ctx, k.taxonomy)
	var children []string
	for _, one := range all {
		if one.Parent == t.ID {
			children = append(children, one.Name)
		}
	}
	if len(children) > 0 {
		notes = append(notes, tellWith(v.ctx, "term.children", "Names", strings.Join(children, tell(v.ctx, "comma")+" ")))
	}
	return notes, err
}

func (w *admin) termReply(v *visit, ed *termEditor, status int) (*reply, error) {
	all, err := w.terms(v.ctx, ed.kind.taxonomy)
	if err != nil {
		return nil, err
	}
	below := 0 // how deep the term itself is: what follows deeper is below it
	for _, b := range tree(all) {
		switch {
		case b.ID == ed.term.ID:
			below = b.depth + 1
		case below == 0 || b.depth < below:
			below = 0
			ed.choices = append(ed.choices, b)
		}
	}
	return &reply{status: status, title: ed.term.Name, section: ed.kind.section, body: termEditPage(ed)}, nil
}

// branchChoices are categories to choose from.
func branchChoices(list []branch) []pair {
	choices := make([]pair, 0, len(list))
	for _, b := range list {
		choices = append(choices, pair{idText(b.ID), strings.Repeat("– ", b.depth) + b.Name})
	}
	return choices
}
