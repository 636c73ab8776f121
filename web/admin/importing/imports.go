// Package importing has the pages on which people import events from files and URLs. They show what an import would do and
// what it did, and undo it.
package importing

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

// section is the name of these pages in the navigation and in addresses. It is not "imports": paths that end with
// /imports belong to the API and accept larger files than the forms of pages.
const section = "import"

const path = frame.Imports

// How many imports and entries a page shows.
const (
	shownImports = 20
	shownEntries = 100
)

// Pages are the pages about imports.
type Pages struct {
	imports  *imports.Service // nil: the installation has no imports
	platform *platform.Platform
	calendar *services.Calendar
}

// New returns the pages.
func New(s *imports.Service, p *platform.Platform, c *services.Calendar) *Pages {
	return &Pages{s, p, c}
}

// Routes are the routes of these pages.
func (w *Pages) Routes() []frame.Route {
	const may = tenancy.EditOwn
	return []frame.Route{
		frame.GetPage("/import", may, w.list),
		frame.FormPage("/import", may, w.start),
		frame.GetPage("/import/#", may, w.show),
		frame.PostPage("/import/#", may, w.change),
	}
}

// index is the page with the form and the list.
type index struct {
	form *frame.Form
	list calendar.Page[imports.Import]
	page int
}

func (a *index) pages() int { return (a.list.Total + shownImports - 1) / shownImports }

// signsIn reports whether the form has something for signing in to another site.
func (a *index) signsIn() bool {
	return a.form.Get("user") != "" || a.form.WrongAmong("user", "password")
}

// report is the page of one import.
type report struct {
	*imports.Import
	entries calendar.Page[imports.Entry]
	format  string // of the file; an undo has the lines of the file whose import it undoes
	page    int
	sheet   *sheet // nil: the entries cannot be changed
	beside  map[int][]*calendar.Event
	written map[int64]*calendar.Event // by id; of an import that is no dry run
	columns []column
	until   bool // the import can be undone
	preview *imports.Preview
	refused string // why an action was refused; "": it was not
}

func (r *report) pages() int { return (r.entries.Total + shownEntries - 1) / shownEntries }

func (r *report) address(page int) string {
	return frame.Address(section, r.ID) + "?page=" + strconv.Itoa(page)
}

// runs reports whether the page offers to run the import: after a dry run without errors, or if the import stopped because it
// would remove too many events.
func (r *report) runs() bool {
	return r.DryRun && r.State == imports.Done || r.State == imports.Failed && r.Problem != nil && r.Problem.Code == "gone-too-many"
}

// way returns which of the two forms with wishes was sent: "file" or "url".
func (a *index) way() string {
	if a.form.Get("do") == "file" {
		return "file"
	}
	return "url"
}

// idOf returns the id of a choice that both forms have. Problems lead to the one in the form that was sent.
func (a *index) idOf(way, name string) string {
	if way == a.way() {
		return "f-" + name
	}
	return "f-" + name + "-" + way
}

// described returns the attributes that tie a choice to its problem.
func (a *index) described(ctx context.Context, way, name string) templ.Attributes {
	if way != a.way() {
		return nil
	}
	return frame.Described(ctx, a.form, name)
}

// another returns the address of a form with the URL of an import that has failed, to be changed. It returns "" for other imports.
func (r *report) another() string {
	if r.State != imports.Failed || r.URL == "" {
		return ""
	}
	return path + "?" + url.Values{"url": {r.URL}}.Encode() + "#f-url"
}

// series reports whether this was a dry run of a site with The Events Calendar, whose single events can become series.
func (r *report) series() bool { return r.DryRun && r.Format == imports.Site }

var table = args.TableOf(reflect.TypeFor[imports.Fields]())

// fields are the fields of the form, in order.
var fields = []string{"lines", "file", "url", "format", "user", "password", "policy", "status"}

func (w *Pages) list(v *frame.Visit) (*frame.Reply, error) {
	v.Form.Values = url.Values{"policy": {imports.Update}, "status": {first(v.Ctx)}, "url": {v.Query.Get("url")}}
	return w.index(v, 0)
}

func (w *Pages) index(v *frame.Visit, status int) (*frame.Reply, error) {
	if w.imports == nil {
		return nil, calendar.ErrNotFound
	}
	v.Form.Kind = section
	a := &index{form: v.Form, page: pageOf(v)}
	f := &imports.Filter{Paging: args.Paging{Page: args.Some(a.page), PerPage: args.Some(shownImports)}}
	var err error
	if a.list, err = w.imports.Current(v.Ctx, f); err != nil {
		return nil, err
	}
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "nav.import"), Section: section, Body: indexPage(a)}, nil
}

// start begins a dry run. Its page then offers the import itself.
func (w *Pages) start(v *frame.Visit) (*frame.Reply, error) {
	if w.imports == nil || v.Form.ShownAgain() {
		return w.index(v, 0)
	}
	values := args.Values{"dry_run": true}
	if v.Form.Get("password") != "" {
		values["password"] = v.Form.Get("password")
	}
	for _, name := range fields[2:] {
		v.Form.Read(table.Field(name), values)
	}
	_, pasted := v.Form.Values["lines"]
	if pasted {
		values["format"] = string(reading.Lines)
	}
	in, err := frame.Parsed[imports.Fields](table, values, args.Creating)
	var id int64
	if err == nil {
		id, err = w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), section, func(ctx context.Context) (int64, error) {
			made, err := w.send(ctx, v, in, values)
			if err != nil {
				return 0, err
			}
			return made.ID, nil
		})
	}
	switch {
	case err != nil && v.Form.RefuseAs(v.Ctx, err, func(field string) string {
		switch {
		case field == "file" && pasted:
			return "lines"
		case field == "file" && v.Form.Has("url"):
			return "url"
		}
		return field
	}):
		return w.index(v, http.StatusUnprocessableEntity)
	case err != nil:
		return nil, err
	}
	return &frame.Reply{Redirect: frame.Address(section, id)}, nil
}

// send starts the import with the pasted lines or the file of the form, if there is one.
func (w *Pages) send(ctx context.Context, v *frame.Visit, in *imports.Fields, values args.Values) (*imports.Import, error) {
	if lines := v.Form.Get("lines"); strings.TrimSpace(lines) != "" {
		return w.imports.Start(
			ctx,
			in,
			values,
			&imports.Upload{Name: frame.Tell(ctx, "import.lines.name"), Content: strings.NewReader(lines)},
		)
	}
	header := v.Form.Files["file"]
	if header == nil {
		return w.imports.Start(ctx, in, values, nil)
	}
	return w.imports.Start(ctx, in, values, &imports.Upload{Name: header.Filename, Content: header.Open()})
}

func (w *Pages) show(v *frame.Visit) (*frame.Reply, error) { return w.report(v, "", 0) }

func (w *Pages) report(v *frame.Visit, refused string, status int) (*frame.Reply, error) {
	if w.imports == nil {
		return nil, calendar.ErrNotFound
	}
	i, err := w.imports.Get(v.Ctx, v.ID)
	if err != nil {
		return nil, err
	}
	r := &report{Import: i, format: i.Format, page: pageOf(v), refused: refused}
	if i.Undoes != 0 {
		of, err := w.imports.Get(v.Ctx, i.Undoes)
		switch {
		case err == nil:
			r.format = of.Format
		case !errors.Is(err, imports.ErrNoImport):
			return nil, err
		}
	}
	r.until = i.UndoableUntil().After(w.imports.Clock())
	r.entries, err = w.imports.Entries(v.Ctx, i.ID, &imports.EntryFilter{Page: args.Some(r.page), PerPage: args.Some(shownEntries)})
	if err != nil {
		return nil, err
	}
	if err := w.fill(v.Ctx, r); err != nil {
		return nil, err
	}
	return &frame.Reply{Status: status, Title: nameOf(v.Ctx, i), Section: section, Body: reportPage(r), Refresh: !i.Ended()}, nil
}

// refusals are the errors that the page of an import explains.
var refusals = map[error]string{imports.ErrRunning: "import-running", imports.ErrNotDry: "import-not-dry-run",
	imports.ErrNoFile: "import-file-gone", imports.ErrUndone: "import-undone", imports.ErrTooLate: "import-not-undoable",
	imports.ErrManyEdits: "import-edits-many"}

func (w *Pages) change(v *frame.Visit) (*frame.Reply, error) {
	if w.imports == nil {
		return nil, calendar.ErrNotFound
	}
	i, err := w.imports.Get(v.Ctx, v.ID)
	if err != nil {
		return nil, err
	}
	made, to := i, frame.Address(section, i.ID)
	switch v.Form.Get("do") {
	case "run", "look":
		made, err = w.revise(v, i)
	case "run-series":
		made, err = w.imports.Rerun(v.Ctx, i.ID, &imports.Rerunning{Series: args.Some(true)})
	case "undo":
		if v.Form.Get("sure") == "" {
			made, err := w.imports.Made(v.Ctx, i.ID)
			if err != nil {
				return nil, err
			}
			return &frame.Reply{Title: nameOf(v.Ctx, i), Section: section, Body: undoPage(i, madeParts(v.Ctx, made))}, nil
		}
		made, err = w.imports.TakeBack(v.Ctx, i.ID)
	case "cancel":
		if !i.Ended() {
			_, err = w.imports.Remove(v.Ctx, i.ID)
		}
	case "forget":
		if !i.Ended() {
			err = imports.ErrRunning
			break
		}
		if v.Form.Get("sure") == "" && i.UndoableUntil().After(w.imports.Clock()) {
			return &frame.Reply{Title: nameOf(v.Ctx, i), Section: section, Body: frame.ConfirmPage(frame.Confirmation{Action: to, Back: to,
				Do: "forget", Title: frame.Tell(v.Ctx, "do.forget"), Text: "import.forget.text", Notes: []string{nameOf(v.Ctx, i)}})}, nil
		}
		to = path
		_, err = w.imports.Remove(v.Ctx, i.ID)
	}
	for known, code := range refusals {
		if errors.Is(err, known) {
			return w.report(v, i18n.T(v.Ctx, "error."+code, nil), http.StatusConflict)
		}
	}
	if err != nil {
		return nil, err
	}
	if made.ID != i.ID {
		to = frame.Address(section, made.ID)
	}
	return &frame.Reply{Redirect: to}, nil
}

// pageOf returns the page number in the address, or 1 if there is none.
func pageOf(v *frame.Visit) int {
	if n, err := strconv.Atoi(v.Query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		return n
	}
	return 1
}

// nameOf returns the name of an import: its file or its URL.
func nameOf(ctx context.Context, i *imports.Import) string {
	return cmp.Or(i.Name, i.URL, frame.Tell(ctx, "nav.import"))
}

// statuses are the statuses that the user may give to new events.
func statuses(ctx context.Context) []frame.Pair {
	list := []frame.Pair{{Name: string(calendar.Draft), Value: frame.StatusOf(ctx, calendar.Draft)}}
	if frame.May(ctx, tenancy.EditOthers|tenancy.Publish) {
		list = append(list, frame.Pair{Name: string(calendar.Pending), Value: frame.StatusOf(ctx, calendar.Pending)},
			frame.Pair{Name: string(calendar.Publish), Value: frame.StatusOf(ctx, calendar.Publish)})
	}
	return list
}

// stateOf returns the state of an import as the page names it. A finished dry run, which has imported nothing, and a finished undo have
// names of their own. A dry run that only lacks an answer has not failed.
func stateOf(i *imports.Import) string {
	switch {
	case len(missing(i)) > 0:
		return "checked"
	case i.State != imports.Done:
	case i.DryRun:
		return "checked"
	case i.Undoes != 0:
		return "undone"
	}
	return string(i.State)
}

// resultText describes what happened to an entry or, in a dry run, what would happen to it.
func resultText(ctx context.Context, i *imports.Import, result imports.Result) string {
	switch {
	case i.DryRun:
		return frame.Tell(ctx, "import.would."+string(result))
	case i.Undoes != 0 && result == imports.Changed:
		return frame.Tell(ctx, "import.state.undone")
	}
	return frame.Tell(ctx, "import.result."+string(result))
}

// counts returns the numbers of entries with each result, as text.
func counts(ctx context.Context, i *imports.Import) string {
	c := &i.Counts
	var parts []string
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, text+": "+frame.Number(ctx, n))
		}
	}
	for _, one := range []struct {
		result imports.Result
		n      int
	}{
		{imports.Created, c.Created},
		{imports.Changed, c.Changed},
		{imports.Same, c.Same},
		{imports.Off, c.Cancelled},
		{imports.Refused, c.Refused - i.ByHand()},
	} {
		add(one.n, resultText(ctx, i, one.result))
	}
	add(i.ByHand(), frame.Tell(ctx, "import.left_out"))
	add(c.Warned, frame.Tell(ctx, "import.notes"))
	return strings.Join(parts, " · ")
}

// all reports whether the user may change all events.
func all(ctx context.Context) bool {
	return frame.May(ctx, tenancy.EditOthers|tenancy.Publish) && tenancy.Current(ctx).Principal.Area.Whole()
}

// opens reports whether the event of an entry exists and the user may change it: what their import has written, or any event.
func opens(ctx context.Context, r *report, e *imports.Entry) bool {
	wrote := e.Result == imports.Created || e.Result == imports.Changed
	return e.Event != 0 && !(r.DryRun && e.Result == imports.Created) && (wrote || all(ctx))
}

// remarks returns the problems and warnings about an entry, as text.
func remarks(ctx context.Context, e *imports.Entry) []string {
	var list []string
	for _, found := range [][]imports.Finding{e.Problems, e.Warnings} {
		for i := range found {
			if found[i].Code == "left-out" { // the result says it
				continue
			}
			list = append(list, frame.ProblemText(ctx, found[i].Problem()))
		}
	}
	return list
}

// forgetting is the key of the text of the button that deletes an import. A dry run has nothing to report about.
func forgetting(i *imports.Import) string {
	if i.DryRun {
		return "draft.drop"
	}
	return "do.forget"
}

// asked is the status that new events get if nobody chooses another one.
func (r *report) asked() string {
	status, _ := r.Asked["status"].(string)
	return cmp.Or(status, string(calendar.Publish))
}

// status is the name of the status that new events would get. It is "" unless this was a dry run.
func (r *report) status(ctx context.Context) string {
	asked, _ := r.Asked["status"].(string)
	if !r.DryRun || r.State != imports.Done || asked == "" {
		return ""
	}
	return frame.StatusOf(ctx, asked)
}
