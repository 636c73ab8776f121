package main

import (
	"errors"

	"github.com/alecthomas/kong"
)

// What the program ends with.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2 // nothing was done: the command line or a setting makes no sense
)

// usageError says that a command, or a setting of it, can't be understood as it was given.
type usageError struct{ error }

// Unwrap returns what is wrong.
func (e *usageError) Unwrap() error { return e.error }

// exitCode returns what the program ends with after an error of run.
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
