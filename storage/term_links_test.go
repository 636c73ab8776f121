package storage

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/storage/terms"
)

// TestTermsAreFoundByIndex holds what naming a term costs apart from how many the
// site has, also where most sites have few.
func TestTermsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, byValues)
	k := newKit(t)
	for n := range 200 {
		k.tagged(k.newSite(fmt.Sprint("small", n)), []string{"a", "b", "c"})
	}
	var slugs []string
	for n := range 2_000 {
		slugs = append(slugs, fmt.Sprint("term-", n))
	}
	k.tagged(k.site, slugs)
	k.vacuum()
	k.in(k.site, func(tx pgx.Tx) error {
		if _, err := tx.Exec(k.Context(), "PREPARE named AS "+terms.Named); err != nil {
			return err
		}
		rows, err := tx.Query(k.Context(), fmt.Sprintf(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF)
			EXECUTE named(%d, 'tag', '{1001, 9}', '{term-7, term-9999}', '{term-8}')`, k.site), pgx.QueryExecModeSimpleProtocol)
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
	k.exec(site, `
		INSERT INTO terms (site_id, id, version, taxonomy, name, name_key, slug, search)
		SELECT $1, 1000 + n, 1, 'tag', slug, slug, slug, ''
		FROM unnest($2::text[]) WITH ORDINALITY s (slug, n)`, site, slugs)
}

// TestSpokenTermsAreFoundByKey holds what naming a term by its slug in another language costs apart from how many such slugs
// the site has, and the same for the slug of a new event, also where most sites
// have few.
func TestSpokenTermsAreFoundByKey(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, byValues)
	k := newKit(t)
	const speak = `
		INSERT INTO translated_slugs (site_id, kind, slug, language, id)
		SELECT $1, kind, 'slug-' || n, 'de', 1000 + n
		FROM unnest('{event,tag}'::text[]) kind, generate_series($2::integer, $3::integer) n`
	for n := range 200 {
		site := k.newSite(fmt.Sprint("small", n))
		k.exec(site, speak, site, 1, 2)
	}
	_, err := k.owner().Exec(t.Context(), "ANALYZE translated_slugs")
	k.must(err)
	k.exec(k.site, speak, k.site, 1, 5_000)
	read := regexp.MustCompile(`Removed by (?:Join )?Filter: \d{3,}|actual rows=\d{4,}`)
	for name, sql := range map[string]string{"named": namedTerms, "unknown": unknownTerms} {
		k.in(k.site, func(tx pgx.Tx) error {
			plan, err := k.explain(tx, "ANALYZE, COSTS OFF, TIMING OFF", sql, fmt.Sprint(k.site), "'tag'", "'{}'", "'{slug-7,none}'",
				"'{slug-7,none}'", "'{de}'")
			if all := read.FindString(plan); all != "" {
				t.Errorf("%s terms: %s\n%s", name, all, plan)
			}
			return err
		})
	}
	for _, name := range []string{"create 1", "create 2"} {
		k.in(k.site, func(tx pgx.Tx) error {
			plan, err := k.explain(tx, "COSTS OFF", events.Statements[name])
			if !regexp.MustCompile(`using translated_slugs_pkey on translated_slugs .*\n +Index Cond: .*slug = `).MatchString(plan) {
				t.Errorf("%s:\n%s", name, plan)
			}
			return err
		})
	}
}
