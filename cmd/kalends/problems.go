package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// typedError is an error of a command that knows what its arguments are called on the command line.
type typedError struct {
	error
	name func(arg string) string
}

// Unwrap returns the error of the command.
func (e *typedError) Unwrap() error { return e.error }

// asTyped replaces the argument names of the API in an error by the names on the command line, such as --per-page
// for settings.per_page. A flag with a different name has the argument's name in its tag `means`.
func asTyped(err error, command *kong.Node) error {
	if err == nil {
		return nil
	}
	names := map[string]string{}
	add := func(v *kong.Value, name string) {
		if arg := v.Tag.Get("means"); arg != "" {
			names[arg] = name
		} else if arg = strings.ReplaceAll(v.Name, "-", "_"); names[arg] == "" {
			names[arg] = name
		}
	}
	for _, flag := range command.Flags {
		add(flag.Value, "--"+flag.Name)
	}
	for _, value := range command.Positional {
		add(value, "<"+value.Name+">")
	}
	return &typedError{err, func(arg string) string {
		return cmp.Or(names[arg], names[arg[strings.LastIndexByte(arg, '.')+1:]])
	}}
}

// readable formats an error for the operator: problems with arguments as "argument: text", one per line and without
// control characters, which a terminal would obey; all others unchanged. name may map arguments to their names in the
// input; nil keeps them, unless the error knows them.
func readable(err error, name func(arg string) string) string {
	if typed, ok := errors.AsType[*typedError](err); ok && name == nil {
		name = typed.name
	}
	if limit, ok := errors.AsType[*tenancy.LimitError](err); ok {
		return i18n.Text("en", limit.Key(), limit.Data())
	}
	for refusal, key := range map[error]string{
		platform.ErrPlanInUse:   "error.plan_in_use",
		platform.ErrDefaultPlan: "error.plan_is_default",
	} {
		if errors.Is(err, refusal) {
			return i18n.Text("en", key, nil)
		}
	}
	var problems *args.Problems
	if !errors.As(err, &problems) {
		return err.Error()
	}
	var lines []string
	say := func(arg, part, text string) {
		if name != nil {
			arg = cmp.Or(name(arg+"."+part), name(arg), arg)
		}
		if line := wording.Tidy(arg + ": " + text); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, arg := range problems.Absent() {
		say(arg, "", i18n.Text("en", "problem.missing", nil))
	}
	for _, p := range problems.Broken() {
		if inner, ok := p.Data["Problem"].(args.Problem); ok && name != nil {
			if field := name(p.Arg + "." + inner.Arg); field != "" {
				say(p.Arg+"."+inner.Arg, "", problemText(inner))
				continue
			}
		}
		part, _ := p.Data["Part"].(string)
		say(p.Arg, strings.ToLower(part), problemText(p))
	}
	return strings.Join(lines, "\n")
}

// problemText returns the message of a problem, including fields of objects.
func problemText(p args.Problem) string {
	data := p.Data
	if inner, ok := data["Problem"].(args.Problem); ok {
		data = map[string]any{"Field": data["Field"], "Problem": problemText(inner)}
	}
	return i18n.Text("en", p.Key, data)
}
