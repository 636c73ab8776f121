package platform

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
)

// nodeLife is how long a node's note is valid.
const nodeLife = time.Minute

// NoteNode stores a node's note about itself, replaces its previous one, and removes notes of nodes that stopped writing them.
func NoteNode(ctx context.Context, db *pg.DB, node string, busy []byte) error {
	const note = `
		INSERT INTO nodes (id, at, busy)
		VALUES ($1, clock_timestamp(), $2)
		ON CONFLICT ON CONSTRAINT nodes_pkey DO UPDATE
		SET at = clock_timestamp(),
		    busy = $2`
	const forget = `DELETE FROM nodes WHERE at < clock_timestamp() - $1::interval`
	b := &pgx.Batch{}
	b.Queue(note, node, busy)
	b.Queue(forget, 10*nodeLife)
	return db.Failure(db.Across("what a node notes of itself").Send(ctx, b))
}

// Nodes returns the notes of the running nodes about themselves.
func Nodes(ctx context.Context, db *pg.DB) (all [][]byte, err error) {
	const noted = `
		SELECT n.busy
		FROM nodes n
		WHERE n.at > clock_timestamp() - $1::interval
		ORDER BY n.id`
	rows, err := db.Across("what the nodes note of themselves").Query(ctx, noted, nodeLife)
	if err != nil {
		return nil, db.Failure(err)
	}
	all, err = pgx.CollectRows(rows, pgx.RowTo[[]byte])
	return all, db.Failure(err)
}

// BackedUp records that a backup of the whole installation has ended.
func BackedUp(ctx context.Context, db *pg.DB) error {
	const note = `UPDATE installation SET backed_up_at = clock_timestamp()`
	_, err := db.Across("when the installation was backed up is known of it").Exec(ctx, note)
	return db.Failure(err)
}

// LastBackup returns when the last backup of the whole installation ended, or the zero time if there was none. due
// is the number of sites with submissions to process.
func LastBackup(ctx context.Context, db *pg.DB) (at time.Time, due int, err error) {
	const last = `SELECT max(backed_up_at) FROM installation`
	const waiting = `
		SELECT count(*)
		FROM sites s
		WHERE s.submissions_due <= clock_timestamp()`
	b := &pgx.Batch{}
	b.Queue(last).QueryRow(pg.One((*pg.Sometime)(&at)))
	b.Queue(waiting).QueryRow(pg.One(&due))
	err = db.Across("counted by an index when Prometheus asks").Send(ctx, b)
	return at, due, db.Failure(err)
}
