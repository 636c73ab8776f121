// Package terms has the pages of categories and tags: their lists, their forms, and merging them.
package terms

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
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/admin/merging"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/forms/texts"
	"github.com/kalends/kalends/web/forms/words"
)

// Pages are the pages of categories and tags.
type Pages struct {
	calendar *services.Calendar
	platform *platform.Platform
}

// New returns the pages.
func New(c *services.Calendar, p *platform.Platform) *Pages { return &Pages{calendar: c, platform: p} }

// Routes are the routes of these pages, for the administration to add to its own.
func (w *Pages) Routes() []frame.Route {
	return append(w.routesOfTerms(Categories), w.routesOfTerms(Tags)...)
}

// Kind describes the pages of categories or of tags.
type Kind struct {
	kind, Section string
	Taxonomy      calendar.Taxonomy
}

// The two kinds of terms.
var (
	Categories = &Kind{"category", "categories", calendar.Categories}
	Tags       = &Kind{"tag", "tags", calendar.Tags}
)

// termList is the list of categories, as a tree, or of tags, with the form for a new one.
type termList struct {
	kind    *Kind
	form    *frame.Form
	items   []offers.Branch
	choices []offers.Branch
	twins   [][]frame.Pair // terms that may be duplicates
	search  string
	changes bool   // the user may change and merge them
	lacking string // language whose texts are missing; "" for all terms
}

// termEditor is the form of one term.
type termEditor struct {
	kind    *Kind
	form    *frame.Form
	term    *calendar.Term
	choices []offers.Branch // possible parents
}

var categoryTable = args.TableOf(reflect.TypeFor[calendar.CategoryFields]())

// termFields are the fields of a term's form.
var termFields = saving.Fields{Names: []string{"name", "slug", "parent", "color", "description", texts.Field}}

func (k *Kind) address(id int64) string {
	return frame.Address(k.Section, id)
}

func (w *Pages) routesOfTerms(k *Kind) []frame.Route {
	path := "/" + k.Section
	with := func(handle func(*frame.Visit, *Kind) (*frame.Reply, error)) frame.Handler {
		return func(v *frame.Visit) (*frame.Reply, error) { return handle(v, k) }
	}
	may := k.Taxonomy.Right()
	return append(merging.Routes(w.termMerge(k)), []frame.Route{
		frame.GetPage(path, may, with(w.listTerms)),
		frame.FormPage(path, may, with(w.createTerm)),
		frame.GetPage(path+"/#", may, with(w.editTerm)),
		frame.FormPage(path+"/#", may, with(w.updateTerm)),
	}...)
}

func (w *Pages) listTerms(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	if !calendar.MayMakeTerms(v.Scope().Principal, k.Taxonomy) {
		return nil, tenancy.ErrOutside
	}
	f := &frame.Form{Kind: k.kind, Values: url.Values{"once": {frame.NewToken()}}}
	return w.termsReply(v, k, f, 0)
}

func (w *Pages) termsReply(v *frame.Visit, k *Kind, f *frame.Form, status int) (*frame.Reply, error) {
	all, err := offers.Terms(v.Ctx, w.calendar, k.Taxonomy)
	if err != nil {
		return nil, err
	}
	l := &termList{kind: k, form: f, search: v.Query.Get("search"), twins: twinTerms(all),
		changes: calendar.MayChangeTerms(v.Scope().Principal, k.Taxonomy),
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
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "nav."+k.Section), Section: k.Section, Body: termsPage(l)}, nil
}

func (w *Pages) createTerm(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	f := v.Form
	f.Kind = k.kind
	switch ids := chosen.IDs(f); f.Get("do") {
	case "merge":
		return &frame.Reply{Redirect: merging.Address(k.Section, ids)}, nil
	case "move":
		return w.moveTerms(v, k, ids)
	case "starter":
		if k.Taxonomy == calendar.Categories {
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
		made, err := w.calendar.Terms(k.Taxonomy).Create(ctx, fields)
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
	return &frame.Reply{Redirect: frame.AdminRoot + "/" + k.Section, Say: "saved"}, nil
}

// moveTerms moves categories below another or to the top. A category stays where it is if the target is below it.
func (w *Pages) moveTerms(v *frame.Visit, k *Kind, ids []int64) (*frame.Reply, error) {
	back := frame.AdminRoot + "/" + k.Section
	below, err := strconv.ParseInt(v.Form.Get("below"), 10, 64)
	if err != nil || below < 0 || len(ids) == 0 || k.Taxonomy != calendar.Categories {
		return &frame.Reply{Redirect: back, Say: "none"}, nil //nolint:nilerr // what is no number is nothing chosen
	}
	done, refused, changed, seen := 0, 0, 0, frame.SeenIn(v.Form)
	for _, id := range ids {
		t, err := w.calendar.Terms(k.Taxonomy).Update(v.Ctx, id, &calendar.CategoryFields{Parent: args.Some(below)}, seen.Still(id))
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
func (w *Pages) readTerm(v *frame.Visit, k *Kind, id int64, f, now *frame.Form) (*calendar.CategoryFields, error) {
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
		err := found.Add(w.calendar.Terms(k.Taxonomy).Check(v.Ctx, id, fields), w.knowCategory(v.Ctx, fields.Parent.Or(0)))
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

func termForm(ctx context.Context, k *Kind, t *calendar.Term) *frame.Form {
	f := &frame.Form{Kind: k.kind, Values: url.Values{"name": {t.Name}, "slug": {t.Slug}, "description": {t.Description},
		"parent": {frame.SomeID(t.Parent)}, "color": {t.Color}, "color_was": {t.Color}}}
	texts.Fill(ctx, f, t.Texts)
	termFields.Stamp(f, frame.IDText(t.Version))
	return f
}

func (w *Pages) editTerm(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	if !calendar.MayChangeTerms(v.Scope().Principal, k.Taxonomy) {
		return nil, tenancy.ErrOutside
	}
	t, err := w.calendar.Terms(k.Taxonomy).Get(v.Ctx, v.ID)
	if err != nil {
		return nil, err
	}
	return w.termReply(v, &termEditor{kind: k, form: termForm(v.Ctx, k, t), term: t}, 0)
}

// updateTerm stores the changes of a term, or asks for confirmation and deletes it. If someone else has changed the
// term meanwhile, it shows both versions.
func (w *Pages) updateTerm(v *frame.Visit, k *Kind) (*frame.Reply, error) {
	return saving.Save(v, func() (*saving.Edit, *frame.Reply, error) {
		t, err := w.calendar.Terms(k.Taxonomy).Get(v.Ctx, v.ID)
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
		all, err := offers.Terms(v.Ctx, w.calendar, k.Taxonomy)
		now := termForm(v.Ctx, k, t)
		return &saving.Edit{Form: ed.form, Now: now, Fields: termFields, Action: k.address(t.ID), Section: k.Section,
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
		_, err = w.calendar.Terms(ed.kind.Taxonomy).Update(v.Ctx, v.ID, fields, frame.Still(ed.term.Version))
	}
	switch {
	case err != nil && !w.refuseTerm(v, ed.form, err):
		return nil, err
	case err != nil:
		return w.termReply(v, ed, http.StatusUnprocessableEntity)
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/" + ed.kind.Section, Say: "saved"}, nil
}

func (w *Pages) deleteTerm(v *frame.Visit, k *Kind, t *calendar.Term) (*frame.Reply, error) {
	seen := frame.SeenIn(v.Form)
	if v.Form.Get("sure") == "" {
		if seen.UpTo(t.ID) < t.Version {
			return &frame.Reply{Redirect: k.address(t.ID), Say: "changed"}, nil
		}
		notes, err := w.deleteNotes(v, k, t)
		if err != nil {
			return nil, err
		}
		return &frame.Reply{Title: frame.Tell(v.Ctx, "delete.title"), Section: k.Section, Body: frame.ConfirmPage(frame.Confirmation{
			Action: v.Path, Back: k.address(t.ID), Names: []frame.Pair{{Name: frame.IDText(t.ID), Value: t.Name}},
			Text: k.kind + ".delete", Notes: notes, Kept: frame.SeenFields(v.Form)})}, nil
	}
	switch _, err := w.calendar.Terms(k.Taxonomy).Delete(v.Ctx, t.ID, seen.Still(t.ID)); {
	case errors.Is(err, calendar.ErrPrecondition):
		return &frame.Reply{Redirect: k.address(t.ID), Say: "changed"}, nil
	case err != nil:
		return nil, err
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/" + k.Section, Say: "delete", Count: 1}, nil
}

// deleteNotes returns how many events would lose the term, and which categories would move up, as text.
func (w *Pages) deleteNotes(v *frame.Visit, k *Kind, t *calendar.Term) ([]string, error) {
	each, _, err := w.calendar.Terms(k.Taxonomy).Linked(v.Ctx, []int64{t.ID})
	if err != nil {
		return nil, err
	}
	notes := []string{frame.Counted(v.Ctx, "term.loses", each[t.ID])}
	all, err := offers.Terms(v.Ctx, w.calendar, k.Taxonomy)
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
	all, err := offers.Terms(v.Ctx, w.calendar, ed.kind.Taxonomy)
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
	return &frame.Reply{Status: status, Title: ed.term.Name, Section: ed.kind.Section, Body: termEditPage(ed)}, nil
}

// termMerge is the merge of categories or tags.
func (w *Pages) termMerge(k *Kind) *merging.Kind {
	terms := w.calendar.Terms(k.Taxonomy)
	m := &merging.Kind{
		Kind:    k.kind,
		Section: k.Section,
		May:     k.Taxonomy.Right(),
		Fields:  services.TermMerge,
		Linked:  terms.Linked,
		Final:   true,
		Merge: func(ctx context.Context, m services.Merging) (int, int64, error) {
			_, moved, err := terms.Merge(ctx, m)
			return moved, 0, err
		},
	}
	m.Get = func(ctx context.Context, id int64) (*merging.Entry, error) {
		t, err := terms.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		return &merging.Entry{ID: t.ID, Version: t.Version, Name: t.Name, Note: t.Path,
			Fields: map[string]string{"name": t.Name, "color": t.Color, "description": t.Description},
			Shown:  map[string]string{"description": wording.PlainText(t.Description)}}, nil
	}
	m.Find = func(ctx context.Context, text string) (list []frame.Pair, err error) {
		all, err := offers.Terms(ctx, w.calendar, k.Taxonomy)
		for _, t := range all {
			if strings.Contains(wording.Fold(t.Name), wording.Fold(text)) {
				list = append(list, frame.Pair{Name: frame.IDText(t.ID), Value: t.Name + " – " + t.Path})
			}
		}
		return list, err
	}
	return m
}

// twinTerms are the groups of terms that may be duplicates.
func twinTerms(all []*calendar.Term) (list [][]frame.Pair) {
	for _, group := range services.TwinTerms(all) {
		var pairs []frame.Pair
		for _, t := range group {
			pairs = append(pairs, frame.Pair{Name: frame.IDText(t.ID), Value: t.Name})
		}
		list = append(list, pairs)
	}
	return list
}

// addStarters adds the starter categories that do not exist yet.
func (w *Pages) addStarters(v *frame.Visit) (*frame.Reply, error) {
	version, err := w.calendar.Terms(calendar.Categories).CreateMissing(v.Ctx, frame.Starters(v.Ctx))
	if err != nil {
		return nil, err
	}
	r := &frame.Reply{Redirect: frame.AdminRoot + "/categories", Say: "saved"}
	frame.OfferUndo(v, r, version)
	return r, nil
}
