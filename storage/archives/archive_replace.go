package archives

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
)

// staying are the tables with the sign-in methods of users. Archives do not include them, and deleting the users
// would delete their rows. The rows are stored again for users who also exist in the archive.
var staying = []string{"second_factors", "sign_in_identities"}

// ending are the statements that delete rows of other tables before those of the archived tables. Followers lose
// their tokens and must read everything again.
var ending = []string{
	`DELETE FROM selections WHERE site_id = $1`,
	`DELETE FROM previews WHERE site_id = $1`,
}

// provided are the columns of a site's row that keep their values when the site is restored from an archive: those
// that belong to the provider, and counters that must not decrease.
var provided = []string{"slug", "state", "plan", "overrides", "geo", "deleted_at", "purge_at", "deleted_state", "replaced_version",
	"version", "links_version", "last_post_id", "last_term_id", "last_user_id", "created_at", "changed_at"}

// ReplaceSite implements archive.Store.
func (in store) ReplaceSite(ctx context.Context, site *tenancy.Site, moved bool, columns []string, row []byte, locked archive.Locked,
	fill func(context.Context, archive.Sink) error) error {
	const get = `SELECT` + platform.SiteColumns + platform.WithPlans + `
		WHERE s.id = $1`
	err := in.adopt(ctx, site.ID, archived, func(ctx context.Context, s *sink) error {
		s.site = site.ID
		if err := pg.EnterIn(ctx, s.tx, site.ID); err != nil {
			return err
		}
		version, err := s.lock(ctx)
		if err != nil {
			return err
		}
		if err := s.tx.During(ctx, pg.Stirring, func() error { return locked(ctx, version) }); err != nil {
			return err
		}
		if err := s.refill(ctx, site, moved, columns, row, fill); err != nil {
			return err
		}
		if err := s.settle(ctx); err != nil {
			return err
		}
		if err := in.readable(ctx, s.tx, site.ID); err != nil {
			return fmt.Errorf("%w: %w", archive.ErrDamaged, err)
		}
		whole, err := platform.ScanSite(s.tx.QueryRow(ctx, get, site.ID))
		if err != nil {
			return err
		}
		*site = *whole
		if err := s.log(ctx, in.db.Second(), site.Version); err != nil {
			return err
		}
		if err := endMade(ctx, s.tx, site.ID, in.db.Second()); err != nil {
			return err
		}
		return platform.Note(ctx, in.db, s.tx, platform.Change{Kind: "site", Action: "roll_back", ID: site.ID, Name: site.Slug,
			After: pg.Document{"version": site.Version}})
	})
	if err == nil {
		in.onVersion(site.ID, site.Version, true)
	}
	return err
}

// refill replaces the rows of a site by those that fill writes. Rows that stay are stored again, unless the archive
// comes from another site.
func (s *sink) refill(ctx context.Context, site *tenancy.Site, moved bool, columns []string, row []byte,
	fill func(context.Context, archive.Sink) error) error {
	stays, err := s.staying(ctx)
	if err != nil {
		return err
	}
	if moved {
		stays = nil
	}
	if err := s.empty(ctx); err != nil {
		return err
	}
	if err := s.updateSite(ctx, columns, row, moved); err != nil {
		return err
	}
	within, err := tenancy.Enter(ctx, &tenancy.Site{ID: site.ID, Slug: site.Slug})
	if err != nil {
		return err
	}
	if err := s.tx.During(ctx, pg.Stirring, func() error { return fill(within, s) }); err != nil {
		return err
	}
	return s.stay(ctx, stays)
}

// lock locks the site's row against other writers, and returns its version.
func (s *sink) lock(ctx context.Context) (version int64, err error) {
	const lock = `
		SELECT version
		FROM sites
		WHERE id = $1
		FOR UPDATE`
	if err = s.tx.QueryRow(ctx, lock, s.site).Scan(&version); errors.Is(err, pgx.ErrNoRows) {
		err = tenancy.ErrNoSite
	}
	return version, err
}

// lasting are the archived tables that keep their rows when a site is restored: the site's row, which is updated;
// domains, which belong to the provider; and the history, which only grows.
var lasting = []string{"sites", "domains", "changes"}

// empty deletes all rows that the archive replaces.
func (s *sink) empty(ctx context.Context) error {
	sums := []string{`DELETE FROM occurrence_days WHERE site_id = $1`}
	list := slices.Clone(ending)
	for _, table := range slices.Backward(archived) {
		if !slices.Contains(lasting, table) {
			list = append(list, `DELETE FROM `+names("", []string{table})+` WHERE site_id = $1`)
		}
	}
	for _, sql := range append(list, sums...) {
		if err := s.tx.Execute(ctx, sql, s.site); err != nil {
			return err
		}
	}
	return nil
}

// updateSite copies the archived columns into the site's row. The new version is higher than the versions of the
// site and of the archive. moved says that the archive is of another site: earlier entries of the history are then
// about other objects.
func (s *sink) updateSite(ctx context.Context, columns []string, row []byte, moved bool) error {
	const update = `
		UPDATE sites s
		SET %s
		    last_post_id = GREATEST(s.last_post_id, r.last_post_id),
		    last_term_id = GREATEST(s.last_term_id, r.last_term_id),
		    last_user_id = GREATEST(s.last_user_id, r.last_user_id),
		    replaced_version = CASE WHEN $3 THEN GREATEST(s.version, r.version) ELSE s.replaced_version END,
		    version = GREATEST(s.version, r.version) + 1,
		    links_version = GREATEST(s.version, r.version) + 1
		FROM jsonb_populate_record(NULL::sites, $1::jsonb) r
		WHERE s.id = $2`
	if _, err := s.shape(archive.Table{Name: "sites", Columns: columns}); err != nil {
		return err
	}
	var set strings.Builder
	for _, column := range columns {
		if !slices.Contains(provided, column) {
			name := names("", []string{column})
			fmt.Fprintf(&set, "%s = r.%s,\n", name, name)
		}
	}
	return s.tx.Execute(ctx, fmt.Sprintf(update, set.String()), row, s.site, moved)
}

// log adds an entry to the site's history: the site was replaced.
func (s *sink) log(ctx context.Context, now time.Time, version int64) error {
	const log = `
		INSERT INTO changes (site_id, version, kind, id, action, user_id, at, who, via, via_name, address)
		VALUES ($1, $2, 'site', $1, 'update', 0, $3, $4, $5, $6, $7)`
	from := tenancy.SourceOf(ctx)
	return s.tx.Execute(ctx, log, s.site, version, now, from.Who, string(from.Via), from.Name, from.Address)
}

// kept are rows of one table, as JSON.
type kept struct {
	shape shape
	rows  [][]byte
}

// staying reads the rows of the staying tables.
func (s *sink) staying(ctx context.Context) ([]kept, error) {
	list, err := readShapes(ctx, s.tx, staying)
	if err != nil {
		return nil, err
	}
	found := make([]kept, 0, len(list))
	for i := range list {
		k := kept{shape: list[i]}
		rows, err := s.tx.Query(ctx, list[i].list(), s.site)
		if err != nil {
			return nil, err
		}
		k.rows, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]byte, error) {
			return slices.Clone(row.RawValues()[0]), nil
		})
		if err != nil {
			return nil, err
		}
		found = append(found, k)
	}
	return found, nil
}

// stay stores the rows of list again if their users exist in the archive.
func (s *sink) stay(ctx context.Context, list []kept) error {
	const still = ` WHERE EXISTS (SELECT FROM users u WHERE u.site_id = $2 AND u.id = r.user_id)`
	for i := range list {
		k := &list[i]
		lines := func(yield func([]byte) error) error {
			for _, row := range k.rows {
				if err := yield(row); err != nil {
					return err
				}
			}
			return nil
		}
		if err := s.batches(ctx, k.shape.insert(k.shape.Columns)+still, &k.shape, lines); err != nil {
			return err
		}
	}
	return nil
}
