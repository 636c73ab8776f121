package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/migrations"
)

// plainSchema creates the tables of the peers from the rows of Kalends.
//
//go:embed plain.sql
var plainSchema string

// fill creates Kalends's schema in the database at url and loads the data, with peers also into their tables. It
// drops foreign keys and indexes during COPY and restores them unchanged.
func (d *dataset) fill(ctx context.Context, url string, peers bool) error {
	if err := migrations.Up(ctx, url); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	restore, err := strip(ctx, conn)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := d.copy(ctx, conn, t); err != nil {
			return fmt.Errorf("copy %s: %w", t.name, err)
		}
	}
	if err := d.translate(ctx, conn); err != nil {
		return err
	}
	if err := d.happenAgain(ctx, conn); err != nil {
		return err
	}
	if peers {
		if _, err := conn.Exec(ctx, plainSchema); err != nil {
			return fmt.Errorf("tables of the peers: %w", err)
		}
	}
	if _, err := conn.Exec(ctx, strings.Join(restore, ";\n")); err != nil {
		return fmt.Errorf("restore keys and indexes: %w", err)
	}
	_, err = conn.Exec(ctx, `SELECT setval(pg_get_serial_sequence('sites', 'id'), (SELECT max(id) FROM sites))`)
	if err == nil { // as if Kalends had written the rows, so that nodes have nothing to derive or fold again
		_, err = conn.Exec(ctx, `INSERT INTO installation (secret, zones, folding) VALUES ($1, $2, $3)`,
			[]byte(rand.Text()), args.ZoneVersion(), wording.Folding)
	}
	if err == nil {
		_, err = conn.Exec(ctx, "VACUUM (ANALYZE)")
	}
	if err == nil {
		_, err = conn.Exec(ctx, "CHECKPOINT")
	}
	if err != nil && strings.Contains(err.Error(), "checkpoint") { // requires a privilege that the role may lack
		err = nil
	}
	return err
}

// strip drops what slows down COPY and returns the statements to restore it. Meanwhile policies are not forced on the
// owner, because COPY rejects them.
func strip(ctx context.Context, conn *pgx.Conn) (restore []string, err error) {
	const keys = `
		SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
		       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
		FROM pg_constraint
		WHERE contype = 'f'
		  AND connamespace = 'public'::regnamespace`
	const indexes = `
		SELECT format('DROP INDEX %s', i.indexrelid::regclass),
		       pg_get_indexdef(i.indexrelid)
		FROM pg_index i
		JOIN pg_class c ON c.oid = i.indrelid
		WHERE c.relnamespace = 'public'::regnamespace
		  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)`
	const walls = `
		SELECT format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', oid::regclass),
		       format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', oid::regclass)
		FROM pg_class
		WHERE relforcerowsecurity`
	for _, sql := range []string{keys, indexes, walls} {
		rows, err := conn.Query(ctx, sql)
		if err != nil {
			return nil, err
		}
		type both struct{ Drop, Make string }
		list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[both])
		if err != nil {
			return nil, err
		}
		for _, l := range list {
			if _, err := conn.Exec(ctx, l.Drop); err != nil {
				return nil, err
			}
			restore = append(restore, l.Make)
		}
	}
	// indexes before the keys that need them, keys before the policies that hide rows from their check
	n := len(restore)
	ordered := make([]string, 0, n)
	for _, begins := range []string{"CREATE", "ALTER TABLE"} {
		for _, sql := range restore {
			if strings.HasPrefix(sql, begins) {
				ordered = append(ordered, sql)
			}
		}
	}
	return ordered, nil
}

// copy streams the rows of all sites into one table.
func (d *dataset) copy(ctx context.Context, conn *pgx.Conn, t table) error {
	const together = 256
	batches := make(chan [][]any, 8)
	stop := make(chan struct{})
	var made sync.WaitGroup
	made.Go(func() {
		defer close(batches)
		batch := make([][]any, 0, together)
		send := func() {
			select {
			case batches <- batch:
			case <-stop:
			}
			batch = make([][]any, 0, together)
		}
		for _, s := range d.sites {
			t.rows(d, s, func(row ...any) {
				if batch = append(batch, row); len(batch) == together {
					send()
				}
			})
		}
		send()
	})
	var current [][]any
	_, err := conn.CopyFrom(ctx, pgx.Identifier{t.name}, strings.Fields(t.columns), pgx.CopyFromFunc(func() ([]any, error) {
		for len(current) == 0 {
			var more bool
			if current, more = <-batches; !more {
				return nil, nil
			}
		}
		row := current[0]
		current = current[1:]
		return row, nil
	}))
	close(stop)
	made.Wait()
	return err
}
