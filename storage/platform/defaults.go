package platform

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy/platform"
)

const defaultsOf = `SELECT new_sites FROM installation`

// Defaults returns the values that new sites get unless their creation gives others.
func (s sites) Defaults(ctx context.Context) (platform.SiteDefaults, error) {
	d, err := scanDefaults(s.db.Across("what new sites get is kept once").QueryRow(ctx, defaultsOf))
	return d, s.db.Failure(err)
}

// scanDefaults reads the defaults. In a new installation there is no row; it then returns empty defaults.
func scanDefaults(row pgx.Row) (d platform.SiteDefaults, err error) {
	if err = row.Scan(&d); errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return d, err
}

// SetDefaults stores the defaults of new sites. If they are unchanged, it adds nothing to the history.
func (s sites) SetDefaults(ctx context.Context, d platform.SiteDefaults) error {
	const set = `UPDATE installation SET new_sites = $1`
	all := s.db.Across("what new sites get is kept once")
	return s.db.Failure(pgx.BeginFunc(ctx, all, func(t pgx.Tx) error {
		before, err := scanDefaults(t.QueryRow(ctx, defaultsOf+` FOR UPDATE`))
		if err != nil || before == d {
			return err
		}
		tag, err := t.Exec(ctx, set, d)
		if err == nil && tag.RowsAffected() == 0 {
			err = errors.New("the installation was never started")
		}
		if err != nil {
			return err
		}
		was, is := defaultsDocument(&before), defaultsDocument(&d)
		return Note(ctx, s.db, t, Change{"defaults", "update", 0, "", was.Unlike(is), is.Unlike(was)})
	}))
}

func defaultsDocument(d *platform.SiteDefaults) pg.Document {
	return pg.Document{
		"language":      d.Language,
		"timezone":      d.Timezone,
		"currency_code": d.Currency,
		"plan":          d.Plan,
		"theme":         d.Theme,
		"map_tiles":     d.Tiles,
		"map_credit":    d.Credit,
	}
}
