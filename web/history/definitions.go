package history

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// definitions returns the differences between two states of a site's extra fields: their names, options and visibility, and
// their order.
func definitions(ctx context.Context, before, after any) (list []Difference) {
	was, is := definedIn(before), definedIn(after)
	keys := func(all []tenancy.Field, of []tenancy.Field) (keys, names []string) {
		for i := range all {
			if slices.ContainsFunc(of, func(f tenancy.Field) bool { return f.Key == all[i].Key }) {
				keys, names = append(keys, all[i].Key), append(names, ui.AddedLabel(ctx, &all[i]))
			}
		}
		return keys, names
	}
	keysWere, namesWere := keys(was, is)
	keysAre, namesAre := keys(is, was)
	if !slices.Equal(keysWere, keysAre) {
		list = append(list, Difference{
			label:  FieldLabel(ctx, "site", "fields"),
			before: strings.Join(namesWere, "\n"),
			after:  strings.Join(namesAre, "\n"),
		})
	}
	site := &tenancy.Site{Fields: was}
	for i := range is {
		list = append(list, definition(ctx, site.FieldNamed(is[i].Key), &is[i])...)
	}
	site.Fields = is
	for i := range was {
		if site.FieldNamed(was[i].Key) == nil {
			list = append(list, definition(ctx, &was[i], nil)...)
		}
	}
	return list
}

// definedIn reads the fields of a site from the history.
func definedIn(value any) (list []tenancy.Field) {
	if text, err := json.Marshal(value); err == nil {
		_ = json.Unmarshal(text, &list) // of older releases, nothing
	}
	return list
}

// definition returns the differences between two states of one field. nil means that there is no field.
func definition(ctx context.Context, was, is *tenancy.Field) (list []Difference) {
	one := is
	if one == nil {
		one = was
	}
	of, form := ui.AddedLabel(ctx, one), &frame.Form{Kind: "extra"}
	add := func(label string, text func(*tenancy.Field) string) {
		d := Difference{label: of + " · " + label}
		if was != nil {
			d.before = text(was)
		}
		if is != nil {
			d.after = text(is)
		}
		if d.before != d.after {
			list = append(list, d)
		}
	}
	yes := func(label string, on func(*tenancy.Field) bool) {
		add(label, func(f *tenancy.Field) string { return ValueText(ctx, "", "", on(f)) })
	}
	add(form.Label(ctx, "kind"), func(f *tenancy.Field) string { return frame.Tell(ctx, "fields.kind."+string(f.Kind)) })
	add(form.Label(ctx, "of"), func(f *tenancy.Field) string {
		var names []string
		for _, kind := range f.Of {
			names = append(names, frame.Tell(ctx, "nav."+kind+"s"))
		}
		return strings.Join(names, "\n")
	})
	add(form.Label(ctx, "label"), func(f *tenancy.Field) string {
		return inEach(f, func(t *tenancy.FieldText) string { return t.Label })
	})
	add(form.Label(ctx, "hint"), func(f *tenancy.Field) string {
		return inEach(f, func(t *tenancy.FieldText) string { return t.Hint })
	})
	add(form.Label(ctx, "unit"), func(f *tenancy.Field) string {
		return inEach(f, func(t *tenancy.FieldText) string { return t.Unit })
	})
	add(form.Label(ctx, "options"), func(f *tenancy.Field) string {
		return inEach(f, func(t *tenancy.FieldText) string {
			var names []string
			for _, key := range f.Options {
				if t.Options[key] != "" {
					names = append(names, t.Options[key])
				}
			}
			return strings.Join(names, frame.Tell(ctx, "comma")+" ")
		})
	})
	yes(form.Label(ctx, "public"), func(f *tenancy.Field) bool { return f.Public })
	yes(frame.Tell(ctx, "fields.filter"), func(f *tenancy.Field) bool { return f.Filter })
	yes(frame.Tell(ctx, "fields.archived"), func(f *tenancy.Field) bool { return f.Archived })
	return list
}

// inEach returns a text of a field in each of its languages, with the names of the languages if there are several.
func inEach(f *tenancy.Field, part func(*tenancy.FieldText) string) string {
	var lines []string
	for _, language := range slices.Sorted(maps.Keys(f.Texts)) {
		t := f.Texts[language]
		text := part(&t)
		if text == "" {
			continue
		}
		if len(f.Texts) > 1 {
			text = i18n.NativeName(language) + ": " + text
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}
