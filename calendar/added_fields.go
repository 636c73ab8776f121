package calendar

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// AddedFields are the values of an event or a venue in the fields that its site has added, by the fields' keys: texts (the key
// of a choice, a date as YYYY-MM-DD), float64 and bool. nil means no values.
type AddedFields map[string]any

// Among returns the fields of a list that have a value. It reuses the list.
func (o AddedFields) Among(list []*tenancy.Field) []*tenancy.Field {
	return slices.DeleteFunc(list, func(f *tenancy.Field) bool { return !o.Has(f) })
}

// Has reports whether a field has a valid value of its kind. An option that has since been removed is not valid.
func (o AddedFields) Has(f *tenancy.Field) bool {
	switch value := o[f.Key].(type) {
	case string:
		return f.Kind != tenancy.NumberField && f.Kind != tenancy.YesNoField &&
			(f.Kind != tenancy.ChoiceField || slices.Contains(f.Options, value))
	case float64:
		return f.Kind == tenancy.NumberField
	case bool:
		return f.Kind == tenancy.YesNoField
	}
	return false
}

// Same reports whether o and other have the same values.
func (o AddedFields) Same(other AddedFields) bool { return maps.Equal(o, other) }

// document returns the values as the history stores them.
func (o AddedFields) document() map[string]any {
	if o == nil {
		return map[string]any{}
	}
	return maps.Clone(o)
}

// FieldParam returns the parameter of an address that selects events by a field that the site has added.
func FieldParam(key string) string { return "fields[" + key + "]" }

// ParamField returns the key of the field that a parameter of an address selects by, or "" if the parameter is none
// of these.
func ParamField(param string) string {
	key, opens := strings.CutPrefix(param, "fields[")
	if key, closed := strings.CutSuffix(key, "]"); opens && closed && tenancy.FieldKey(key) {
		return key
	}
	return ""
}

// WriteAdded returns the values after a write. A member that is null or "" removes the value, and null instead of
// the object removes all. Values that are not sent, and those of archived fields, stay unchanged. Members that the
// site does not define are ignored if past is set, and refused otherwise.
func WriteAdded(was AddedFields, arg args.Opt[args.Members], s *tenancy.Site, of string, now time.Time, past bool) (AddedFields, error) {
	if !arg.Given() {
		return was, nil
	}
	sent, _ := arg.Get()
	is, found := maps.Clone(was), &args.Problems{}
	if is == nil {
		is = AddedFields{}
	}
	if arg.IsNull() {
		for _, f := range s.FieldsOf(of, false) {
			delete(is, f.Key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(sent)) {
		where, problems := "fields."+key, &args.Problems{}
		field := s.FieldNamed(key)
		switch {
		case field == nil || field.Archived || !slices.Contains(field.Of, of):
			problems.Invalid(where, "problem.added_field", nil)
		case sent[key] == nil || sent[key] == "":
			delete(is, key)
		default:
			if value := addedValue(field, sent[key], where, s.Location, now, problems); value != nil {
				is[key] = value
			}
		}
		if !past {
			_ = found.Add(problems.Err()) // all are *args.Problems
		}
	}
	if len(is) == 0 {
		is = nil
	}
	return is, found.Err()
}

// The limits of values in added fields.
var (
	addedText   = args.Field{Declared: "string", Line: true, Max: new(1000.0)}
	addedLink   = args.Field{Declared: "string", Format: "uri", Bytes: 2000}
	addedNumber = args.Field{Declared: "number", Min: new(-1e15), Max: new(1e15)}
	addedYesNo  = args.Field{Declared: "boolean"}
)

// addedValue returns a value that was sent for a field, or nil if it is invalid or blank.
func addedValue(f *tenancy.Field, sent any, where string, place *time.Location, now time.Time, found *args.Problems) any {
	switch f.Kind {
	case tenancy.YesNoField:
		if value, ok := args.As[bool](sent, addedYesNo, where, found); ok {
			return value
		}
	case tenancy.NumberField:
		if value, ok := args.As[float64](sent, addedNumber, where, found); ok {
			return value
		}
	case tenancy.LinkField:
		if value, ok := args.As[args.URL](sent, addedLink, where, found); ok {
			return string(value)
		}
	case tenancy.ChoiceField:
		if value, ok := args.As[string](sent, args.Field{Declared: "string", Enum: f.Options}, where, found); ok {
			return value
		}
	case tenancy.DateField:
		if date, ok := args.As[args.Date](sent, args.Field{}, where, found); ok {
			return date.Day(place, now).Format(time.DateOnly)
		}
	case tenancy.TextField:
		if text, ok := args.As[string](sent, addedText, where, found); ok {
			if text = wording.CleanLine(text); text != "" {
				return text
			}
		}
	}
	return nil
}

// chosenFields returns the conditions of a filter by added fields. Each value is a text with commas, a list, or a
// boolean. It refuses fields that are not filters.
func chosenFields(asked args.Members, s *tenancy.Site) (list []FieldChoice, err error) {
	found := &args.Problems{}
	for _, key := range slices.Sorted(maps.Keys(asked)) {
		where, f := "fields."+key, s.FieldNamed(key)
		if f == nil || f.Archived || !f.Filter {
			found.Invalid(where, "problem.field.filter", nil)
			continue
		}
		declared := args.Field{Declared: "string", Entries: 50, Enum: f.Options}
		if f.Kind == tenancy.YesNoField {
			declared.Enum = []string{"true", "false", "1", "0"}
		}
		value := asked[key]
		if flag, is := value.(bool); is {
			value = strconv.FormatBool(flag)
		}
		values, ok := args.As[args.Texts](value, declared, where, found)
		if values = slices.DeleteFunc(values, func(one string) bool { return one == "" }); !ok || len(values) == 0 {
			continue
		}
		for i, one := range values {
			if plain := map[string]string{"1": "true", "0": "false"}[one]; plain != "" && f.Kind == tenancy.YesNoField {
				values[i] = plain
			}
		}
		list = append(list, FieldChoice{key, values})
	}
	return list, found.Err()
}
