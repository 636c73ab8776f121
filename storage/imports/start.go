package imports

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/storage/accounts"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/sources"
)

// mostWaiting is how many imports of a site may wait, and keptFiles how many files of dry runs are kept.
const (
	mostWaiting = 20
	keptFiles   = 10
)

// create stores an import under the site's next id. If its file has been received, the import is due immediately,
// or after the import that is running.
const create = `
	WITH site AS (
		UPDATE sites
		SET last_import_id = last_import_id + 1,
		    imports_due = CASE WHEN @received THEN COALESCE(imports_due, @now) ELSE imports_due END
		WHERE id = @site
		  AND (@source_id <> 0::bigint OR (
		      SELECT count(*)
		      FROM imports w
		      WHERE w.site_id = @site
		        AND w.state IN ('queued', 'running')
		        AND w.source_id = 0
		  ) < @most)
		RETURNING last_import_id AS id
	)
	INSERT INTO imports (site_id, id, state, format, asked, dry_run, policy, name, address, secret, shown, source, source_id,
	                     received, undoes, user_id, credential, who, via, via_name, client, total, created_at)
	SELECT @site, site.id, 'queued', @format, @asked, @dry_run, @policy, @name, @address, @secret, @shown, @source, @source_id,
	       @received, @undoes, @user, @credential, @who, @via, @via_name, @client, @total, @now
	FROM site
	RETURNING id`

func (s store) create(i *imports.Import, site int64, received bool) (pgx.NamedArgs, error) {
	asked, err := pg.EncodeJSON(i.Asked)
	if asked == nil {
		empty := "{}"
		asked = &empty
	}
	i.Created = s.now()
	return pgx.NamedArgs{
		"site":       site,
		"now":        i.Created,
		"most":       mostWaiting,
		"received":   received,
		"format":     i.Format,
		"asked":      asked,
		"dry_run":    i.DryRun,
		"policy":     i.Policy,
		"name":       i.Name,
		"address":    i.Address,
		"secret":     i.Secret,
		"shown":      i.URL,
		"source":     i.Source,
		"source_id":  i.From,
		"undoes":     i.Undoes,
		"total":      i.Total,
		"user":       i.By.UserID,
		"credential": i.Credential,
		"who":        i.By.Who,
		"via":        i.By.Via,
		"via_name":   i.By.Name,
		"client":     i.By.Address,
	}, err
}

// idOf reads the id from create.
func idOf(i *imports.Import) func(pgx.Row) error {
	return func(row pgx.Row) error {
		err := row.Scan(&i.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			err = imports.ErrMany
		}
		return err
	}
}

const addPiece = `
	INSERT INTO import_files (site_id, import_id, n, data)
	VALUES ($1, $2, $3, $4)`

// wake makes the imports of a site due: immediately, unless an import is running.
const wake = `
	UPDATE sites
	SET imports_due = COALESCE(imports_due, $2)
	WHERE id = $1`

// Create implements imports.Store. The import stays invisible until its whole file has arrived.
func (s store) Create(ctx context.Context, i *imports.Import, file func(func([]byte) error) error) error {
	const receive = `
		UPDATE imports
		SET received = true
		WHERE site_id = $1
		  AND id = $2`
	err := s.begin(ctx, i, false, nil)
	if err != nil {
		return err
	}
	n := 0
	err = file(func(piece []byte) error {
		n++
		return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(addPiece, site, i.ID, n, piece) })
	})
	if err != nil {
		return errors.Join(err, s.Remove(context.WithoutCancel(ctx), i.ID))
	}
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(wake, site, i.Created)
		b.Queue(receive, site, i.ID)
		if i.Handed != nil {
			sources.QueueHanded(b, site, i)
			sources.QueueSettled(b, site, i.Created)
		}
		accounts.QueueMade(ctx, b, site, "import", i.ID)
	})
	if errors.Is(err, imports.ErrLost) {
		err = errors.Join(err, s.Remove(context.WithoutCancel(ctx), i.ID))
	}
	return err
}

// Hand implements imports.Store: it does everything in one transaction.
func (s store) Hand(ctx context.Context, list []*imports.Import) error {
	const keep = `
		INSERT INTO import_files (site_id, import_id, n, data)
		VALUES ($1, (SELECT s.last_import_id FROM sites s WHERE s.id = $1), 0, $2)`
	var failed error
	err := s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		for _, i := range list {
			a, err := s.create(i, site, true)
			if failed = err; err != nil {
				return
			}
			i.ID = 0
			b.Queue(create, a).QueryRow(idOf(i))
			b.Queue(keep, site, i.Handed.Data)
			sources.QueueHanded(b, site, i)
		}
		sources.QueueSettled(b, site, s.now())
	})
	return errors.Join(failed, err)
}

// begin stores an import, with the statements that more queues.
func (s store) begin(ctx context.Context, i *imports.Import, received bool, more func(site int64, b *pgx.Batch)) error {
	var failed error
	err := s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		a, err := s.create(i, site, received)
		if err != nil {
			failed = err
			return
		}
		b.Queue(create, a).QueryRow(idOf(i))
		if more != nil {
			more(site, b)
		}
	})
	return errors.Join(failed, err)
}

// Copy implements imports.Store.
func (s store) Copy(ctx context.Context, i *imports.Import, from int64) error {
	const copyFile = `
		INSERT INTO import_files (site_id, import_id, n, data)
		SELECT $1, (SELECT s.last_import_id FROM sites s WHERE s.id = $1), f.n, f.data
		FROM import_files f
		WHERE f.site_id = $1
		  AND f.import_id = $2`
	err := s.begin(ctx, i, true, func(site int64, b *pgx.Batch) {
		b.Queue(copyFile, site, from).Exec(pg.OneRow(imports.ErrNoFile))
	})
	if err != nil {
		return err
	}
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { accounts.QueueMade(ctx, b, site, "import", i.ID) })
}

// Undo implements imports.Store.
func (s store) Undo(ctx context.Context, i *imports.Import) error {
	const mark = `
		UPDATE imports
		SET undone_at = $3
		WHERE site_id = $1
		  AND id = $2
		  AND undone_at IS NULL`
	return s.begin(ctx, i, true, func(site int64, b *pgx.Batch) {
		b.Queue(mark, site, i.Undoes, i.Created).Exec(pg.OneRow(imports.ErrUndone))
	})
}

// Cancel implements imports.Store.
func (s store) Cancel(ctx context.Context, id int64) error {
	const cancel = `
		UPDATE imports
		SET state = 'cancelled',
		    finished_at = $3,
		    address = '',
		    secret = NULL,
		    lease = NULL
		WHERE site_id = $1
		  AND id = $2
		  AND state IN ('queued', 'running')`
	const next = `
		UPDATE sites
		SET imports_due = CASE WHEN EXISTS (
		        SELECT
		        FROM imports w
		        WHERE w.site_id = $1
		          AND w.state IN ('queued', 'running')
		    ) THEN $2::timestamptz END
		WHERE id = $1`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(heed, site)
		b.Queue(cancel, site, id, s.now())
		b.Queue(next, site, s.now())
		sources.QueueRead(b, site, id, s.now())
		sources.QueueSettled(b, site, s.now())
	})
}

// heed locks the site. Every transaction that changes imports or their due time begins with it.
const heed = `
	SELECT
	FROM sites
	WHERE id = $1
	FOR NO KEY UPDATE`

// Remove implements imports.Store.
func (s store) Remove(ctx context.Context, id int64) error {
	const remove = `
		DELETE FROM imports
		WHERE site_id = $1
		  AND id = $2
		  AND (state NOT IN ('queued', 'running') OR NOT received)`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(remove, site, id).Exec(pg.OneRow(imports.ErrNoImport)) })
}

// How long files of dry runs, reports, and interrupted uploads are kept.
const (
	fileLife   = 7 * 24 * time.Hour
	reportLife = 365 * 24 * time.Hour
	uploadLife = time.Hour
)
