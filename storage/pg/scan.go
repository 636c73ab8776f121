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

// One returns a function that reads an answer of one row into the places of into.
func One(into ...any) func(pgx.Row) error {
	return func(row pgx.Row) error { return row.Scan(into...) }
}

// All returns a function that puts all rows of an answer into list, each as read reads it.
func All[T any](list *[]T, read pgx.RowToFunc[T]) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*list, err = pgx.CollectRows(rows, read)
		return err
	}
}

// More is All that adds to list, because several servers answer.
func More[T any](list *[]T, read pgx.RowToFunc[T]) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		some, err := pgx.CollectRows(rows, read)
		*list = append(*list, some...)
		return err
	}
}

// Each returns a function that reads each row of an answer into the places of into and calls do after each.
func Each(into []any, do func() error) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, into, do)
		return err
	}
}
