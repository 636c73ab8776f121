package pg

import (
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// UTC scans a time in UTC, whatever the machine's time zone.
type UTC time.Time

// Scan implements sql.Scanner.
func (u *UTC) Scan(v any) error {
	t, ok := v.(time.Time)
	if !ok {
		return fmt.Errorf("read a time from %T", v)
	}
	*u = UTC(t.UTC())
	return nil
}

// Sometime scans a time that may be NULL, which becomes the zero time.
type Sometime time.Time

// Scan implements sql.Scanner.
func (s *Sometime) Scan(v any) error {
	t, _ := v.(time.Time)
	*s = Sometime(t.UTC())
	return nil
}

// Known returns a time for storing: nil for the zero time.
func Known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// OneRow returns a function that checks a statement's result. It returns the error none if the statement affected no row.
func OneRow(none error) func(pgconn.CommandTag) error {
	return func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() == 0 {
			return none
		}
		return nil
	}
}

// OneChanged returns a function that sets did to true if the statement affected one row, and otherwise to false.
func OneChanged(did *bool) func(pgconn.CommandTag) error {
	return func(tag pgconn.CommandTag) error {
		*did = tag.RowsAffected() == 1
		return nil
	}
}

// NotFound returns name if err means that there is no row, and otherwise err.
func NotFound(err, name error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return name
	}
	return err
}
