package frame

import (
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Form holds the values of a form and the problems with them.
type Form struct {
	Kind     string // for the labels: event, venue, …
	Action   string // path to which buttons send a part of the form
	Values   url.Values
	Files    map[string]*args.File
	Uploads  []*args.File      // all files named "files", including empty ones
	Stream   io.Reader         // a file that has not been read yet, or nil; see Streams
	Problems map[string]string // argument → text
	Most     map[string]int    // maximum length of fields in characters
	Empty    string            // shown in fields of text that are empty: what that means; "": nothing
	First    string            // field that gets the focus, such as the first field with a problem
}

// readForm reads a form in any encoding. It returns the errors of ui.ReadPosted.
func readForm(c *fiber.Ctx) (*Form, error) {
	if Streams(c) {
		return readStream(c)
	}
	sent, err := ui.ReadPosted(c)
	if err != nil {
		return nil, err
	}
	f := &Form{Values: sent.Values, Files: map[string]*args.File{}, Uploads: sent.Files["files"]}
	for name, list := range sent.Files {
		if len(list) > 0 && list[0].Size > 0 {
			f.Files[name] = list[0]
		}
	}
	return f, nil
}

// Get returns the last value of a name. For a ticked box this is the value of the box, which follows the hidden
// field for the unticked state.
func (f *Form) Get(name string) string {
	if all := f.Values[name]; len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// Text returns the last value of a name, trimmed and with normalized line ends.
func (f *Form) Text(name string) string {
	return strings.TrimSpace(strings.ReplaceAll(f.Get(name), "\r\n", "\n"))
}

// All returns the values of a name that are not blank.
func (f *Form) All(name string) []string {
	var list []string
	for _, text := range f.Values[name] {
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// Has reports whether a name was sent.
func (f *Form) Has(name string) bool { return len(f.Values[name]) > 0 }

// Ticked reports whether a box is ticked.
func (f *Form) Ticked(name string) bool { return f.Get(name) == "1" }

// Among reports whether value is one of the values of a name.
func (f *Form) Among(name, value string) bool { return slices.Contains(f.Values[name], value) }

// Set replaces the values of a name.
func (f *Form) Set(name string, list ...string) { f.Values[name] = list }

// Problem returns the problem with an argument, or "".
func (f *Form) Problem(name string) string { return f.Problems[name] }

// Told returns the label of a field followed by its problem, for showing the problem elsewhere on the page.
func (f *Form) Told(ctx context.Context, name string) string {
	return f.Label(ctx, name) + ": " + f.Problem(name)
}

// Wrong adds a problem, whose text is in the language of the request.
func (f *Form) Wrong(name, text string) {
	if f.Problems == nil {
		f.Problems = map[string]string{}
	}
	if f.Problems[name] == "" {
		f.Problems[name] = text
	}
}

// WrongAmong reports whether any of these arguments has a problem.
func (f *Form) WrongAmong(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return f.Problems[name] != "" })
}

// ErrWrong is returned if a form has problems, which are in the form.
var ErrWrong = errors.New("form with problems")

// limitFields are the fields next to which a reached limit is reported.
var limitFields = map[string]string{"events": "title", "occurrences": "recurrence", "users": "login", "media_bytes": "image"}

// Refuse adds the problems contained in an error, including plan limits, and reports whether there were any. It
// ignores other errors.
func (f *Form) Refuse(ctx context.Context, err error) bool {
	if errors.Is(err, ErrWrong) {
		return true
	}
	if limit := (*tenancy.LimitError)(nil); errors.As(err, &limit) {
		f.Wrong(limitFields[limit.What], i18n.T(ctx, limit.Key(), limit.Data()))
		return true
	}
	if busy := (*calendar.BusyError)(nil); errors.As(err, &busy) {
		f.Wrong("image", i18n.T(ctx, "error.images-busy", nil))
		return true
	}
	if errors.Is(err, services.ErrFromSource) {
		f.Wrong("title", i18n.T(ctx, "error.from-source", nil))
		return true
	}
	var found *args.Problems
	if !errors.As(err, &found) {
		return false
	}
	for _, name := range found.Absent() {
		f.Wrong(name, Tell(ctx, "required"))
	}
	for _, one := range found.Broken() {
		text := ui.Problem(ctx, one, inputType(one.Arg) == "date")
		// Browsers send an incomplete date as an empty field.
		if one.Key == "problem.date" && f.Has(one.Arg) && strings.TrimSpace(f.Get(one.Arg)) == "" {
			text = Tell(ctx, "required")
		}
		f.Wrong(one.Arg, text)
	}
	return true
}

// RefuseAs is Refuse for an object within the form, with a mapping of field names.
func (f *Form) RefuseAs(ctx context.Context, err error, nameOf func(field string) string) bool {
	within := &Form{}
	if !within.Refuse(ctx, err) {
		return false
	}
	for field, text := range within.Problems {
		f.Wrong(nameOf(field), text)
	}
	return true
}

// Wrongs returns the arguments with problems, first those in order, then the others.
func (f *Form) Wrongs(order []string) []string {
	var names []string
	for _, name := range order {
		if f.Problems[name] != "" {
			names = append(names, name)
		}
	}
	var rest []string
	for name := range f.Problems {
		if !slices.Contains(names, name) {
			rest = append(rest, name)
		}
	}
	sort.Strings(rest)
	return append(names, rest...)
}

// Attend sets the focus to the first argument with a problem in the given order.
func (f *Form) Attend(order []string) {
	if names := f.Wrongs(order); len(names) > 0 {
		f.First = names[0]
	}
}

// Label returns the label of a field: the label for the form's kind, otherwise the common label, otherwise the
// field's name.
func (f *Form) Label(ctx context.Context, name string) string {
	return TellOr(ctx, name, "field."+f.Kind+"."+name, "field."+name)
}

// Hint returns the explanation of a field, or "".
func (f *Form) Hint(ctx context.Context, name string) string {
	return TellOr(ctx, "", "hint."+f.Kind+"."+name, "hint."+name)
}

// Pair is a name with a value.
type Pair struct{ Name, Value string }

// ValueOf returns the value of the pair with a name. Without such a pair it returns otherwise.
func ValueOf(list []Pair, name, otherwise string) string {
	for _, p := range list {
		if p.Name == name {
			return p.Value
		}
	}
	return otherwise
}

// Secrets are the fields that are never sent back.
var Secrets = map[string]bool{
	"csrf": true, "login": true, "password": true, "old": true, "pending": true, "do": true, "again": true, "present": true,
	"confirm": true, "yours": true, "token": true, "credential": true, "app_code": true, "client_secret": true, "codes": true,
}

// Kept returns the input of a form that will be sent later.
func (f *Form) Kept() []Pair {
	var list []Pair
	names := make([]string, 0, len(f.Values))
	for name := range f.Values {
		if !Secrets[name] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		for _, value := range f.Values[name] {
			list = append(list, Pair{name, value})
		}
	}
	return list
}

// ProblemText returns the message of a problem. The message of a problem within an object is inserted into the
// message about the object.
func ProblemText(ctx context.Context, p args.Problem) string {
	if p.Key == "problem.empty" || p.Key == "problem.blank" {
		return Tell(ctx, "required")
	}
	data := map[string]any{"Arg": p.Arg}
	for name, value := range p.Data {
		if inner, ok := value.(args.Problem); ok {
			value = ProblemText(ctx, inner)
		}
		data[name] = value
	}
	return i18n.T(ctx, p.Key, data)
}

// Tell returns a text of the administration.
func Tell(ctx context.Context, key string) string { return i18n.T(ctx, "admin."+key, nil) }

// TellOr returns the text of the first key that has one. If none has, it returns otherwise.
func TellOr(ctx context.Context, otherwise string, keys ...string) string {
	for _, key := range keys {
		if text := Tell(ctx, key); text != "admin."+key {
			return text
		}
	}
	return otherwise
}

// TellWith returns a text of the administration with placeholders filled from alternating names and values.
func TellWith(ctx context.Context, key string, pairs ...string) string {
	return i18n.T(ctx, "admin."+key, values(ctx, pairs))
}

// values returns the data of a text from alternating names and values.
func values(ctx context.Context, pairs []string) map[string]any {
	data := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		data[pairs[i]] = isolated(pairs[i+1], ui.Direction(ui.DatesIn(ctx)) == "rtl")
	}
	return data
}

// Counted returns a text of the administration about a number, which selects the plural form and fills the
// placeholder Number.
func Counted(ctx context.Context, key string, n int, pairs ...string) string {
	data := values(ctx, append(pairs, "Number", Number(ctx, n)))
	data["Count"] = n
	return i18n.T(ctx, "admin."+key, data)
}

// isolated adds directional isolates around words that are written in the other direction, including adjacent
// punctuation and numbers.
func isolated(text string, rightToLeft bool) string {
	other := func(r rune) bool {
		return unicode.IsLetter(r) && unicode.In(r, unicode.Arabic, unicode.Hebrew) != rightToLeft
	}
	if strings.ContainsFunc(text, other) {
		return "\u2068" + text + "\u2069"
	}
	return text
}

// ShownAgain reports whether the form was sent only to be shown again, with another row or after a sign-in.
func (f *Form) ShownAgain() bool {
	do := f.Get("do")
	return do == "show" || strings.HasPrefix(do, "row_")
}
