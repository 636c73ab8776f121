package content

import (
	"context"
	"os"
	"testing"

	"github.com/kalends/kalends/storage/linked"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }

// kit is a database with one site.
type kit struct {
	testing.TB
	db  *DB
	url string
	ctx context.Context // of the site
}

func newKit(t testing.TB) *kit {
	t.Helper()
	k := &kit{TB: t}
	url := storagetest.Database(t)
	k.url = url
	var err error
	k.db, err = Open(t.Context(), url, Options{Options: pg.Options{Strict: true}, LinkBytes: linked.Bytes,
		OnVersion: func(int64, int64, bool) {}})
	k.must(err)
	t.Cleanup(k.db.Close)
	var site int64
	k.must(pg.Ask(t.Context(), url, "a test makes a site", `
		INSERT INTO sites (slug, name, timezone, language)
		VALUES ('one', 'one', 'UTC', 'en')
		RETURNING id`, &site))
	k.ctx = tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: site}})
	return k
}

// exec runs a statement of the site, $1.
func (k *kit) exec(sql string, arguments ...any) {
	k.Helper()
	k.must(k.db.Write(k.ctx, func(ctx context.Context, t *Tx) error {
		_, err := t.Exec(ctx, sql, append([]any{t.Site}, arguments...)...)
		return err
	}))
}

// tag makes tags with these slugs.
func (k *kit) tag(slugs []string) {
	k.Helper()
	k.exec(`
		INSERT INTO terms (site_id, id, version, taxonomy, name, name_key, slug, search)
		SELECT $1, 1000 + n, 1, 'tag', slug, slug, slug, ''
		FROM unnest($2::text[]) WITH ORDINALITY s (slug, n)`, slugs)
}

func (k *kit) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}
