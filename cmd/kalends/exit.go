package main

import (
	"errors"

	"github.com/alecthomas/kong"
)

// Exit codes of the program.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2 // invalid command line or setting; nothing was done
)

// usageError reports an invalid command line or setting.
type usageError struct{ error }

// Unwrap returns the reason.
func (e *usageError) Unwrap() error { return e.error }

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
