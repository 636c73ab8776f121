package web

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

// form is what stands in a form, and what is wrong with it.
type form struct {
	kind     string // of the labels: event, venue, …
	action   string // where it is sent, for buttons that lead to a part of it
	values   url.Values
	files    map[string]*multipart.FileHeader
	uploads  []*multipart.FileHeader // all that came under "files", empty ones too
	problems map[string]string       // argument → text
	first    string                  // which gets the focus: of the arguments with problems the first
}

// readForm reads a form however it was sent; errors are those of readPosted.
func readForm(c *fiber.Ctx) (*form, error) {
	sent, err := ui.ReadPosted(c)
	if err != nil {
		return nil, err
	}
	f := &form{values: sent.Values, files: map[string]*multipart.FileHeader{}, uploads: sent.Files["files"]}
	for name, list := range sent.Files {
		if len(list) > 0 && list[0].Size > 0 {
			f.files[name] = list[0]
		}
	}
	return f, nil
}

// get returns what was typed last under a name: a box that is ticked stands
// behind the field that says it isn't.
func (f *form) get(name string) string {
	if all := f.values[name]; len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// all returns everything under a name that isn't blank.
func (f *form) all(name string) []string {
	var list []string
	for _, text := range f.values[name] {
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, text)
		}
	}
	return list
}

func (f *form) has(name string) bool { return len(f.values[name]) > 0 }

func (f *form) ticked(name string) bool { return f.get(name) == "1" }

func (f *form) among(name, value string) bool { return slices.Contains(f.values[name], value) }

func (f *form) set(name string, list ...string) { f.values[name] = list }

// problem returns what is wrong with an argument, "" for nothing.
func (f *form) problem(name string) string { return f.problems[name] }

// wrong notes a problem in the language of the request.
func (f *form) wrong(name, text string) {
	if f.problems == nil {
		f.problems = map[string]string{}
	}
	if f.problems[name] == "" {
		f.problems[name] = text
	}
}

// wrongAmong reports whether something is wrong with any of some arguments.
func (f *form) wrongAmong(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return f.problems[name] != "" })
}

// errWrong says that something is wrong with a form, which has noted it.
var errWrong = errors.New("form with problems")

// limitFields are the fields beside which a form says that a limit is reached.
var limitFields = map[string]string{"events": "title", "occurrences": "recurrence", "users": "login", "media_bytes": "image"}

// refuse notes the problems of an error, limits of the plan among them, and reports whether it was made of
// any; other errors are not for the form.
func (f *form) refuse(ctx context.Context, err error) bool {
	if errors.Is(err, errWrong) {
		return true
	}
	if limit := (*tenancy.LimitError)(nil); errors.As(err, &limit) {
		f.wrong(limitFields[limit.What], i18n.T(ctx, limit.Key(), limit.Data()))
		return true
	}
	var found *args.Problems
	if !errors.As(err, &found) {
		return false
	}
	for _, name := range found.Absent() {
		f.wrong(name, tell(ctx, "required"))
	}
	for _, one := range found.Broken() {
		f.wrong(one.Arg, problemText(ctx, one))
	}
	return true
}

// refuseAs is refuse for something within the form, whose fields have names of
// their own there.
func (f *form) refuseAs(ctx context.Context, err error, nameOf func(field string) string) bool {
	within := &form{}
	if !within.refuse(ctx, err) {
		return false
	}
	for field, text := range within.problems {
		f.wrong(nameOf(field), text)
	}
	return true
}

// wrongs lists the arguments with problems: those of the order given first.
func (f *form) wrongs(order []string) []string {
	var names []string
	for _, name := range order {
		if f.problems[name] != "" {
			names = append(names, name)
		}
	}
	var rest []string
	for name := range f.problems {
		if !slices.Contains(names, name) {
			rest = append(rest, name)
		}
	}
	sort.Strings(rest)
	return append(names, rest...)
}

// attend gives the focus to the first argument with a problem, in the order given.
func (f *form) attend(order []string) {
	if names := f.wrongs(order); len(names) > 0 {
		f.first = names[0]
	}
}

// label names a field: as the form's kind calls it, as all do, or by its own name
// when no form has it.
func (f *form) label(ctx context.Context, name string) string {
	return tellOr(ctx, name, "field."+f.kind+"."+name, "field."+name)
}

// hint explains a field, "" when it needs no words.
func (f *form) hint(ctx context.Context, name string) string {
	return tellOr(ctx, "", "hint."+f.kind+"."+name, "hint."+name)
}

// pair is one value of a form that waits.
type pair struct{ Name, Value string }

// secrets are the fields that are never sent back.
var secrets = map[string]bool{
	"csrf": true, "login": true, "password": true, "old": true, "pending": true, "do": true, "again": true, "present": true,
	"confirm": true, "credential": true,
}

// kept lists what was typed, for a form that has to wait.
func (f *form) kept() []pair {
	var list []pair
	names := make([]string, 0, len(f.values))
	for name := range f.values {
		if !secrets[name] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		for _, value := range f.values[name] {
			list = append(list, pair{name, value})
		}
	}
	return list
}

// problemText returns the text of a problem; one within an object is put into
// the text of the whole.
func problemText(ctx context.Context, p args.Problem) string {
	if p.Key == "problem.empty" || p.Key == "problem.blank" {
		return tell(ctx, "required")
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

// tell is a text of the administration.
func tell(ctx context.Context, key string) string { return i18n.T(ctx, "admin."+key, nil) }

// tellOr is the first text there is of some keys, or what to say otherwise.
func tellOr(ctx context.Context, otherwise string, keys ...string) string {
	for _, key := range keys {
		if text := tell(ctx, key); text != "admin."+key {
			return text
		}
	}
	return otherwise
}

// tellWith is a text of the administration with values in it: names and values
// by turns.
func tellWith(ctx context.Context, key string, pairs ...string) string {
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

// counted is a text of the administration about a number of things, which chooses its plural form and stands in it as
// Number.
func counted(ctx context.Context, key string, n int, pairs ...string) string {
	data := values(ctx, append(pairs, "Number", number(ctx, n)))
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
