package pg

import "context"

// Read runs queued queries on the scope's site in one round trip. The pipeline is one
// transaction.
func (db *DB) Read(ctx context.Context, queue Queue) error {
	site, err := Site(ctx)
	if err != nil {
		return err
	}
	return db.failure(db.trips.read(ctx, site, queue))
}

// Quick is Read for reads of a few rows: those of one site share round trips.
func (db *DB) Quick(ctx context.Context, queue Queue) error {
	site, err := Site(ctx)
	if err != nil {
		return err
	}
	return db.failure(db.trips.share(ctx, site, queue))
}

// Note writes in one round trip without a new version of the scope's site. It is for changes that others do not see, such as
// when someone signed in. The pipeline is one transaction.
func (db *DB) Note(ctx context.Context, queue Queue) error {
	site, err := Site(ctx)
	if err != nil {
		return err
	}
	return db.failure(db.trips.note(ctx, site, queue))
}

// AtOnce writes in one round trip. Its statement does by itself what Write does: it locks the scope's site, raises its version
// and logs the change, or does nothing. The error is that of Postgres; see Refused.
func (db *DB) AtOnce(ctx context.Context, queue Queue) error {
	site, err := Site(ctx)
	if err != nil {
		return err
	}
	return uncertain(db.trips.note(ctx, site, queue))
}
