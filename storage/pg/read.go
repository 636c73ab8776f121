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

// Quick is Read for reads of a few rows. Quick reads of the same site share round trips.
func (db *DB) Quick(ctx context.Context, queue Queue) error {
	site, err := Site(ctx)
	if err != nil {
		return err
	}
	return db.failure(db.trips.share(ctx, site, queue))
}

// WriteUnversioned writes in one round trip without a new version of the scope's site. It is for changes that nobody else sees,
// such as the time of a sign-in. The pipeline is one transaction.
func (db *DB) WriteUnversioned(ctx context.Context, queue Queue) error {
	site, err := Site(ctx)
	if err != nil {
		return err
	}
	return db.failure(db.trips.write(ctx, site, queue))
}

// AtOnce writes in one round trip. The caller's single statement must do all that Write does, or nothing: lock the
// scope's site, raise its version and log the change. The error is that of Postgres; see Refused.
func (db *DB) AtOnce(ctx context.Context, queue Queue) error {
	site, err := Site(ctx)
	if err != nil {
		return err
	}
	return uncertain(db.trips.write(ctx, site, queue))
}
