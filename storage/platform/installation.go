package platform

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
)

// Secret returns the secret that the nodes of the installation share. The first call creates it. If there is no
// site yet, that call also records the version of the time zone data and of the folding rules; existing sites may
// have been written with other versions.
func Secret(ctx context.Context, db *pg.DB, rules int) ([]byte, error) {
	const first = `SELECT NOT EXISTS (SELECT 1 FROM sites)`
	const query = `
		WITH made AS (
		    INSERT INTO installation (secret, zones, folding)
		    VALUES ($1, $2, $3)
		    ON CONFLICT ON CONSTRAINT installation_pkey DO NOTHING
		    RETURNING secret
		)
		SELECT secret FROM made
		UNION ALL
		SELECT secret FROM installation
		LIMIT 1`
	outside := db.Across("the installation has one secret; whether there is any site is asked when it starts for the first time")
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never returns an error: it ends the program instead
	var secret []byte
	none, zones, folding := false, "", 0
	// This is a separate query: Citus distributes sites, and cannot write in a query that reads them.
	if err := outside.QueryRow(ctx, first).Scan(&none); err != nil {
		return nil, db.Failure(err)
	}
	if none {
		zones, folding = args.ZoneVersion(), rules
	}
	err := outside.QueryRow(ctx, query, fresh, zones, folding).Scan(&secret)
	if errors.Is(err, pgx.ErrNoRows) { // another node has created it in the meantime, invisible to this statement
		err = outside.QueryRow(ctx, query, fresh, zones, folding).Scan(&secret)
	}
	return secret, db.Failure(err)
}

// Beginning reports whether the first run of the installation is unfinished.
func Beginning(ctx context.Context, db *pg.DB) (beginning bool, err error) {
	const query = `SELECT beginning FROM installation`
	err = db.Across("whether the installation is being set up is known of no site").QueryRow(ctx, query).Scan(&beginning)
	return beginning, db.Failure(err)
}

// SetBeginning records that the first run begins or has ended.
func SetBeginning(ctx context.Context, db *pg.DB, beginning bool) error {
	const note = `UPDATE installation SET beginning = $1`
	_, err := db.Across("whether the installation is being set up is noted of no site").Exec(ctx, note, beginning)
	return db.Failure(err)
}

// Alone runs do on one node of the installation at a time. The other nodes wait. If a node stops in the middle, the
// next one continues.
func Alone(ctx context.Context, url string, do func() error) error {
	return pg.Alone(ctx, url, "one node at a time sets the installation up", "kalends first run", do)
}
