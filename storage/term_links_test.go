package storage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/storage/terms"
	"github.com/kalends/kalends/test/eventtest"
)

// TestTermsAreFoundByIndex holds what naming a term costs apart from how many the
// site has, also where most sites have few.
func TestTermsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	for n := range 200 {
		k.tagged(k.NewSite(fmt.Sprint("small", n)), []string{"a", "b", "c"})
	}
	var slugs []string
	for n := range 2_000 {
		slugs = append(slugs, fmt.Sprint("term-", n))
	}
	k.tagged(k.Site, slugs)
	k.Vacuum()
	k.In(k.Site, func(tx pgx.Tx) error {
		if _, err := tx.Exec(k.Context(), "PREPARE named AS "+terms.Named); err != nil {
			return err
		}
		rows, err := tx.Query(k.Context(), fmt.Sprintf(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF)
			EXECUTE named(%d, 'tag', '{1001, 9}', '{term-7, term-9999}', '{term-8}')`, k.Site), pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		plan := strings.Join(lines, "\n")
		if !strings.Contains(lines[0], "actual rows=3 ") || strings.Contains(plan, "Rows Removed by Filter") {
			t.Errorf("not three, or others were read:\n%s", plan)
		}
		return err
	})
}

// tagged makes tags of a site with these slugs.
func (k *kit) tagged(site int64, slugs []string) {
	k.Helper()
	k.Exec(site, `
		INSERT INTO terms (site_id, id, version, taxonomy, name, name_key, slug, search)
		SELECT $1, 1000 + n, 1, 'tag', slug, slug, slug, ''
		FROM unnest($2::text[]) WITH ORDINALITY s (slug, n)`, site, slugs)
}
