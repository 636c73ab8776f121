package api

import (
	"context"
	"maps"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// byKey is the path argument of a field.
type byKey struct {
	Key args.Opt[string] `arg:"key,path"`
}

// fieldRoutes are the routes of the fields that a site adds.
func (a *API) fieldRoutes() []Route {
	const (
		get, post, del       = "GET", "POST", "DELETE"
		read, create, update = args.Reading, args.Creating, args.Updating
		kind, one            = "field", "Field"
		all, key             = "/fields", "/fields/{key}"
	)
	return []Route{
		On[Nothing](get, all, "fields.list", read, a.listFields).Of(kind, "FieldList").By(tenancy.NoAccess).more(),
		On[Nothing](post, all, "fields.create", create, a.createField).Of(kind, one).By(tenancy.WriteSettings).more(),
		On[byKey](get, key, "fields.get", read, a.getField).Of(kind, one).By(tenancy.NoAccess).more(),
		On[byKey](post, key, "fields.update", update, a.updateField).Of(kind, one).By(tenancy.WriteSettings).more(),
		On[byKey](del, key, "fields.delete", read, a.deleteField).Of(kind, one).By(tenancy.WriteSettings).more(),
	}
}

func (a *API) listFields(ctx context.Context, _ Call, _ *Nothing) (*Answer, error) {
	if a.Fields == nil {
		return nil, ErrNoRoute
	}
	list, version, err := a.Fields.Fields(ctx)
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.List("fields", len(list), func(i int) { v.field(&list[i]) })
	v.Close('}')
	return v.Answer(version), nil
}

func (a *API) createField(ctx context.Context, _ Call, in *platform.FieldDefinition) (*Answer, error) {
	var key string
	answer, err := a.fieldOf(ctx, func() (*tenancy.Field, error) {
		f, err := a.Fields.CreateField(ctx, in)
		if err == nil {
			key = f.Key
		}
		return f, err
	})
	if err == nil {
		answer.Location = scopeOf(ctx).Base.API() + "/fields/" + key
	}
	return answer, err
}

func (a *API) getField(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	return a.fieldOf(ctx, func() (*tenancy.Field, error) { return a.Fields.Field(ctx, c.Key.Slug) })
}

func (a *API) updateField(ctx context.Context, c Call, in *platform.FieldDefinition) (*Answer, error) {
	return a.fieldOf(ctx, func() (*tenancy.Field, error) {
		if c.Unchanged {
			return a.Fields.EditableField(ctx, c.Key.Slug)
		}
		return a.Fields.UpdateField(ctx, c.Key.Slug, in, c.Condition)
	})
}

func (a *API) deleteField(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	return a.fieldOf(ctx, func() (*tenancy.Field, error) { return a.Fields.DeleteField(ctx, c.Key.Slug, c.Condition) })
}

// fieldOf answers with a field.
func (a *API) fieldOf(ctx context.Context, get func() (*tenancy.Field, error)) (*Answer, error) {
	if a.Fields == nil {
		return nil, ErrNoRoute
	}
	f, err := get()
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.field(f)
	return v.Answer(f.Version), nil
}

// field writes the definition of a field.
func (v *View) field(f *tenancy.Field) {
	text := v.Scope.FieldText(f)
	v.Item()
	v.Text("key", f.Key)
	v.Text("kind", string(f.Kind))
	v.Texts("of", f.Of...)
	v.Text("label", text.Label)
	v.Some("hint", text.Hint)
	v.Some("unit", text.Unit)
	if f.Kind == tenancy.ChoiceField {
		v.Open("options", '[')
		for _, key := range f.Options {
			v.Item()
			v.Text("key", key)
			v.Text("label", text.OptionLabel(key))
			v.Close('}')
		}
		v.Close(']')
	}
	v.Bool("public", f.Public)
	v.Bool("filter", f.Filter)
	if f.Archived {
		v.Bool("archived", true)
	}
	v.Open("translations", '{')
	for _, language := range slices.Sorted(maps.Keys(f.Texts)) {
		v.fieldText(language, f.Texts[language])
	}
	v.Close('}')
	v.Text("rest_url", v.Root+"/fields/"+f.Key)
	v.Close('}')
}

// fieldText writes the label, the hint and the other texts of a field in one language.
func (v *View) fieldText(language string, t tenancy.FieldText) {
	v.Open(language, '{')
	v.Some("label", t.Label)
	v.Some("hint", t.Hint)
	v.Some("unit", t.Unit)
	if len(t.Options) > 0 {
		v.Open("options", '{')
		for _, key := range slices.Sorted(maps.Keys(t.Options)) {
			v.Text(key, t.Options[key])
		}
		v.Close('}')
	}
	v.Close('}')
}

// added writes the values of an event or a venue in the fields that its site has added, if the caller may see any.
func (v *View) added(values calendar.AddedFields, of string) {
	if len(values) == 0 {
		return
	}
	list := values.Among(v.Scope.Fields(of))
	if len(list) == 0 {
		return
	}
	v.Open("fields", '{')
	for _, f := range list {
		switch value := values[f.Key].(type) {
		case string:
			v.Text(f.Key, value)
		case float64:
			v.Float(f.Key, value)
		case bool:
			v.Bool(f.Key, value)
		}
	}
	v.Close('}')
}
