package fields

import (
	"context"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

var table = args.TableOf(reflect.TypeFor[platform.FieldDefinition]())

// newFields are the fields of the form of a new field, in its order.
var newFields = []string{"label", "kind", "options", "of"}

// optionName is the name of a control of an option. at counts from 0.
func optionName(at int, part string) string { return "options[" + strconv.Itoa(at) + "][" + part + "]" }

// control is the name of the control of a text in a language.
func control(language, part string) string { return "translations." + language + "." + part }

// lines returns the lines of a control, without empty lines and repetitions.
func lines(f *frame.Form, name string) (list []string) {
	for line := range strings.Lines(f.Text(name)) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}

// readNew returns the arguments of a new field. It ignores options unless the field is a choice.
func readNew(ctx context.Context, f *frame.Form) (*platform.FieldDefinition, error) {
	values := args.Values{}
	f.Read(table.Field("label"), values)
	f.Read(table.Field("kind"), values)
	f.ReadAll("of", values)
	if f.Get("kind") == string(tenancy.ChoiceField) {
		list := []any{}
		for _, line := range lines(f, "options") {
			list = append(list, map[string]any{"label": line})
		}
		values["options"] = list
	}
	in, err := frame.Parsed[platform.FieldDefinition](table, values, args.Creating)
	return in, complete(ctx, f, values, err)
}

// read returns the arguments of the page of a field.
func read(ctx context.Context, f *frame.Form, field *tenancy.Field, languages []string) (*platform.FieldDefinition, error) {
	values := args.Values{}
	for _, name := range []string{"label", "hint", "unit", "public", "filter"} {
		f.Read(table.Field(name), values)
	}
	f.ReadAll("of", values)
	options := readOptions(f)
	if field.Kind == tenancy.ChoiceField {
		list := []any{}
		for _, one := range options {
			object := map[string]any{"label": one.label}
			if one.key != "" {
				object["key"] = one.key
			}
			list = append(list, object)
		}
		values["options"] = list
	}
	translations := map[string]any{}
	for _, language := range languages {
		if f.Has(control(language, "label")) {
			translations[language] = readTexts(f, language, options)
		}
	}
	if len(translations) > 0 {
		values["translations"] = translations
	}
	in, err := frame.Parsed[platform.FieldDefinition](table, values, args.Updating)
	return in, complete(ctx, f, values, err)
}

// complete adds problems for empty lists to the problems in err, so that the form shows all of them together. It
// returns frame.ErrWrong if there are any.
func complete(ctx context.Context, f *frame.Form, values args.Values, err error) error {
	if err != nil && !f.Refuse(ctx, err) {
		return err
	}
	for name, text := range map[string]string{"of": frame.Tell(ctx, "required"), "options": i18n.T(ctx, "problem.field.options", nil)} {
		if list, sent := values[name].([]any); sent && len(list) == 0 {
			f.Wrong(name, text)
		}
	}
	if len(f.Problems) > 0 {
		return frame.ErrWrong
	}
	return nil
}

// readTexts returns the texts in a language, or nil if there are none.
func readTexts(f *frame.Form, language string, options []option) any {
	labels := map[string]any{}
	for _, one := range options {
		if text := f.Text(control(language, "options."+one.key)); one.key != "" && text != "" {
			labels[one.key] = text
		}
	}
	texts := map[string]any{"options": labels}
	said := len(labels) > 0
	for _, part := range []string{"label", "hint", "unit"} {
		texts[part] = nil
		if text := f.Text(control(language, part)); text != "" {
			texts[part], said = text, true
		}
	}
	if !said {
		return nil
	}
	return texts
}

// option is an option of a field. Its key is "" while it is new.
type option struct{ key, label string }

// rows returns the options of a form as they were typed, including those without a label.
func rows(f *frame.Form) (list []option) {
	for at := 0; f.Has(optionName(at, "key")); at++ {
		list = append(list, option{f.Get(optionName(at, "key")), f.Text(optionName(at, "label"))})
	}
	return list
}

// readOptions returns the options that the form keeps, followed by the new ones.
func readOptions(f *frame.Form) []option {
	list := slices.DeleteFunc(rows(f), func(one option) bool { return one.label == "" })
	for _, line := range lines(f, "more") {
		if !slices.ContainsFunc(list, func(one option) bool { return one.label == line }) {
			list = append(list, option{label: line})
		}
	}
	return list
}

// moveOption moves an option of a form up or down. The button sends row_up.2 or row_down.2, counted from 0.
func moveOption(f *frame.Form, do string) {
	what, number, _ := strings.Cut(do, ".")
	at, err := strconv.Atoi(number)
	to := at + map[string]int{"row_up": -1, "row_down": 1}[what]
	list := rows(f)
	if err != nil || at < 0 || to < 0 || at >= len(list) || to >= len(list) {
		return
	}
	list[at], list[to] = list[to], list[at]
	setRows(f, list)
	f.First = optionName(to, "label")
}

func setRows(f *frame.Form, list []option) {
	for at, one := range list {
		f.Set(optionName(at, "key"), one.key)
		f.Set(optionName(at, "label"), one.label)
	}
}

// formOf is the form of a field.
func formOf(ctx context.Context, field *tenancy.Field) *frame.Form {
	tick := map[bool]string{true: "1", false: "0"}
	own := field.Texts[ui.SiteOf(ctx).Language]
	f := &frame.Form{Values: url.Values{"label": {own.Label}, "of": field.Of, "hint": {own.Hint}, "unit": {own.Unit},
		"public": {tick[field.Public]}, "filter": {tick[field.Filter]}, "seen": {frame.IDText(field.Version)}}}
	list := make([]option, 0, len(field.Options))
	for _, key := range field.Options {
		list = append(list, option{key, own.OptionLabel(key)})
	}
	setRows(f, list)
	for language, text := range field.Texts {
		f.Set(control(language, "label"), text.Label)
		f.Set(control(language, "hint"), text.Hint)
		f.Set(control(language, "unit"), text.Unit)
		for _, key := range slices.Sorted(maps.Keys(text.Options)) {
			f.Set(control(language, "options."+key), text.Options[key])
		}
	}
	return f
}

// refuse adds the problems of an error to the controls, and reports whether there were any.
func refuse(v *frame.Visit, err error) bool {
	if !v.Form.Refuse(v.Ctx, err) {
		return false
	}
	for name, text := range maps.Clone(v.Form.Problems) {
		if language, of := strings.CutPrefix(name, "translations."); of && !strings.Contains(language, ".") {
			delete(v.Form.Problems, name)
			v.Form.Wrong(control(language, "label"), text)
		}
	}
	return true
}
