package kit

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kalends/kalends/storage/storagetest"
)

// past holds a kit's connections that bypass the service's role.
type past struct {
	mu    sync.Mutex
	pools map[string]*pgxpool.Pool // by address
}

// Owner returns the kit's connections that bypass the service's role.
func (k *Kit) Owner() *pgxpool.Pool {
	k.T.Helper()
	return k.owner(k.URL)
}

// owner returns connections to an address. There are few, because kits run concurrently.
func (k *Kit) owner(address string) *pgxpool.Pool {
	k.T.Helper()
	k.past.mu.Lock()
	defer k.past.mu.Unlock()
	if pool := k.past.pools[address]; pool != nil {
		return pool
	}
	config, err := pgxpool.ParseConfig(address)
	k.Must(err)
	config.MaxConns = 2
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan" // the same few statements, many times
	pool, err := storagetest.Connect(k.T)(context.Background(), config)
	k.Must(err)
	k.past.pools[address] = pool
	return pool
}

// in runs a statement on the rows of a site directly. It enters the site first, because the policies also apply to the owner
// of the tables. On a cluster it goes to the server that has the site.
func (k *Kit) in(slug, sql string, run func(tx pgx.Tx, sql string) error) {
	k.T.Helper()
	ctx, site := context.Background(), k.Sites[slug].ID
	home, err := storagetest.Home(ctx, k.Owner(), k.URL, site)
	k.Must(err)
	k.Must(pgx.BeginFunc(ctx, k.owner(home), func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "SELECT set_config('kalends.site', $1, true)", fmt.Sprint(site))
		if err == nil {
			sql, err = storagetest.Placed(ctx, tx, site, sql)
		}
		if err != nil {
			return err
		}
		return run(tx, sql)
	}))
}

// Change changes rows of a site directly.
func (k *Kit) Change(slug, sql string, arguments ...any) {
	k.T.Helper()
	k.in(slug, sql, func(tx pgx.Tx, sql string) error {
		_, err := tx.Exec(context.Background(), sql, arguments...)
		return err
	})
}

// Peek reads a text of a site directly.
func (k *Kit) Peek(slug, sql string, arguments ...any) (text string) {
	k.T.Helper()
	k.in(slug, sql, func(tx pgx.Tx, sql string) error {
		return tx.QueryRow(context.Background(), sql, arguments...).Scan(&text)
	})
	return text
}

// Across reads a text from the rows of all sites directly. Statements with arguments may need one site on a cluster.
func (k *Kit) Across(sql string) (text string) {
	k.T.Helper()
	k.Must(k.Owner().QueryRow(k.T.Context(), sql).Scan(&text))
	return text
}
