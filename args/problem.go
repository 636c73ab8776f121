package args

import (
	"errors"
	"slices"
	"sort"
	"strings"
)

// Problem is one thing wrong with one argument. Key names its text in the
// catalogues, Data fills the text's placeholders.
type Problem struct {
	Arg     string
	Key     string
	Data    map[string]any
	Missing bool // required and not there
	Type    bool // of the wrong type and nothing else, for clients (rule 4.1: rest_invalid_type)
}

// Problems collects everything wrong with one request; it is an error when it
// is not empty. Missing arguments are reported before any other (rule 3.3).
type Problems struct{ list []Problem }

// Missing notes a required argument that is absent.
func (p *Problems) Missing(arg string) {
	p.list = append(p.list, Problem{Arg: arg, Key: "problem.missing", Missing: true})
}

// Invalid notes a value that breaks a rule.
func (p *Problems) Invalid(arg, key string, data map[string]any) {
	p.list = append(p.list, Problem{Arg: arg, Key: key, Data: data})
}

// WrongType notes a value of another type than the argument's.
func (p *Problems) WrongType(arg, want string) {
	p.list = append(p.list, Problem{Arg: arg, Key: "problem.type." + want})
}

// byType notes of the problems from the nth on whether they are of the type.
func (p *Problems) byType(n int, is bool) {
	for i := n; i < len(p.list); i++ {
		p.list[i].Type = is
	}
}

// Add takes in the problems that errors are made of; the first other error it
// returns as it is.
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

// Within returns problems with the fields of an object as the problem of the
// argument the object came in; any other error as it is.
func Within(arg string, err error) error {
	var found *Problems
	if !errors.As(err, &found) || len(found.list) == 0 {
		return err
	}
	first := found.list[0]
	return Invalid(arg, "problem.field.invalid", map[string]any{"Field": first.Arg, "Problem": first})
}

// Renamed returns problems with an argument as problems with the other name it
// was sent by; any other error as it is.
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

// Err returns p, or nil when nothing is wrong.
func (p *Problems) Err() error {
	if len(p.list) == 0 {
		return nil
	}
	return p
}

// Absent returns the names of missing arguments in the order of declaration.
func (p *Problems) Absent() []string {
	var names []string
	for _, one := range p.list {
		if one.Missing {
			names = append(names, one.Arg)
		}
	}
	return names
}

// Broken returns one problem per invalid argument, the first found of each, in
// the order of declaration.
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

// Error lists the names, for logs; people read the translated texts.
func (p *Problems) Error() string {
	names := make([]string, 0, len(p.list))
	for _, one := range p.list {
		names = append(names, one.Arg+": "+one.Key)
	}
	sort.Strings(names)
	return "arguments: " + strings.Join(names, ", ")
}
