package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
)

// PictureKeys returns those of the keys that belong to an image of a site, or to the picture of an unconfirmed submission.
func (db *DB) PictureKeys(ctx context.Context, site int64, keys []string) (named []string, err error) {
	const query = `
		SELECT i.key
		FROM images i
		WHERE i.site_id = $1
		  AND i.key = ANY($2)
		UNION
		SELECT u.image ->> 'Key'
		FROM unconfirmed_submissions u
		WHERE u.site_id = $1
		  AND u.image ->> 'Key' = ANY($2)`
	err = db.In(ctx, "pictures are swept site by site, without a scope", site, func(site int64, b *pgx.Batch) {
		b.Queue(query, site, keys).Query(pg.All(&named, pgx.RowTo[string]))
	})
	return named, err
}

// Identity returns the time of the database, and a name for it. The name differs from that of every other database
// on the server and of every copy made by pg_dump or kalends restore.
func (db *DB) Identity(ctx context.Context) (now time.Time, owner string, err error) {
	const query = `
		SELECT clock_timestamp(),
		       current_database() || '@' || (SELECT c.system_identifier FROM pg_control_system() c)`
	var place string
	if err := db.Across("what the database itself is called").QueryRow(ctx, query).Scan(&now, &place); err != nil {
		return time.Time{}, "", db.Failure(err)
	}
	digest := sha256.Sum256([]byte(place))
	return now.UTC(), hex.EncodeToString(digest[:]), nil
}

// Marked implements media.Marks.
func (db *DB) Marked(ctx context.Context, fresh string) (mark string, err error) {
	const first = `UPDATE installation SET pictures = $1 WHERE pictures = '' AND $1 <> ''`
	const look = `SELECT COALESCE((SELECT pictures FROM installation), '')`
	outside := db.Across("where pictures are is known of the installation")
	if fresh != "" {
		if _, err := outside.Exec(ctx, first, fresh); err != nil {
			return "", db.Failure(err)
		}
	}
	err = outside.QueryRow(ctx, look).Scan(&mark)
	return mark, db.Failure(err)
}
