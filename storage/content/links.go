package content

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
)

// NoteUnlinked and NoteUnlinkedEnd are the beginning and the end of a statement for LogUnlinked, between which the
// caller writes the SQL of the field's former value. An event whose venue, organizer or term is deleted has changed as
// well, but its row keeps its version.
const (
	NoteUnlinked = `
		INSERT INTO changes (site_id, version, kind, id, action, user_id, at, who, via, via_name, address, before)
		SELECT x.site_id, $3, 'event', x.event_id, 'update', $4, $5, $6, $7, $8, $9, jsonb_build_object($10::text, (`
	NoteUnlinkedEnd = `
		ON CONFLICT ON CONSTRAINT changes_pkey DO NOTHING`
)

// LogUnlinked records, in the history of each event linked to gone, the former value of the field. note is a
// statement that begins with NoteUnlinked. LogUnlinked must run before the links are removed.
func (t *Tx) LogUnlinked(note string, gone int64, field string) {
	from := &t.Source
	t.Queue(note, t.Site, gone, t.Version, from.UserID, t.Now, from.Who, string(from.Via), from.Name, from.Address, field)
}

// follow replaces the ids $3 of merged items with $2 in lists of ids.
const follow = `
	UPDATE {table} k
	SET {list} = ARRAY(
		SELECT DISTINCT CASE WHEN x.id = ANY($3::bigint[]) THEN $2::bigint ELSE x.id END
		FROM unnest(k.{list}) x (id))
	WHERE k.site_id = $1
	  AND k.{list} && $3`

// Follow replaces the ids of merged items with keep in a column of lists of ids. Such lists limit keys and people
// to some items.
func (t *Tx) Follow(table, list string, keep int64, others []int64) {
	t.Queue(strings.NewReplacer("{table}", table, "{list}", list).Replace(follow), t.Site, keep, others)
}

// Relink moves the events of the items others to the item keep, with the statement relink. Before that, it records
// the former links of these events in the history, as LogUnlinked does. It returns the number of events moved; a
// series counts once.
func (t *Tx) Relink(ctx context.Context, note, field, relink string, keep int64, others []int64) (moved int, err error) {
	from := &t.Source
	for _, id := range others {
		_, err := t.Exec(ctx, note, t.Site, id, t.Version, from.UserID, t.Now, from.Who, string(from.Via), from.Name, from.Address,
			field)
		if err != nil {
			return 0, err
		}
	}
	err = t.QueryRow(ctx, relink, t.Site, keep, append(slices.Clone(others), keep), t.Version).Scan(&moved)
	return moved, err
}

// ReadMerged reads the items of a merge with get: the item to keep, and the others.
func ReadMerged[T any](keep int64, others []int64, get func(id int64) (*T, error)) (kept *T, gone []*T, err error) {
	if kept, err = get(keep); err != nil {
		return nil, nil, err
	}
	for _, id := range others {
		one, err := get(id)
		if err != nil {
			return nil, nil, err
		}
		gone = append(gone, one)
	}
	return kept, gone, nil
}

// Linked returns how many events are linked to each of ids, and under id 0 how many are linked to any of them. sql
// reads these numbers; its parameters are the site, the ids, and more.
func (db *DB) Linked(ctx context.Context, sql string, ids []int64, more ...any) (map[int64]int, int, error) {
	each := map[int64]int{}
	err := db.Read(ctx, func(site int64, b *pgx.Batch) {
		var id int64
		var n int
		b.Queue(sql, append([]any{site, ids}, more...)...).Query(pg.Each([]any{&id, &n}, func() error {
			each[id] = n
			return nil
		}))
	})
	together := each[0]
	delete(each, 0)
	return each, together, err
}

// EachLinked reads rows with one linked record each, and adds the records to t.Seen. read returns a record's id
// and, for a term, its number of events.
func (t *Tx) EachLinked(kind linked.Kind, read func(*pg.Fields) (id int64, events int)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			f := pg.RowFields(rows)
			raw := f.Peek()
			f.Record(func(f *pg.Fields) {
				id, events := read(f)
				t.Seen.Add(kind, id, raw, events)
			})
			if f.Err() != nil {
				return f.Err()
			}
		}
		return rows.Err()
	}
}
