package api

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// sourceRoutes are the routes of sources.
func (a *API) sourceRoutes() []Route {
	const (
		get, post, del       = "GET", "POST", "DELETE"
		read, create, update = args.Reading, args.Creating, args.Updating
		kind, one            = "source", "Source"
		all, id              = "/sources", "/sources/{id}"
	)
	return []Route{
		On[Nothing](get, all, "sources.list", read, a.listSources).Of(kind, "SourceList").By(tenancy.WriteSources).more(),
		On[Nothing](post, all, "sources.create", create, a.createSource).Of(kind, one).By(tenancy.WriteSources).more(),
		On[ByID](get, id, "sources.get", read, a.getSource).Of(kind, one).By(tenancy.WriteSources).more(),
		On[ByID](post, id, "sources.update", update, a.updateSource).Of(kind, one).By(tenancy.WriteSources).more(),
		On[ByID](del, id, "sources.delete", read, a.deleteSource).Of(kind, one).By(tenancy.WriteSources).more(),
		On[ByID](post, id+"/read", "sources.read", read, a.readSource).Of(kind, one).By(tenancy.WriteSources).more().Later(),
	}
}

func (a *API) listSources(ctx context.Context, _ Call, _ *Nothing) (*Answer, error) {
	if a.Sources == nil {
		return nil, ErrNoRoute
	}
	list, _, err := a.Sources.List(ctx)
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.List("sources", len(list), func(i int) { v.source(list[i]) })
	v.Close('}')
	return unkept(v.Answer(0)), nil
}

func (a *API) createSource(ctx context.Context, c Call, in *sources.Fields) (*Answer, error) {
	answer, w, err := a.sourceOf(ctx, func() (*sources.Source, error) { return a.Sources.Create(ctx, in, maps.Clone(c.Values)) })
	if err != nil {
		return nil, err
	}
	return answer.at(ctx, "/sources", w.ID), nil
}

func (a *API) getSource(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	answer, _, err := a.sourceOf(ctx, func() (*sources.Source, error) { return a.Sources.Get(ctx, c.Key.ID) })
	return answer, err
}

func (a *API) updateSource(ctx context.Context, c Call, in *sources.Fields) (*Answer, error) {
	answer, _, err := a.sourceOf(ctx, func() (*sources.Source, error) {
		if c.Unchanged {
			return a.Sources.Editable(ctx, c.Key.ID)
		}
		return a.Sources.Update(ctx, c.Key.ID, in, maps.Clone(c.Values), c.Condition)
	})
	return answer, err
}

func (a *API) deleteSource(ctx context.Context, c Call, in *sources.Removal) (*Answer, error) {
	answer, _, err := a.sourceOf(ctx, func() (*sources.Source, error) { return a.Sources.Delete(ctx, c.Key.ID, in, c.Condition) })
	return answer, err
}

func (a *API) readSource(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	answer, _, err := a.sourceOf(ctx, func() (*sources.Source, error) { return a.Sources.ReadNow(ctx, c.Key.ID) })
	return answer, err
}

// sourceOf answers with a source.
func (a *API) sourceOf(ctx context.Context, get func() (*sources.Source, error)) (*Answer, *sources.Source, error) {
	if a.Sources == nil {
		return nil, nil, ErrNoRoute
	}
	w, err := get()
	if err != nil {
		return nil, nil, err
	}
	v := a.newView(ctx)
	v.source(w)
	return unkept(v.Answer(w.Version)), w, nil
}

// source writes a source.
func (v *View) source(w *sources.Source) {
	v.Item()
	v.Int("id", w.ID)
	v.Text("name", w.Name)
	v.Text("kind", w.Kind)
	v.Text("url", w.Shown)
	v.TextOrNull("site", w.Page)
	v.Int("every", int64(w.Every))
	v.Text("policy", w.Policy)
	v.Text("gone", w.Gone)
	for _, name := range imports.Handlings() {
		if value, said := w.Given[name]; said {
			v.Raw(name, asJSON(value))
		}
	}
	if w.Kind == sources.Site || len(w.Filter) > 0 {
		v.Raw("filter", asJSON(w.Filter))
	}
	if w.Kind == sources.Site {
		v.Raw("mapping", asJSON(w.Mapping))
	}
	v.Bool("active", w.Active)
	v.Instant("last_read", w.Read)
	v.Instant("last_success", w.Success)
	v.Instant("next_read", w.Next)
	v.Bool("reading", w.Running != 0)
	v.Problem(w.Problem)
	if w.Counts == nil {
		v.Raw("counts", "null")
	} else {
		v.counts(w.Counts)
	}
	v.Digits("author", w.User)
	v.Instant("created", w.Created)
	v.Text("rest_url", v.Root+"/sources/"+idText(w.ID))
	v.Text("imports_url", v.Root+"/imports?source="+idText(w.ID))
	v.Close('}')
}

// asJSON returns a parsed JSON value as JSON text.
func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "null"
	}
	return string(text)
}

// Problem writes why an import failed, or a source.
func (v *View) Problem(p *imports.Problem) {
	if p == nil {
		v.Raw("problem", "null")
		return
	}
	v.Raw("problem", string(Failure{Status: p.Status, Code: p.Code, Data: p.Data}.JSON(v.Scope.Language)))
}

// counts writes how many entries had which result.
func (v *View) counts(c *imports.Counts) {
	v.Open("counts", '{')
	v.Int("read", int64(c.Read))
	v.Int("created", int64(c.Created))
	v.Int("changed", int64(c.Changed))
	v.Int("same", int64(c.Same))
	v.Int("cancelled", int64(c.Cancelled))
	v.Int("refused", int64(c.Refused))
	v.Int("warned", int64(c.Warned))
	v.Close('}')
}

// origin writes the source of an event or an import, or null if the source no longer exists. For callers who may
// edit the event, it includes the fields that the source no longer changes.
func (v *View) origin(id int64, e *calendar.Event) {
	of, there := v.Scope.Site.Sources[id]
	if !there {
		v.Raw("source", "null")
		return
	}
	v.Open("source", '{')
	v.Int("id", id)
	v.Text("name", of.Name)
	v.TextOrNull("site", of.Site)
	if e != nil && calendar.MayEdit(v.Scope.Principal, &e.Post) {
		v.Raw("kept", asJSON(append([]string{}, v.kept[e.ID]...)))
	}
	v.Close('}')
}
