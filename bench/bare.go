package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// transaction queues the statements of one bare write.
type transaction func(d *dataset, s *site, batch *pgx.Batch, place *time.Location)

// bare returns a side that writes without Kalends. Each worker has its own connection and site, and sends each
// transaction as one batch including BEGIN and COMMIT.
func (b *bench) bare(workers int, write transaction, name string) side {
	return side{name, func(ctx context.Context, d time.Duration) (float64, error) {
		place, err := time.LoadLocation(zone)
		if err != nil {
			return 0, err
		}
		var written atomic.Int64
		errs := make(chan error, workers)
		began := time.Now()
		var all sync.WaitGroup
		for w := range workers {
			all.Go(func() {
				errs <- b.transact(ctx, began.Add(d), &written, func(batch *pgx.Batch) {
					write(b.main, b.main.bySlug[writer(w)], batch, place)
				})
			})
		}
		all.Wait()
		took := time.Since(began)
		for range workers {
			if err := <-errs; err != nil {
				return 0, fmt.Errorf("%s: %w", name, err)
			}
		}
		return float64(written.Load()) / took.Seconds(), nil
	}}
}

func (b *bench) transact(ctx context.Context, end time.Time, written *atomic.Int64, queue func(*pgx.Batch)) error {
	config, err := pgx.ParseConfig(b.mainURL)
	if err != nil {
		return err
	}
	config.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	config.RuntimeParams["jit"] = "off"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for time.Now().Before(end) {
		batch := &pgx.Batch{}
		queue(batch)
		if err := conn.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		written.Add(1)
	}
	return nil
}

// statements are the inserts for the rows of one event into a schema.
type statements struct{ event, occurrence, venue, organizer, term string }

func statementsIn(schema string) statements {
	insert := func(table string) string {
		for _, t := range tables {
			if t.name == table {
				columns := strings.Fields(t.columns)
				marks := make([]string, len(columns))
				for i := range marks {
					marks[i] = fmt.Sprint("$", i+1)
				}
				return fmt.Sprintf("INSERT INTO %s.%s (%s) VALUES (%s)", schema, table,
					strings.Join(columns, ", "), strings.Join(marks, ", "))
			}
		}
		return ""
	}
	return statements{insert("events"), insert("occurrences"), insert("event_venues"), insert("event_organizers"), insert("event_terms")}
}

var (
	intoBare = statementsIn("bare")
	intoOwn  = statementsIn("public")
)

// insertBare inserts an event's rows into tables without foreign keys.
func insertBare(d *dataset, s *site, batch *pgx.Batch, place *time.Location) {
	batch.Queue("BEGIN")
	intoBare.queue(d, s, batch, place)
	batch.Queue("COMMIT")
}

// insertOwn inserts the rows that Kalends writes for an event into the same tables, including the history.
func insertOwn(d *dataset, s *site, batch *pgx.Batch, place *time.Location) {
	batch.Queue("BEGIN")
	batch.Queue("SELECT set_config('kalends.site', $1, true)", fmt.Sprint(s.id))
	n := intoOwn.queue(d, s, batch, place)
	batch.Queue(`INSERT INTO changes (site_id, version, kind, id, action, user_id, at, who, via, via_name, address)
		VALUES ($1, $2, 'event', $2, 'create', 1, $3, 'bench', 'key', 'bench', '127.0.0.1')`, s.id, n, time.Now())
	batch.Queue("COMMIT")
}

// queue queues the inserts of an event and returns its id.
func (q *statements) queue(d *dataset, s *site, batch *pgx.Batch, place *time.Location) (id any) {
	n := int(serial.Add(1)) + 1_000_000_000 // beyond the ids that Kalends assigns
	row := d.eventRow(s, n, place)
	row[5] = fmt.Sprint(row[5], "-bare")
	batch.Queue(q.event, row...)
	occurrence := append([]any{row[0], row[1], int32(0)}, row[14:18]...)
	batch.Queue(q.occurrence, append(occurrence, true)...)
	l := s.links(n)
	batch.Queue(q.venue, s.id, row[1], l.venue, int32(1))
	for i, o := range l.organizers {
		batch.Queue(q.organizer, s.id, row[1], o, int32(i+1))
	}
	for _, t := range l.terms {
		batch.Queue(q.term, s.id, row[1], t)
	}
	return row[1]
}

// updateBare changes the title of an event.
func updateBare(_ *dataset, s *site, batch *pgx.Batch, _ *time.Location) {
	n := int(serial.Add(1))
	title, about := s.text(n)
	batch.Queue("BEGIN")
	batch.Queue(`UPDATE plain.events SET title = $3, search = $4, modified_at = $5 WHERE site_id = $1 AND id = $2`,
		s.id, s.event(n%s.events), title, strings.ToLower(title)+"\n"+about, time.Now())
	batch.Queue("COMMIT")
}

// updateOwn changes the title of one of Kalends's events, which updates all indexes but nothing else.
func updateOwn(_ *dataset, s *site, batch *pgx.Batch, _ *time.Location) {
	n := int(serial.Add(1))
	title, about := s.text(n)
	batch.Queue("BEGIN")
	batch.Queue("SELECT set_config('kalends.site', $1, true)", fmt.Sprint(s.id))
	batch.Queue(`UPDATE events SET title = $3, search = $4, modified_at = $5 WHERE site_id = $1 AND id = $2`,
		s.id, s.event(n%s.events), title, strings.ToLower(title)+"\n"+about, time.Now())
	batch.Queue("COMMIT")
}

// updatePromised does exactly what an update of an event guarantees: the row with its indexes, the site's version,
// and the history.
func updatePromised(_ *dataset, s *site, batch *pgx.Batch, _ *time.Location) {
	n := int(serial.Add(1))
	title, about := s.text(n)
	id := s.event(n % s.events)
	batch.Queue("BEGIN")
	batch.Queue("SELECT set_config('kalends.site', $1, true)", fmt.Sprint(s.id))
	batch.Queue("UPDATE sites SET version = version + 1 WHERE id = $1", s.id)
	batch.Queue(`UPDATE events SET title = $3, search = $4, modified_at = $5, version = s.version FROM sites s
		WHERE site_id = $1 AND events.id = $2 AND s.id = $1`, s.id, id, title, strings.ToLower(title)+"\n"+about, time.Now())
	batch.Queue(`INSERT INTO changes (site_id, version, kind, id, action, before, user_id, at, who, via, via_name, address)
		SELECT $1, version, 'event', $2, 'update', jsonb_build_object('title', $3::text), 1, $4, 'bench', 'key', 'bench', '127.0.0.1'
		FROM sites WHERE id = $1`, s.id, id, title, time.Now())
	batch.Queue("COMMIT")
}
