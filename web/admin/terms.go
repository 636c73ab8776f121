package admin

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
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/forms/texts"
	"github.com/kalends/kalends/web/forms/words"
)

// termKind describes the pages of categories or of tags.
type termKind struct {
	kind, section string
	taxonomy      calendar.Taxonomy
}

var (
	categoryKind = &termKind{"category", "categories", calendar.Categories}
	tagKind      = &termKind{"tag", "tags", calendar.Tags}
)

// termList is the list of categories, as a tree, or of tags, with the form for a new one.
type termList struct {
	kind    *termKind
	form    *frame.Form
	items   []offers.Branch
	choices []offers.Branch
	twins   [][]frame.Pair // terms that may be duplicates
	search  string
	lacking string // language whose texts are missing; "" for all terms
}

// termEditor is the form of one term.
type termEditor struct {
	kind    *termKind
	form    *frame.Form
	term    *calendar.Term
	choices []offers.Branch // possible parents
}

var categoryTable = args.TableOf(reflect.TypeFor[calendar.CategoryFields]())

// termFields are the fields of a term's form.
var termFields = saving.Fields{Names: []string{"name", "slug", "parent", "color", "description", texts.Field}}

func (k *termKind) address(id int64) string {
	return frame.Address(k.section, id)
}

func (w *Pages) routesOfTerms(k *termKind) []frame.Route {
	path := "/" + k.section
	with := func(handle func(*frame.Visit, *termKind) (*frame.Reply, error)) frame.Handler {
		return func(v *frame.Visit) (*frame.Reply, error) { return handle(v, k) }
	}
	may := k.taxonomy.Right()
	return append(w.routesOfMerge(w.termMerge(k)), []frame.Route{
		frame.GetPage(path, may, with(w.listTerms)),
		frame.FormPage(path, may, with(w.createTerm)),
		frame.GetPage(path+"/#", may, with(w.editTerm)),
		frame.FormPage(path+"/#", may, with(w.updateTerm)),
	}...)
}

func (w *Pages) listTerms(v *frame.Visit, k *termKind) (*frame.Reply, error) {
	f := &frame.Form{Kind: k.kind, Values: url.Values{"once": {frame.NewToken()}}}
	return w.termsReply(v, k, f, 0)
}

func (w *Pages) termsReply(v *frame.Visit, k *termKind, f *frame.Form, status int) (*frame.Reply, error) {
	all, err := offers.Terms(v.Ctx, w.calendar, k.taxonomy)
	if err != nil {
		return nil, err
	}
	l := &termList{kind: k, form: f, search: v.Query.Get("search"), twins: twinTerms(all),
		lacking: texts.LackingIn(v.Ctx, v.Query)}
	l.choices = offers.Tree(all)
	for _, b := range l.choices {
		if l.lacking != "" && !texts.Lacks(v.Ctx, b.Texts, l.lacking) {
			continue
		}
		if l.search == "" || slices.ContainsFunc(b.Names().All(), func(name string) bool {
			return strings.Contains(wording.Fold(name), wording.Fold(l.search))
		}) {
			l.items = append(l.items, b)
		}
	}
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "nav."+k.section), Section: k.section, Body: termsPage(l)}, nil
}

func (w *Pages) createTerm(v *frame.Visit, k *termKind) (*frame.Reply, error) {
	f := v.Form
	f.Kind = k.kind
	switch ids := chosen.IDs(f); f.Get("do") {
	case "merge":
		return &frame.Reply{Redirect: mergeAddress(k.section, ids)}, nil
	case "move":
		return w.moveTerms(v, k, ids)
	case "starter":
		if k.taxonomy == calendar.Categories {
			return w.addStarters(v)
		}
	}
	if f.ShownAgain() {
		return w.termsReply(v, k, f, 0)
	}
	// The checks run within Once. Otherwise a form that is sent twice would find its own name taken.
	_, err := w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), k.kind, func(ctx context.Context) (int64, error) {
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
	return &frame.Reply{Redirect: frame.AdminRoot + "/" + k.section, Say: "saved"}, nil
}

// moveTerms moves categories below another or to the top. A category stays where it is if the target is below it.
func (w *Pages) moveTerms(v *frame.Visit, k *termKind, ids []int64) (*frame.Reply, error) {
	back := frame.AdminRoot + "/" + k.section
	below, err := strconv.ParseInt(v.Form.Get("below"), 10, 64)
	if err != nil || below < 0 || len(ids) == 0 || k.taxonomy != calendar.Categories {
		return &frame.Reply{Redirect: back, Say: "none"}, nil //nolint:nilerr // what is no number is nothing chosen
	}
	done, refused, changed, seen := 0, 0, 0, frame.SeenIn(v.Form)
	for _, id := range ids {
		t, err := w.calendar.Terms(k.taxonomy).Update(v.Ctx, id, &calendar.CategoryFields{Parent: args.Some(below)}, seen.Still(id))
		switch {
		case err == nil:
			done++
			seen.Wrote(t.Version)
		case errors.Is(err, calendar.ErrPrecondition):
			changed++
		case chosen.OneItem(err):
			refused++
		default:
			return nil, err
		}
	}
	switch {
	case changed > 0:
		return &frame.Reply{Redirect: back, Say: "changed"}, nil
	case done == 0:
		return &frame.Reply{Redirect: back, Say: "refused", Count: refused}, nil
	}
	return &frame.Reply{Redirect: back, Say: "moved", Count: done}, nil
}

// refuseTerm adds the problems of an error to a term's form.
func (w *Pages) refuseTerm(v *frame.Visit, f *frame.Form, err error) bool {
	var exists *calendar.ExistsError
	switch {
	case errors.As(err, &exists):
		err = args.Invalid("name", "problem.name.taken", nil)
	case errors.Is(err, calendar.ErrSlugTaken):
		err = args.Invalid("slug", "problem.slug.taken", nil)
	}
	return f.Refuse(v.Ctx, err)
}

// readTerm reads a term's form: the whole form of a new term, otherwise the fields that differ from the stored term.
func (w *Pages) readTerm(v *frame.Visit, k *termKind, id int64, f, now *frame.Form) (*calendar.CategoryFields, error) {
	mode, values := args.Updating, args.Values{}
	if now == nil {
		mode = args.Creating
	}
	for _, name := range termFields.Names {
		switch {
		case name == "color" || now != nil && !termFields.Changed(f, now, name):
		case name == texts.Field:
			texts.Read(f, now, values)
		default:
			f.Read(categoryTable.Field(name), values)
		}
	}
	return frame.Checked(categoryTable, values, mode, func(fields *calendar.CategoryFields) error {
		if color := colorIn(f); f.Has("color") && (now == nil || color != now.Get("color")) {
			fields.Color = args.Some(color)
		}
		found := &args.Problems{}
		err := found.Add(w.calendar.Terms(k.taxonomy).Check(v.Ctx, id, fields), w.knowCategory(v.Ctx, fields.Parent.Or(0)))
		if err != nil {
			return err
		}
		return found.Err()
	})
}

// knowCategory returns *args.Problems if the parent category does not exist. ID 0 means no parent.
func (w *Pages) knowCategory(ctx context.Context, id int64) error {
	if id == 0 {
		return nil
	}
	_, err := w.calendar.Terms(calendar.Categories).Get(ctx, id)
	if errors.Is(err, calendar.ErrNotFound) || errors.Is(err, calendar.ErrWrongType) {
		return args.Invalid("parent", "problem.category.unknown", nil)
	}
	return err
}

func termForm(ctx context.Context, k *termKind, t *calendar.Term) *frame.Form {
	f := &frame.Form{Kind: k.kind, Values: url.Values{"name": {t.Name}, "slug": {t.Slug}, "description": {t.Description},
		"parent": {frame.SomeID(t.Parent)}, "color": {t.Color}, "color_was": {t.Color}}}
	texts.Fill(ctx, f, t.Texts)
	termFields.Stamp(f, frame.IDText(t.Version))
	return f
}

func (w *Pages) editTerm(v *frame.Visit, k *termKind) (*frame.Reply, error) {
	t, err := w.calendar.Terms(k.taxonomy).Get(v.Ctx, v.ID)
	if err != nil {
		return nil, err
	}
	return w.termReply(v, &termEditor{kind: k, form: termForm(v.Ctx, k, t), term: t}, 0)
}

// updateTerm stores the changes of a term, or asks for confirmation and deletes it. If someone else has changed the
// term meanwhile, it shows both versions.
func (w *Pages) updateTerm(v *frame.Visit, k *termKind) (*frame.Reply, error) {
	return saving.Save(v, func() (*saving.Edit, *frame.Reply, error) {
		t, err := w.calendar.Terms(k.taxonomy).Get(v.Ctx, v.ID)
		if err != nil {
			return nil, nil, err
		}
		ed := &termEditor{kind: k, form: v.Form, term: t}
		ed.form.Kind = k.kind
		if ed.form.Get("do") == "delete" {
			r, err := w.deleteTerm(v, k, t)
			return nil, r, err
		}
		if ed.form.Has("color") {
			ed.form.Set("color", colorIn(ed.form))
			ed.form.Values.Del("color_none")
		}
		all, err := offers.Terms(v.Ctx, w.calendar, k.taxonomy)
		now := termForm(v.Ctx, k, t)
		return &saving.Edit{Form: ed.form, Now: now, Fields: termFields, Action: k.address(t.ID), Section: k.section,
			Readable: func(f *frame.Form, name, text string) string {
				return words.Readable(v.Ctx, f, name, text, offers.Tree(all), nil)
			},
			Again: func() (*frame.Reply, error) { return w.termReply(v, ed, 0) },
			Store: func() (*frame.Reply, error) { return w.saveTerm(v, ed, now) }}, nil, err
	})
}

func (w *Pages) saveTerm(v *frame.Visit, ed *termEditor, now *frame.Form) (*frame.Reply, error) {
	fields, err := w.readTerm(v, ed.kind, v.ID, ed.form, now)
	if err == nil && !reflect.DeepEqual(*fields, calendar.CategoryFields{}) {
		_, err = w.calendar.Terms(ed.kind.taxonomy).Update(v.Ctx, v.ID, fields, frame.Still(ed.term.Version))
	}
	switch {
	case err != nil && !w.refuseTerm(v, ed.form, err):
		return nil, err
	case err != nil:
		return w.termReply(v, ed, http.StatusUnprocessableEntity)
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/" + ed.kind.section, Say: "saved"}, nil
}

func (w *Pages) deleteTerm(v *frame.Visit, k *termKind, t *calendar.Term) (*frame.Reply, error) {
	seen := frame.SeenIn(v.Form)
	if v.Form.Get("sure") == "" {
		if seen.UpTo(t.ID) < t.Version {
			return &frame.Reply{Redirect: k.address(t.ID), Say: "changed"}, nil
		}
		notes, err := w.deleteNotes(v, k, t)
		if err != nil {
			return nil, err
		}
		return &frame.Reply{Title: frame.Tell(v.Ctx, "delete.title"), Section: k.section, Body: frame.ConfirmPage(frame.Confirmation{
			Action: v.Path, Back: k.address(t.ID), Names: []frame.Pair{{Name: frame.IDText(t.ID), Value: t.Name}},
			Text: k.kind + ".delete", Notes: notes, Kept: frame.SeenFields(v.Form)})}, nil
	}
	switch _, err := w.calendar.Terms(k.taxonomy).Delete(v.Ctx, t.ID, seen.Still(t.ID)); {
	case errors.Is(err, calendar.ErrPrecondition):
		return &frame.Reply{Redirect: k.address(t.ID), Say: "changed"}, nil
	case err != nil:
		return nil, err
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/" + k.section, Say: "delete", Count: 1}, nil
}

// deleteNotes returns how many events would lose the term, and which categories would move up, as text.
func (w *Pages) deleteNotes(v *frame.Visit, k *termKind, t *calendar.Term) ([]string, error) {
	each, _, err := w.calendar.Terms(k.taxonomy).Linked(v.Ctx, []int64{t.ID})
	if err != nil {
		return nil, err
	}
	notes := []string{frame.Counted(v.Ctx, "term.loses", each[t.ID])}
	all, err := offers.Terms(v.Ctx, w.calendar, k.taxonomy)
	var children []string
	for _, one := range all {
		if one.Parent == t.ID {
			children = append(children, one.Name)
		}
	}
	if len(children) > 0 {
		notes = append(notes, frame.TellWith(v.Ctx, "term.children", "Names", strings.Join(children, frame.Tell(v.Ctx, "comma")+" ")))
	}
	return notes, err
}

func (w *Pages) termReply(v *frame.Visit, ed *termEditor, status int) (*frame.Reply, error) {
	all, err := offers.Terms(v.Ctx, w.calendar, ed.kind.taxonomy)
	if err != nil {
		return nil, err
	}
	below := 0 // depth of the term; deeper terms that follow are its descendants
	for _, b := range offers.Tree(all) {
		switch {
		case b.ID == ed.term.ID:
			below = b.Depth + 1
		case below == 0 || b.Depth < below:
			below = 0
			ed.choices = append(ed.choices, b)
		}
	}
	return &frame.Reply{Status: status, Title: ed.term.Name, Section: ed.kind.section, Body: termEditPage(ed)}, nil
}
