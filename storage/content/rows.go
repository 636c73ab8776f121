package content

import (
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// ReadOne returns a function that reads the only row. It returns pgx.ErrNoRows if there is none.
func ReadOne[T any](into **T, read func(*pg.Fields) *T) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var list []*T
		err := ReadAll(&list, read)(rows)
		if err == nil && len(list) == 0 {
			err = pgx.ErrNoRows
		}
		if err == nil {
			*into = list[0]
		}
		return err
	}
}

// ReadAll returns a function that reads one item from each row.
func ReadAll[T any](into *[]*T, read func(*pg.Fields) *T) func(pgx.Rows) error {
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

// ReadPage returns a function that reads rows that begin with the total number of items.
func ReadPage[T any](p *calendar.Page[T], read func(*pg.Fields) *T) func(pgx.Rows) error {
	return ReadAll(&p.Items, func(f *pg.Fields) *T {
		p.Total = f.Int()
		return read(f)
	})
}

// ReadRecords returns a function that reads rows with one record each.
func ReadRecords(read func(*pg.Fields)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			f := pg.RowFields(rows)
			if f.Record(read); f.Err() != nil {
				return f.Err()
			}
		}
		return rows.Err()
	}
}
