// Package added has the part of a form with the fields that a site has added to its events or venues.
package added

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/ui"
)

// addedPrefix is the prefix of the names of controls for fields that the site has added.
const addedPrefix = "fields."

// Name returns the name of the control for an added field.
func Name(key string) string { return addedPrefix + key }

// addedControls returns the sorted names of a form's controls for added fields.
func addedControls(f *frame.Form) []string {
	var list []string
	for name := range f.Values {
		if strings.HasPrefix(name, addedPrefix) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Compared compares all added fields together, as if they were one field.
var Compared = saving.Field{
	Text: func(f *frame.Form) string {
		var lines []string
		for _, name := range addedControls(f) {
			if text := f.Text(name); text != "" {
				lines = append(lines, strings.TrimPrefix(name, addedPrefix)+"="+text)
			}
		}
		return strings.Join(lines, "\n")
	},
	Sent: func(f *frame.Form) bool { return len(addedControls(f)) > 0 },
	Owns: func(control string) bool { return strings.HasPrefix(control, addedPrefix) }}

// Fill fills the controls of added fields with an entry's values.
func Fill(ctx context.Context, f *frame.Form, values calendar.AddedFields, of string) {
	for _, one := range tenancy.Current(ctx).Fields(of) {
		text := ""
		if values.Has(one) {
			text = history.RawText(values[one.Key])
		}
		f.Set(Name(one.Key), text)
	}
}

// Read reads the controls of added fields into the argument fields.
func Read(ctx context.Context, f *frame.Form, values args.Values) {
	object := map[string]any{}
	for _, name := range addedControls(f) {
		key := strings.TrimPrefix(name, addedPrefix)
		object[key] = nil
		if text := f.Text(name); text != "" {
			object[key] = Sent(ui.SiteOf(ctx).FieldNamed(key), text)
		}
	}
	if len(object) > 0 {
		values["fields"] = object
	}
}

// Sent is the value that the control of an added field sends. Numbers may have a decimal comma.
func Sent(f *tenancy.Field, text string) string {
	if f != nil && f.Kind == tenancy.NumberField {
		return strings.Replace(text, ",", ".", 1)
	}
	return text
}

// Readable returns the content of the controls for added fields as people read it: a line for each field that
// is not empty.
func Readable(ctx context.Context, f *frame.Form) string {
	values := map[string]string{}
	for _, name := range addedControls(f) {
		values[strings.TrimPrefix(name, addedPrefix)] = f.Text(name)
	}
	return addedLines(ctx, values)
}

// addedLines turns the values of controls into lines that people read, one per control.
func addedLines(ctx context.Context, values map[string]string) string {
	var lines []string
	for i := range ui.SiteOf(ctx).Fields {
		one := &ui.SiteOf(ctx).Fields[i]
		text := values[one.Key]
		if text == "" {
			continue
		}
		var value any = text
		if flag, err := strconv.ParseBool(text); one.Kind == tenancy.YesNoField && err == nil {
			value = flag
		}
		if number, err := strconv.ParseFloat(text, 64); one.Kind == tenancy.NumberField && err == nil {
			value = number
		}
		lines = append(lines, ui.AddedLabel(ctx, one)+": "+ui.AddedValue(ctx, one, value))
	}
	return strings.Join(lines, "\n")
}

// Text returns the content of an entry's added fields as one text, for comparing entries.
func Text(values calendar.AddedFields) string {
	texts := map[string]string{}
	for key, value := range values {
		texts[key] = history.RawText(value)
	}
	if len(texts) == 0 {
		return ""
	}
	text, _ := json.Marshal(texts) //nolint:errchkjson // texts
	return string(text)
}

// Shown turns what Text returned into lines that people read.
func Shown(ctx context.Context, text string) string {
	values := map[string]string{}
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		return ""
	}
	return addedLines(ctx, values)
}

// Label returns the label of the control for an added field, or "" for other controls.
func Label(ctx context.Context, name string) string {
	key, is := strings.CutPrefix(name, addedPrefix)
	if f := ui.SiteOf(ctx).FieldNamed(key); is && f != nil {
		return ui.AddedLabel(ctx, f)
	}
	return ""
}

// addedOptions are the options of a field that offers a choice.
func addedOptions(ctx context.Context, f *tenancy.Field, text tenancy.FieldText) []frame.Pair {
	if f.Kind == tenancy.YesNoField {
		return []frame.Pair{{Name: "true", Value: frame.Tell(ctx, "yes")}, {Name: "false", Value: frame.Tell(ctx, "no")}}
	}
	list := make([]frame.Pair, 0, len(f.Options))
	for _, key := range f.Options {
		list = append(list, frame.Pair{Name: key, Value: text.OptionLabel(key)})
	}
	return list
}

// addedType is the type of the input of a field.
func addedType(f *tenancy.Field) string {
	switch f.Kind {
	case tenancy.DateField:
		return "date"
	case tenancy.LinkField:
		return "url"
	default:
		return "text"
	}
}

// addedDirection is the value of the dir attribute of a field's input.
func addedDirection(f *tenancy.Field) string {
	if f.Kind == tenancy.TextField {
		return "auto"
	}
	return "ltr"
}

// addedDescribed are the attributes that associate a control with its hint and its problem. Numbers get a decimal
// keyboard.
func addedDescribed(ctx context.Context, f *frame.Form, one *tenancy.Field, text tenancy.FieldText) templ.Attributes {
	var by []string
	if text.Hint != "" {
		by = append(by, "t-"+Name(one.Key))
	}
	a := frame.DescribedTo(ctx, f, Name(one.Key), by...)
	if one.Kind == tenancy.NumberField {
		a["inputmode"] = "decimal"
	}
	return a
}
