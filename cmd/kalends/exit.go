package main

import (
	"errors"

	"github.com/alecthomas/kong"
)

// Exit codes of the program. A command line is invalid if no installation could accept it: an unknown flag, an invalid
// value, an input file that cannot be opened. Commands find that out before they open the installation. What depends on
// its contents is a failure: a site that does not exist, a slug that is taken.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2 // invalid command line or setting; nothing was done
)

// usageError reports an invalid command line or setting.
type usageError struct{ error }

// Unwrap returns the reason.
func (e *usageError) Unwrap() error { return e.error }

// invalid marks an error as an error of the command line. It returns nil for nil.
func invalid(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

// exitCode returns the exit code for an error of run.
func exitCode(err error) int {
	var parse *kong.ParseError
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &parse), errors.As(err, &usage):
		return exitUsage
	}
	return exitFailure
}
