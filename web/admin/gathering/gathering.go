// Package gathering has the pages on which administrators manage the sources of a site. Kalends reads the events of a source
// at regular intervals.
package gathering

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

// section is the name of these pages in the navigation and in addresses.
const section = "sources"

const path = frame.AdminRoot + "/" + section

// Pages are the pages about sources.
type Pages struct {
	sources  *sources.Service   // nil: the installation has no sources
	platform *platform.Platform // prevents a form that is sent twice from creating two sources
}

// New returns the pages.
func New(s *sources.Service, p *platform.Platform) *Pages { return &Pages{s, p} }

// Routes are the routes of these pages.
func (w *Pages) Routes() []frame.Route {
	const may = tenancy.ManageSite
	return []frame.Route{
		frame.GetPage("/sources", may, w.list),
		frame.FormPage("/sources", may, w.create),
		frame.GetPage("/sources/#", may, w.show),
		frame.FormPage("/sources/#", may, w.change),
	}
}

// index is the list of sources with the form for a new one.
type index struct {
	form *frame.Form
	list []*sources.Source
}

// editor is the page of a source.
type editor struct {
	*sources.Source
	form  *frame.Form
	stale bool // it was changed after the administrator saw it
}

var table = args.TableOf(reflect.TypeFor[sources.Fields]())

// fields are the fields of the form, in order.
var fields = []string{"name", "kind", "url", "user", "password", "site", "every",
	"policy", "gone", "status", "categories", "filter", "mapping", "active"}

// unused are the fields that a kind of source does not use.
var unused = map[string][]string{
	sources.Calendar: {"filter", "mapping"}, sources.Table: {"filter", "mapping"}, sources.JSON: {"filter", "mapping"},
	sources.Schema: {"filter", "mapping"}, sources.TEC: {"mapping"}, sources.Kalends: {"mapping"},
	sources.Site: {"user", "password", "site", "every", "policy", "gone"},
}

// uses reports whether the form of a source has a field.
func uses(f *frame.Form, field string) bool { return !slices.Contains(unused[f.Get("kind")], field) }

func (w *Pages) list(v *frame.Visit) (*frame.Reply, error) {
	kind := v.Query.Get("kind")
	if !slices.Contains(sources.Kinds(), kind) {
		kind = sources.Calendar
	}
	gone := imports.Cancel
	if kind == sources.Kalends {
		gone = imports.Trash
	}
	v.Form.Values = url.Values{"once": {frame.NewToken()}, "kind": {kind}, "every": {"3600"}, "policy": {imports.Update},
		"gone": {gone}, "status": {string(calendar.Publish)}, "active": {"1"}}
	return w.index(v, 0)
}

func (w *Pages) index(v *frame.Visit, status int) (*frame.Reply, error) {
	if w.sources == nil {
		return nil, calendar.ErrNotFound
	}
	list, _, err := w.sources.List(v.Ctx)
	if err != nil {
		return nil, err
	}
	v.Form.Kind = "source"
	return &frame.Reply{
		Status:  status,
		Title:   frame.Tell(v.Ctx, "nav.sources"),
		Section: section,
		Body:    indexPage(&index{v.Form, list}),
	}, nil
}

// read returns the arguments of a form. An empty user or password is left out, so that the stored one is kept.
func read(f *frame.Form, mode args.Mode) (*sources.Fields, args.Values, error) {
	values := args.Values{}
	for _, name := range fields {
		if (name == "user" || name == "password") && f.Get(name) == "" || !uses(f, name) {
			continue
		}
		f.Read(table.Field(name), values)
	}
	in, err := frame.Parsed[sources.Fields](table, values, mode)
	return in, values, err
}

// said turns the error for an unknown site into a problem of the form's url field.
func said(err error) error {
	if errors.Is(err, tenancy.ErrNoSite) {
		return args.Invalid("url", "error.site-not-found", nil)
	}
	return err
}

func (w *Pages) create(v *frame.Visit) (*frame.Reply, error) {
	v.Form.Kind = "source"
	if w.sources == nil || v.Form.ShownAgain() {
		return w.index(v, 0)
	}
	in, values, err := read(v.Form, args.Creating)
	var id int64
	if err == nil {
		id, err = w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), "source", func(ctx context.Context) (int64, error) {
			made, err := w.sources.Create(ctx, in, values)
			if err != nil {
				return 0, said(err)
			}
			return made.ID, nil
		})
	}
	switch {
	case err != nil && v.Form.Refuse(v.Ctx, err):
		return w.index(v, http.StatusUnprocessableEntity)
	case err != nil:
		return nil, err
	}
	return &frame.Reply{Redirect: frame.Address(section, id), Say: "saved"}, nil
}

func (w *Pages) get(v *frame.Visit) (*sources.Source, error) {
	if w.sources == nil {
		return nil, calendar.ErrNotFound
	}
	return w.sources.Get(v.Ctx, v.ID)
}

func (w *Pages) show(v *frame.Visit) (*frame.Reply, error) {
	of, err := w.get(v)
	if err != nil {
		return nil, err
	}
	return w.reply(&editor{Source: of, form: formOf(of)}, 0), nil
}

func (w *Pages) reply(ed *editor, status int) *frame.Reply {
	ed.form.Kind = "source"
	return &frame.Reply{Status: status, Title: ed.Name, Section: section, Body: editorPage(ed), Refresh: ed.Running != 0}
}

// change performs the action of the pressed button.
func (w *Pages) change(v *frame.Visit) (*frame.Reply, error) {
	of, err := w.get(v)
	if err != nil {
		return nil, err
	}
	switch v.Form.Get("do") {
	case "save":
		return w.save(v, of)
	case "read":
		_, err = w.sources.ReadNow(v.Ctx, of.ID)
		return &frame.Reply{Redirect: frame.Address(section, of.ID)}, err
	case "delete":
		return &frame.Reply{Title: of.Name, Section: section, Body: removePage(of)}, nil
	case sources.KeepEvents, sources.TrashEvents:
		_, err = w.sources.Delete(v.Ctx, of.ID, &sources.Removal{Events: args.Some(v.Form.Get("do"))}, nil)
		if err != nil && !errors.Is(err, sources.ErrNoSource) {
			return nil, err
		}
		return &frame.Reply{Redirect: path, Say: "delete", Count: 1}, nil
	}
	return w.reply(&editor{Source: of, form: formOf(of)}, 0), nil
}

func (w *Pages) save(v *frame.Visit, of *sources.Source) (*frame.Reply, error) {
	ed := &editor{Source: of, form: v.Form}
	ed.form.Kind = "source"
	if v.Form.ShownAgain() {
		return w.reply(ed, 0), nil
	}
	in, values, err := read(v.Form, args.Updating)
	if err == nil {
		seen, _ := strconv.ParseInt(v.Form.Get("seen"), 10, 64)
		_, err = w.sources.Update(v.Ctx, of.ID, in, values, frame.Still(seen))
		err = said(err)
	}
	switch {
	case errors.Is(err, calendar.ErrPrecondition):
		ed.stale = true
		ed.form.Set("seen", frame.IDText(of.Version))
		return w.reply(ed, http.StatusConflict), nil
	case err != nil && v.Form.Refuse(v.Ctx, err):
		return w.reply(ed, http.StatusUnprocessableEntity), nil
	case err != nil:
		return nil, err
	}
	return &frame.Reply{Redirect: frame.Address(section, of.ID), Say: "saved"}, nil
}

// formOf returns the form of a source, without user and password.
func formOf(w *sources.Source) *frame.Form {
	tick := map[bool]string{true: "1", false: "0"}
	status, _ := w.Given["status"].(string)
	return &frame.Form{Kind: "source", Values: url.Values{
		"name":       {w.Name},
		"kind":       {w.Kind},
		"url":        {w.Shown},
		"site":       {w.Page},
		"every":      {strconv.Itoa(w.Every)},
		"policy":     {w.Policy},
		"gone":       {w.Gone},
		"status":     {cmp.Or(status, string(calendar.Publish))},
		"categories": {namesOf(w.Given["categories"])},
		"filter":     {w.Filter.Query()},
		"mapping":    {w.MappingText()},
		"active":     {tick[w.Active]},
		"seen":       {frame.IDText(w.Version)},
	}}
}

// namesOf turns a sent list into the text of its field.
func namesOf(sent any) string {
	list, ok := sent.([]any)
	if !ok {
		text, _ := sent.(string)
		return text
	}
	texts := make([]string, len(list))
	for i, one := range list {
		texts[i] = fmt.Sprint(one)
	}
	return strings.Join(texts, ", ")
}

// kinds are the kinds of sources, with their names.
func kinds(ctx context.Context) []frame.Pair {
	list := make([]frame.Pair, 0, len(sources.Kinds()))
	for _, kind := range sources.Kinds() {
		list = append(list, frame.Pair{Name: kind, Value: frame.TellOr(ctx, strings.ToUpper(kind), "sources.kind."+kind)})
	}
	return list
}

// intervals are the intervals to choose from, with values in seconds and names in minutes. They include the
// source's own interval.
func intervals(ctx context.Context, f *frame.Form) []frame.Pair {
	seconds := []int{900, 1800, 3600, 7200, 21600, 43200, 86400, 604800}
	own, err := strconv.Atoi(f.Get("every"))
	if err == nil && own >= seconds[0] && own <= seconds[len(seconds)-1] && !slices.Contains(seconds, own) {
		seconds = append(seconds, own)
		slices.Sort(seconds)
	}
	list := make([]frame.Pair, 0, len(seconds))
	for _, s := range seconds {
		list = append(list, frame.Pair{Name: strconv.Itoa(s), Value: frame.Number(ctx, s/60)})
	}
	return list
}

// statuses are the statuses that new events can get.
func statuses(ctx context.Context) []frame.Pair {
	var list []frame.Pair
	for _, s := range []calendar.Status{calendar.Publish, calendar.Pending, calendar.Draft} {
		list = append(list, frame.Pair{Name: string(s), Value: frame.StatusOf(ctx, s)})
	}
	return list
}
