package storage

import (
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// readOne reads the one row there is; none is pgx.ErrNoRows.
func readOne[T any](into **T, read func(*pg.Fields) *T) func(pgx.Rows) error {
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
func readAll[T any](into *[]*T, read func(*pg.Fields) *T) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		defer rows.Close()
		*into = []*T{}
		for rows.Next() {
			f := pg.RowFields(rows)
			item := read(f)
			if f.Err() != nil {
				return f.Err()
			}
			*into = append(*into, item)
		}
		return rows.Err()
	}
}

// readPage reads rows that say first how many items there are in all.
func readPage[T any](p *calendar.Page[T], read func(*pg.Fields) *T) func(pgx.Rows) error {
	return readAll(&p.Items, func(f *pg.Fields) *T {
		p.Total = f.Int()
		return read(f)
	})
}
