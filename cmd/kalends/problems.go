package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// readable formats an error for the operator: problems with arguments as "argument: text", one per line; all others
// unchanged. name may map arguments to their names in the input; nil keeps them.
func readable(err error, name func(arg string) string) string {
	if limit, ok := errors.AsType[*tenancy.LimitError](err); ok {
		return i18n.Text("en", limit.Key(), limit.Data())
	}
	for refusal, key := range map[error]string{tenancy.ErrPlanInUse: "error.plan_in_use", tenancy.ErrDefaultPlan: "error.plan_is_default"} {
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
		if line := arg + ": " + text; !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, arg := range problems.Absent() {
		say(arg, "", i18n.Text("en", "problem.missing", nil))
	}
	for _, p := range problems.Broken() {
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
