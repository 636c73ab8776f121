package args

import (
	"errors"
	"slices"
	"sort"
	"strings"
)

// Problem is one thing wrong with one argument. Key is the key of its message in the catalogs; Data fills the
// placeholders of the message.
type Problem struct {
	Arg     string
	Key     string
	Data    map[string]any
	Missing bool // required and absent
	Type    bool // nothing but the wrong type, reported to clients as rest_invalid_type (rule 4.1)
}

// Problems collects everything wrong with one request. It is an error if it is not empty. Missing arguments are
// reported before all others (rule 3.3).
type Problems struct{ list []Problem }

// Missing reports that a required argument is absent.
func (p *Problems) Missing(arg string) {
	p.list = append(p.list, Problem{Arg: arg, Key: "problem.missing", Missing: true})
}

// Invalid reports a value that breaks a rule.
func (p *Problems) Invalid(arg, key string, data map[string]any) {
	p.list = append(p.list, Problem{Arg: arg, Key: key, Data: data})
}

// WrongType reports a value that does not have the argument's type.
func (p *Problems) WrongType(arg, want string) {
	p.list = append(p.list, Problem{Arg: arg, Key: "problem.type." + want})
}

// markWrongType marks the problems from the nth on as being of the wrong type, or not.
func (p *Problems) markWrongType(n int, is bool) {
	for i := n; i < len(p.list); i++ {
		p.list[i].Type = is
	}
}

// Add collects the problems contained in errs. It returns the first error that is not *Problems.
func (p *Problems) Add(errs ...error) error {
	for _, err := range errs {
		var found *Problems
		switch {
		case errors.As(err, &found):
			p.list = append(p.list, found.list...)
		case err != nil:
			return err
		}
	}
	return nil
}

// Invalid returns an error that reports a single problem.
func Invalid(arg, key string, data map[string]any) error {
	p := &Problems{}
	p.Invalid(arg, key, data)
	return p
}

// Within attributes problems with the fields of an object to the argument that the object came in. It returns any
// other error unchanged.
func Within(arg string, err error) error {
	var found *Problems
	if !errors.As(err, &found) || len(found.list) == 0 {
		return err
	}
	first := found.list[0]
	return Invalid(arg, "problem.field.invalid", map[string]any{"Field": first.Arg, "Problem": first})
}

// Renamed attributes problems with an argument to the other name it was sent under. It returns any other error
// unchanged.
func Renamed(arg, sent string, err error) error {
	var found *Problems
	if !errors.As(err, &found) {
		return err
	}
	renamed := &Problems{slices.Clone(found.list)}
	for i := range renamed.list {
		if renamed.list[i].Arg == arg {
			renamed.list[i].Arg = sent
		}
	}
	return renamed
}

// Err returns p, or nil if there are no problems.
func (p *Problems) Err() error {
	if len(p.list) == 0 {
		return nil
	}
	return p
}

// Absent returns the names of missing arguments in order of declaration.
func (p *Problems) Absent() []string {
	var names []string
	for _, one := range p.list {
		if one.Missing {
			names = append(names, one.Arg)
		}
	}
	return names
}

// Broken returns the first problem of each invalid argument, in order of declaration.
func (p *Problems) Broken() []Problem {
	var list []Problem
	seen := map[string]bool{}
	for _, one := range p.list {
		if one.Missing || seen[one.Arg] {
			continue
		}
		seen[one.Arg] = true
		list = append(list, one)
	}
	return list
}

// Error lists names and keys for logs. People read the translated messages.
func (p *Problems) Error() string {
	names := make([]string, 0, len(p.list))
	for _, one := range p.list {
		names = append(names, one.Arg+": "+one.Key)
	}
	sort.Strings(names)
	return "arguments: " + strings.Join(names, ", ")
}

// longestValue is the maximum length, in bytes, of a value repeated in a problem.
const longestValue = 100

// Shortened returns a value as it is quoted in a problem: at most 100 bytes of it.
func Shortened(text string) string {
	if len(text) <= longestValue {
		return text
	}
	return strings.ToValidUTF8(text[:longestValue], "") + "…"
}
