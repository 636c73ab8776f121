// Package fields has the pages on which administrators define the extra fields of a site.
package fields

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

const (
	path     = frame.AdminRoot + "/fields"
	editPath = path + "/edit"
)

// Pages are the pages about extra fields.
type Pages struct{ platform *platform.Platform }

// New returns the pages.
func New(p *platform.Platform) *Pages { return &Pages{p} }

// Routes are the routes of these pages, for the administration to add to its own.
func (w *Pages) Routes() []frame.Route {
	const may = tenancy.ManageSite
	return []frame.Route{
		frame.GetPage("/fields", may, w.list),
		frame.FormPage("/fields", may, w.create),
		frame.PostPage("/fields/move", may, w.move),
		frame.GetPage("/fields/edit", may, w.show),
		frame.FormPage("/fields/edit", may, w.change),
	}
}

// index is the list of fields, with the form for a new one.
type index struct {
	form *frame.Form
	list []tenancy.Field
}

// editor is the page of a field.
type editor struct {
	*tenancy.Field

	form      *frame.Form
	languages []string // languages with texts, besides the site's own
	stale     bool     // it was changed after the administrator saw it
}

// address is the address of the page of a field.
func address(key string) string { return editPath + "?key=" + url.QueryEscape(key) }

func (w *Pages) list(v *frame.Visit) (*frame.Reply, error) {
	v.Form.Values = url.Values{"once": {frame.NewToken()}, "kind": {string(tenancy.TextField)}, "of": {tenancy.FieldOfEvents}}
	return w.index(v, 0)
}

func (w *Pages) index(v *frame.Visit, status int) (*frame.Reply, error) {
	list, _, err := w.platform.Sites.Fields(v.Ctx)
	if err != nil {
		return nil, err
	}
	v.Form.Kind = "extra"
	v.Form.Attend(newFields)
	return &frame.Reply{
		Status:  status,
		Title:   frame.Tell(v.Ctx, "nav.fields"),
		Section: "fields",
		Body:    indexPage(&index{v.Form, list}),
	}, nil
}

// create adds a field and redirects to its page, which has the rest of its settings.
func (w *Pages) create(v *frame.Visit) (*frame.Reply, error) {
	if v.Form.ShownAgain() {
		return w.index(v, 0)
	}
	in, err := readNew(v.Ctx, v.Form)
	if err == nil {
		var version int64
		var key string
		version, err = w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), accounts.Batch, func(ctx context.Context) (int64, error) {
			made, err := w.platform.Sites.CreateField(ctx, in)
			if err != nil {
				return 0, err
			}
			key = made.Key
			return made.Version, nil
		})
		switch {
		case err == nil && key != "":
			return &frame.Reply{Redirect: address(key), Say: "saved"}, nil
		case err == nil:
			return w.made(v, version)
		}
	}
	if refuse(v, err) {
		return w.index(v, http.StatusUnprocessableEntity)
	}
	return nil, err
}

// made redirects to the field that an earlier request with the same form created, at a version of the site.
func (w *Pages) made(v *frame.Visit, version int64) (*frame.Reply, error) {
	list, _, err := w.platform.Sites.Fields(v.Ctx)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Version == version {
			return &frame.Reply{Redirect: address(list[i].Key), Say: "saved"}, nil
		}
	}
	return &frame.Reply{Redirect: path, Say: "saved"}, nil
}

// move moves a field to a position, counted from 1. A form that is sent twice moves it once.
func (w *Pages) move(v *frame.Visit) (*frame.Reply, error) {
	list, _, err := w.platform.Sites.Fields(v.Ctx)
	if err != nil {
		return nil, err
	}
	key := v.Form.Get("key")
	position, err := strconv.Atoi(v.Form.Get("position"))
	if err == nil && position >= 1 && position <= len(list) {
		to := &platform.FieldDefinition{Position: args.Some(position)}
		if _, err := w.platform.Sites.UpdateField(v.Ctx, key, to, nil); err != nil && !errors.Is(err, platform.ErrNoField) {
			return nil, err
		}
	}
	return &frame.Reply{Redirect: path + "#k-" + key}, nil
}

// get returns the field in the address of a visit.
func (w *Pages) get(v *frame.Visit) (*tenancy.Field, error) {
	key := v.Form.Get("key")
	if key == "" {
		key = v.Query.Get("key")
	}
	f, err := w.platform.Sites.EditableField(v.Ctx, key)
	if errors.Is(err, platform.ErrNoField) {
		return nil, calendar.ErrNotFound
	}
	return f, err
}

func (w *Pages) show(v *frame.Visit) (*frame.Reply, error) {
	f, err := w.get(v)
	if err != nil {
		return nil, err
	}
	return w.reply(v, &editor{Field: f, form: formOf(v.Ctx, f)}, 0)
}

func (w *Pages) reply(v *frame.Visit, ed *editor, status int) (*frame.Reply, error) {
	site := v.Scope().Site
	ed.languages = site.Others()
	ed.form.Kind = "extra"
	ed.form.Attend(ed.order())
	text := v.Scope().FieldText(ed.Field)
	return &frame.Reply{Status: status, Title: text.Label, Section: "fields", Here: address(ed.Key), Body: editorPage(ed)}, nil
}

// change performs the action of the pressed button.
func (w *Pages) change(v *frame.Visit) (*frame.Reply, error) {
	f, err := w.get(v)
	if err != nil {
		return nil, err
	}
	ed := &editor{Field: f, form: v.Form}
	switch do := v.Form.Get("do"); do {
	case "save":
		return w.save(v, ed)
	case "archive", "restore":
		_, err := w.platform.Sites.UpdateField(v.Ctx, f.Key, &platform.FieldDefinition{Archived: args.Some(do == "archive")}, nil)
		return &frame.Reply{Redirect: address(f.Key), Say: "saved"}, err
	case "delete":
		return w.remove(v, f)
	default:
		moveOption(v.Form, do)
	}
	return w.reply(v, ed, 0)
}

func (w *Pages) save(v *frame.Visit, ed *editor) (*frame.Reply, error) {
	in, err := read(v.Ctx, v.Form, ed.Field, v.Scope().Site.Others())
	if err == nil {
		seen, _ := strconv.ParseInt(v.Form.Get("seen"), 10, 64)
		_, err = w.platform.Sites.UpdateField(v.Ctx, ed.Key, in, frame.Still(seen))
	}
	switch {
	case err == nil:
		return &frame.Reply{Redirect: path, Say: "saved"}, nil
	case errors.Is(err, calendar.ErrPrecondition):
		ed.stale = true
		ed.form.Set("seen", frame.IDText(ed.Version))
		return w.reply(v, ed, http.StatusConflict)
	case errors.Is(err, platform.ErrNoField):
		return nil, calendar.ErrNotFound
	case refuse(v, err):
		return w.reply(v, ed, http.StatusUnprocessableEntity)
	}
	return nil, err
}

// remove asks for confirmation, with the number of events and venues that use the field, and then deletes the
// field.
func (w *Pages) remove(v *frame.Visit, f *tenancy.Field) (*frame.Reply, error) {
	if v.Form.Get("sure") == "" {
		use, err := w.platform.Sites.FieldUse(v.Ctx, f.Key)
		if err != nil {
			return nil, err
		}
		notes := []string{frame.TellWith(v.Ctx, "fields.used.events", "Number", frame.Number(v.Ctx, use.Events)),
			frame.TellWith(v.Ctx, "fields.used.venues", "Number", frame.Number(v.Ctx, use.Venues))}
		if use.Events+use.Venues > 0 {
			notes = append(notes, frame.Tell(v.Ctx, "fields.delete"))
		}
		text := v.Scope().FieldText(f)
		return &frame.Reply{
			Title:   frame.Tell(v.Ctx, "delete.title"),
			Section: "fields",
			Here:    address(f.Key),
			Body: frame.ConfirmPage(frame.Confirmation{
				Action: editPath, Back: address(f.Key), Names: []frame.Pair{{Name: f.Key, Value: text.Label}}, Notes: notes,
				Kept: []frame.Pair{{Name: "key", Value: f.Key}}}),
		}, nil
	}
	if _, err := w.platform.Sites.DeleteField(v.Ctx, f.Key, nil); err != nil && !errors.Is(err, platform.ErrNoField) {
		return nil, err
	}
	return &frame.Reply{Redirect: path, Say: "delete", Count: 1}, nil
}

// order returns the names of the page's controls, in order.
func (ed *editor) order() []string {
	list := []string{"label", "of", "hint", "unit", "options", "public", "filter"}
	for _, language := range ed.languages {
		for _, part := range []string{"label", "hint", "unit", "options"} {
			list = append(list, control(language, part))
		}
	}
	return list
}

// label returns a function with the labels of the page's controls.
func label(f *frame.Form) func(ctx context.Context, name string) string {
	return func(ctx context.Context, name string) string {
		language, part, in := strings.Cut(strings.TrimPrefix(name, "translations."), ".")
		if !in {
			return f.Label(ctx, name)
		}
		return i18n.NameOf(tenancy.Current(ctx).Language, language) + ", " + f.Label(ctx, part)
	}
}

// kinds are the kinds of fields to choose from.
func kinds(ctx context.Context) []frame.Pair {
	var list []frame.Pair
	for _, kind := range table.Field("kind").Enum {
		list = append(list, frame.Pair{Name: kind, Value: frame.Tell(ctx, "fields.kind."+kind)})
	}
	return list
}

// summary is the kind of a field, and whether events or venues have it.
func summary(ctx context.Context, f *tenancy.Field) string {
	parts := []string{frame.Tell(ctx, "fields.kind."+string(f.Kind))}
	for _, of := range owners(ctx) {
		if slices.Contains(f.Of, of.Name) {
			parts = append(parts, of.Value)
		}
	}
	return strings.Join(parts, " · ")
}

// owners are the kinds of entries that can have a field: events and venues.
func owners(ctx context.Context) []frame.Pair {
	return []frame.Pair{
		{Name: tenancy.FieldOfEvents, Value: frame.Tell(ctx, "nav.events")},
		{Name: tenancy.FieldOfVenues, Value: frame.Tell(ctx, "nav.venues")},
	}
}

// nameOf is the label of a field.
func nameOf(ctx context.Context, f *tenancy.Field) string { return ui.AddedLabel(ctx, f) }

// wrongIn reports whether the texts in a language have a problem.
func (ed *editor) wrongIn(language string) bool {
	return ed.form.WrongAmong(
		control(language, "label"),
		control(language, "hint"),
		control(language, "unit"),
		control(language, "options"),
	)
}
