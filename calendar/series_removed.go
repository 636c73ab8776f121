package calendar

import (
	"time"

	"github.com/kalends/kalends/tenancy"
)

// RemovedDate is an occurrence that was removed from its series.
type RemovedDate struct {
	ID       int64
	Series   Post // of the series; determines who may restore the occurrence
	Title    string
	AllDay   bool
	Original time.Time
	By       tenancy.Entry // the history entry: who removed it, and when
}

// RemovedError reports that an occurrence was removed from its series, or is no longer part of it. It matches
// ErrNotFound.
type RemovedError struct {
	Series   int64
	ID       int64
	Original time.Time
}

func (*RemovedError) Error() string { return "occurrence taken out of its series" }

// Unwrap returns ErrNotFound.
func (*RemovedError) Unwrap() error { return ErrNotFound }
