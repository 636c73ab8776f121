package pg

import (
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// UTC is a time read in UTC, whatever zone the machine is in.
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

// Sometime is a time that may be NULL, zero then.
type Sometime time.Time

// Scan implements sql.Scanner.
func (s *Sometime) Scan(v any) error {
	t, _ := v.(time.Time)
	*s = Sometime(t.UTC())
	return nil
}

// Known returns a time as the database has it: zero is none.
func Known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// OneRow returns a reading of a statement's result that is none when the
// statement met no row.
func OneRow(none error) func(pgconn.CommandTag) error {
	return func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() == 0 {
			return none
		}
		return nil
	}
}

// OneChanged returns a reading of a statement's result: whether it changed a row.
func OneChanged(did *bool) func(pgconn.CommandTag) error {
	return func(tag pgconn.CommandTag) error {
		*did = tag.RowsAffected() == 1
		return nil
	}
}

// NotFound gives an error that says there was no row a name.
func NotFound(err, name error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return name
	}
	return err
}
