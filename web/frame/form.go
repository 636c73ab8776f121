package frame

import (
	"context"
	"errors"
	"mime/multipart"
	"net/url"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Form is what stands in a form, and what is wrong with it.
type Form struct {
	Kind     string // of the labels: event, venue, …
	Action   string // where it is sent, for buttons that lead to a part of it
	Values   url.Values
	Files    map[string]*multipart.FileHeader
	Uploads  []*multipart.FileHeader // all that came under "files", empty ones too
	Problems map[string]string       // argument → text
	Most     map[string]int          // letters that fit into a field, where there is a bound
	First    string                  // which gets the focus: of the arguments with problems the first
}

// readForm reads a form however it was sent; errors are those of readPosted.
func readForm(c *fiber.Ctx) (*Form, error) {
	sent, err := ui.ReadPosted(c)
	if err != nil {
		return nil, err
	}
	f := &Form{Values: sent.Values, Files: map[string]*multipart.FileHeader{}, Uploads: sent.Files["files"]}
	for name, list := range sent.Files {
		if len(list) > 0 && list[0].Size > 0 {
			f.Files[name] = list[0]
		}
	}
	return f, nil
}

// Get returns what was typed last under a name: a box that is ticked stands
// behind the field that says it isn't.
func (f *Form) Get(name string) string {
	if all := f.Values[name]; len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// Text is what was typed last under a name, without the blanks around it and with the
// same ends of lines from every browser.
func (f *Form) Text(name string) string {
	return strings.TrimSpace(strings.ReplaceAll(f.Get(name), "\r\n", "\n"))
}

// All returns everything under a name that isn't blank.
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

// Among reports whether a value is one of those under a name.
func (f *Form) Among(name, value string) bool { return slices.Contains(f.Values[name], value) }

// Set has a name stand for these values alone.
func (f *Form) Set(name string, list ...string) { f.Values[name] = list }

// Problem returns what is wrong with an argument, "" for nothing.
func (f *Form) Problem(name string) string { return f.Problems[name] }

// Wrong notes a problem in the language of the request.
func (f *Form) Wrong(name, text string) {
	if f.Problems == nil {
		f.Problems = map[string]string{}
	}
	if f.Problems[name] == "" {
		f.Problems[name] = text
	}
}

// WrongAmong reports whether something is wrong with any of some arguments.
func (f *Form) WrongAmong(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return f.Problems[name] != "" })
}

// ErrWrong says that something is wrong with a form, which has noted it.
var ErrWrong = errors.New("form with problems")

// limitFields are the fields beside which a form says that a limit is reached.
var limitFields = map[string]string{"events": "title", "occurrences": "recurrence", "users": "login", "media_bytes": "image"}

// Refuse notes the problems of an error, limits of the plan among them, and reports whether it was made of
// any; other errors are not for the form.
func (f *Form) Refuse(ctx context.Context, err error) bool {
	if errors.Is(err, ErrWrong) {
		return true
	}
	if limit := (*tenancy.LimitError)(nil); errors.As(err, &limit) {
		f.Wrong(limitFields[limit.What], i18n.T(ctx, limit.Key(), limit.Data()))
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
		f.Wrong(one.Arg, problemText(ctx, one))
	}
	return true
}

// RefuseAs is refuse for something within the form, whose fields have names of
// their own there.
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

// Wrongs lists the arguments with problems: those of the order given first.
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

// Attend gives the focus to the first argument with a problem, in the order given.
func (f *Form) Attend(order []string) {
	if names := f.Wrongs(order); len(names) > 0 {
		f.First = names[0]
	}
}

// Label names a field: as the form's kind calls it, as all do, or by its own name
// when no form has it.
func (f *Form) Label(ctx context.Context, name string) string {
	return TellOr(ctx, name, "field."+f.Kind+"."+name, "field."+name)
}

// Hint explains a field, "" when it needs no words.
func (f *Form) Hint(ctx context.Context, name string) string {
	return TellOr(ctx, "", "hint."+f.Kind+"."+name, "hint."+name)
}

// Pair is one value of a form that waits.
type Pair struct{ Name, Value string }

// Secrets are the fields that are never sent back.
var Secrets = map[string]bool{
	"csrf": true, "login": true, "password": true, "old": true, "pending": true, "do": true, "again": true, "present": true,
	"confirm": true, "credential": true,
}

// Kept lists what was typed, for a form that has to wait.
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

// problemText returns the text of a problem; one within an object is put into
// the text of the whole.
func problemText(ctx context.Context, p args.Problem) string {
	if p.Key == "problem.empty" || p.Key == "problem.blank" {
		return Tell(ctx, "required")
	}
	data := map[string]any{"Arg": p.Arg}
	for name, value := range p.Data {
		if inner, ok := value.(args.Problem); ok {
			value = problemText(ctx, inner)
		}
		data[name] = value
	}
	return i18n.T(ctx, p.Key, data)
}

// Tell is a text of the administration.
func Tell(ctx context.Context, key string) string { return i18n.T(ctx, "admin."+key, nil) }

// TellOr is the first text there is of some keys, or what to say otherwise.
func TellOr(ctx context.Context, otherwise string, keys ...string) string {
	for _, key := range keys {
		if text := Tell(ctx, key); text != "admin."+key {
			return text
		}
	}
	return otherwise
}

// TellWith is a text of the administration with values in it: names and values
// by turns.
func TellWith(ctx context.Context, key string, pairs ...string) string {
	return i18n.T(ctx, "admin."+key, values(ctx, pairs))
}

// values are names and what stands for them in a text.
func values(ctx context.Context, pairs []string) map[string]any {
	data := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		data[pairs[i]] = isolated(pairs[i+1], ui.Direction(ui.DatesIn(ctx)) == "rtl")
	}
	return data
}

// Counted is a text of the administration about a number of things, which chooses its plural form and stands in it as
// Number.
func Counted(ctx context.Context, key string, n int, pairs ...string) string {
	data := values(ctx, append(pairs, "Number", Number(ctx, n)))
	data["Count"] = n
	return i18n.T(ctx, "admin."+key, data)
}

// isolated keeps words of the other direction together where they stand within
// a sentence, with the marks and numbers that are theirs.
func isolated(text string, rightToLeft bool) string {
	other := func(r rune) bool {
		return unicode.IsLetter(r) && unicode.In(r, unicode.Arabic, unicode.Hebrew) != rightToLeft
	}
	if strings.ContainsFunc(text, other) {
		return "\u2068" + text + "\u2069"
	}
	return text
}
