package console

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

const defaultsPath = frame.ConsoleRoot + "/defaults"

var (
	defaultsTable  = args.TableOf(reflect.TypeFor[platform.DefaultsFields]())
	defaultsFields = []string{"language", "timezone", "currency_code", "plan", "theme", "map_tiles", "map_credit"}
)

// freshForm returns the form of a new site with the defaults of the installation. Without a default, its language is that of the console.
func (w *Pages) freshForm(v *frame.Visit) (*frame.Form, error) {
	d, err := w.platform.Sites.Defaults(v.Ctx)
	return &frame.Form{Kind: "found", Values: url.Values{
		"timezone":      {cmp.Or(d.Timezone, "UTC")},
		"plan":          {d.DefaultPlan()},
		"language":      {cmp.Or(d.Language, v.Scope().Language)},
		"currency_code": {d.Currency},
		"theme":         {cmp.Or(d.Theme, tenancy.DefaultSettings().Face.Theme)},
		"map_tiles":     {d.Tiles},
		"map_credit":    {d.Credit},
	}}, err
}

func (w *Pages) defaults(v *frame.Visit, _ string) (*frame.Reply, error) {
	f, err := w.freshForm(v)
	if err != nil {
		return nil, err
	}
	return w.defaultsReply(v, f, 0)
}

func (w *Pages) defaultsReply(v *frame.Visit, f *frame.Form, status int) (*frame.Reply, error) {
	plans, err := w.planChoices(v.Ctx)
	if err != nil {
		return nil, err
	}
	return &frame.Reply{
		Status:  status,
		Title:   frame.Tell(v.Ctx, "console.defaults"),
		Section: "sites",
		Body:    defaultsPage(&siteEditor{f, plans}),
	}, nil
}

// setDefaults stores the form.
func (w *Pages) setDefaults(v *frame.Visit, _ string) (*frame.Reply, error) {
	v.Form.Kind = "found"
	values := args.Values{}
	for _, name := range defaultsFields {
		values[name] = strings.TrimSpace(v.Form.Get(name))
	}
	fields, err := frame.Parsed[platform.DefaultsFields](defaultsTable, values, args.Creating)
	if err == nil {
		err = w.platform.Sites.SetDefaults(v.Ctx, fields)
	} else if v.Form.Refuse(v.Ctx, err) {
		err = w.knowPlan(v.Ctx, v.Form)
		if err == nil {
			err = frame.ErrWrong
		}
	}
	switch {
	case err == nil:
		return &frame.Reply{Redirect: frame.ConsoleRoot, Say: "saved"}, nil
	case !v.Form.Refuse(v.Ctx, err):
		return nil, err
	}
	return w.defaultsReply(v, v.Form, http.StatusUnprocessableEntity)
}

// themes are the themes that a site can have, by name.
func themes(ctx context.Context) []frame.Pair {
	return frame.NamedChoices(ctx, "settings.theme.", defaultsTable.Field("theme").Enum)
}
