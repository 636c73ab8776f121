// Package imports stores imports of events with their reports, and the identities by which imports recognize
// entries again. The items that an import writes and its report are stored in the same transaction.
package imports

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// store implements imports.Store.
type store struct{ db *content.DB }

// Of returns the store of imports of a database.
func Of(db *content.DB) imports.Store { return store{db} }

// columns are the columns that readImport reads.
const columns = `
	id,
	state,
	format,
	asked,
	dry_run,
	policy,
	name,
	address,
	secret,
	shown,
	source,
	source_id,
	undoes,
	user_id,
	credential,
	who,
	via,
	via_name,
	client,
	total,
	noted,
	created,
	changed,
	same,
	cancelled,
	refused,
	warned,
	columns,
	left_out,
	problem,
	created_at,
	started_at,
	finished_at,
	undone_at,
	attempt`

func readImport(row pgx.CollectableRow) (*imports.Import, error) {
	i := &imports.Import{}
	var asked, columns, left, problem []byte
	var attempt int
	err := row.Scan(&i.ID, &i.State, &i.Format, &asked, &i.DryRun, &i.Policy, &i.Name, &i.Address, &i.Secret,
		&i.URL, &i.Source, &i.From, &i.Undoes, &i.By.UserID, &i.Credential, &i.By.Who, &i.By.Via, &i.By.Name, &i.By.Address,
		&i.Total, &i.Counts.Read, &i.Counts.Created,
		&i.Counts.Changed, &i.Counts.Same, &i.Counts.Cancelled, &i.Counts.Refused, &i.Counts.Warned, &columns, &left, &problem,
		(*pg.UTC)(&i.Created), (*pg.Sometime)(&i.Started), (*pg.Sometime)(&i.Finished), (*pg.Sometime)(&i.Undone), &attempt)
	if err != nil {
		return nil, err
	}
	i.Begun(attempt)
	for _, one := range []struct {
		text []byte
		into any
	}{{asked, &i.Asked}, {columns, &i.Columns}, {left, &i.LeftOut}, {problem, &i.Problem}} {
		if err := pg.DecodeJSON(one.text, one.into); err != nil {
			return nil, err
		}
	}
	return i, nil
}

// one reads a single import.
func one(into **imports.Import) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		list, err := pgx.CollectRows(rows, readImport)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return imports.ErrNoImport
		}
		*into = list[0]
		return nil
	}
}

// Get implements imports.Store.
func (s store) Get(ctx context.Context, id int64) (i *imports.Import, err error) {
	const get = `SELECT` + columns + `
		FROM imports
		WHERE site_id = $1
		  AND id = $2
		  AND received`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) { b.Queue(get, site, id).Query(one(&i)) })
	return i, err
}

// List implements imports.Store.
func (s store) List(ctx context.Context, page, perPage int, user, source int64, current bool) (
	list calendar.Page[imports.Import], err error,
) {
	// The import that a dry run leads to has its time in sent. Dry runs of the same file keep the same bytes.
	const which = `
		FROM imports d
		WHERE d.site_id = $1
		  AND received
		  AND ($2::bigint = 0 OR user_id = $2)
		  AND ($3::bigint = 0 OR source_id = $3)
		  AND ($4::boolean IS FALSE OR NOT dry_run OR NOT EXISTS (
		      SELECT
		      FROM imports x
		      WHERE x.site_id = $1
		        AND x.id > d.id
		        AND x.name = d.name
		        AND x.user_id = d.user_id
		        AND x.total = d.total
		        AND CASE WHEN x.dry_run THEN EXISTS (
		                SELECT
		                FROM import_files mine
		                JOIN import_files theirs ON theirs.site_id = $1
		                                        AND theirs.import_id = x.id
		                                        AND theirs.n = mine.n
		                                        AND theirs.data = mine.data
		                WHERE mine.site_id = $1
		                  AND mine.import_id = d.id
		                  AND mine.n = 1)
		            ELSE x.state IN ('queued', 'running', 'done')
		             AND x.asked ->> 'sent' = COALESCE(d.asked ->> 'sent',
		                 to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
		            END))`
	const count = `SELECT count(*)` + which
	const get = `SELECT` + columns + which + `
		ORDER BY id DESC
		LIMIT $5
		OFFSET $6`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(count, site, user, source, current).QueryRow(pg.One(&list.Total))
		b.Queue(get, site, user, source, current, perPage, (page-1)*perPage).Query(pg.All(&list.Items, readImport))
	})
	return list, err
}

// entryColumns are the columns that readEntry reads.
const entryColumns = `
	number,
	result,
	line,
	uid,
	recurrence,
	title,
	start,
	event_id,
	version,
	fields,
	found,
	was`

// found holds the findings of an entry as they are stored.
type found struct {
	Problems []imports.Finding `json:"problems,omitempty"`
	Warnings []imports.Finding `json:"warnings,omitempty"`
}

func readEntry(row pgx.CollectableRow) (*imports.Entry, error) {
	e := &imports.Entry{}
	var said, was []byte
	err := row.Scan(&e.Number, &e.Result, &e.Line, &e.UID, &e.Recurrence, &e.Title, &e.Start, &e.Event, &e.Version, &e.Fields, &said, &was)
	if err != nil {
		return nil, err
	}
	f := found{}
	if err := pg.DecodeJSON(said, &f); err != nil {
		return nil, err
	}
	e.Problems, e.Warnings = f.Problems, f.Warnings
	return e, pg.DecodeJSON(was, &e.Was)
}

// Entries implements imports.Store.
func (s store) Entries(ctx context.Context, id int64, result imports.Result, page, perPage int) (
	list calendar.Page[imports.Entry], err error) {
	const which = `
		FROM import_entries
		WHERE site_id = $1
		  AND import_id = $2
		  AND ($3 = '' OR result = $3)`
	const count = `SELECT count(*)` + which
	const get = `SELECT` + entryColumns + which + `
		ORDER BY number
		LIMIT $4
		OFFSET $5`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(count, site, id, string(result)).QueryRow(pg.One(&list.Total))
		b.Queue(get, site, id, string(result), perPage, (page-1)*perPage).Query(pg.All(&list.Items, readEntry))
	})
	return list, err
}

// Written implements imports.Store.
func (s store) Written(ctx context.Context, id int64) (list []*imports.Entry, err error) {
	const written = `SELECT` + entryColumns + `
		FROM import_entries
		WHERE site_id = $1
		  AND import_id = $2
		  AND version <> 0
		ORDER BY number DESC`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(written, site, id).Query(pg.All(&list, readEntry))
	})
	return list, err
}

// Noted implements imports.Store.
func (s store) Noted(ctx context.Context, id int64) (map[int]bool, error) {
	const noted = `
		SELECT number
		FROM import_entries
		WHERE site_id = $1
		  AND import_id = $2`
	numbers := map[int]bool{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		var number int
		b.Queue(noted, site, id).Query(pg.Each([]any{&number}, func() error { numbers[number] = true; return nil }))
	})
	return numbers, err
}

// File implements imports.Store.
func (s store) File(ctx context.Context, id int64) ([]byte, error) {
	const size = `
		SELECT COALESCE(sum(octet_length(data)), 0)
		FROM import_files
		WHERE site_id = $1
		  AND import_id = $2`
	const pieces = `
		SELECT data
		FROM import_files
		WHERE site_id = $1
		  AND import_id = $2
		ORDER BY n`
	var bytes int
	var data []byte
	there := false
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(size, site, id).QueryRow(pg.One(&bytes))
		b.Queue(pieces, site, id).Query(func(rows pgx.Rows) error {
			data = make([]byte, 0, bytes)
			var piece []byte
			_, err := pgx.ForEachRow(rows, []any{&piece}, func() error { data, there = append(data, piece...), true; return nil })
			return err
		})
	})
	if err == nil && !there {
		err = imports.ErrNoFile
	}
	return data, err
}

// Columns implements imports.Store.
func (s store) Columns(ctx context.Context, header []byte) (said map[string]string, err error) {
	const get = `
		SELECT columns
		FROM import_columns
		WHERE site_id = $1
		  AND header = $2`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(get, site, header).Query(pg.Each([]any{&said}, func() error { return nil }))
	})
	return said, err
}

// SetColumns implements imports.Store.
func (s store) SetColumns(ctx context.Context, header []byte, columns map[string]string) error {
	const set = `
		INSERT INTO import_columns (site_id, header, columns, at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT ON CONSTRAINT import_columns_pkey DO UPDATE
		SET columns = excluded.columns,
		    at = excluded.at`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(set, site, header, columns, s.now()) })
}

func (s store) now() time.Time { return s.db.Second() }
