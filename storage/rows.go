package storage

import (
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// readOne reads the one row there is; none is pgx.ErrNoRows.
func readOne[T any](into **T, read func(*fields) *T) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var list []*T
		err := readAll(&list, read)(rows)
		if err == nil && len(list) == 0 {
			err = pgx.ErrNoRows
		}
		if err == nil {
			*into = list[0]
		}
		return err
	}
}

// readAll reads an item of each row.
func readAll[T any](into *[]*T, read func(*fields) *T) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		defer rows.Close()
		*into = []*T{}
		for rows.Next() {
			f := rowFields(rows)
			item := read(f)
			if f.err != nil {
				return f.err
			}
			*into = append(*into, item)
		}
		return rows.Err()
	}
}

// readPage reads rows that say first how many items there are in all.
func readPage[T any](p *calendar.Page[T], read func(*fields) *T) func(pgx.Rows) error {
	return readAll(&p.Items, func(f *fields) *T {
		p.Total = f.int()
		return read(f)
	})
}
