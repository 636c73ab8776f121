// Package argstest reads the problems that args finds, for tests.
package argstest

import (
	"errors"

	"github.com/kalends/kalends/internal/args"
)

// Wrong returns the arguments that an error finds missing, and then those that it finds wrong, each in its order; nil if
// it is none of args.
func Wrong(err error) (list []string) {
	found, ok := errors.AsType[*args.Problems](err)
	if !ok {
		return nil
	}
	list = found.Absent()
	for _, p := range found.Broken() {
		list = append(list, p.Arg)
	}
	return list
}
