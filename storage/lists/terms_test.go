package lists

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/events"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/eventtest"
)

// TestSpokenTermsAreFoundByKey holds what naming a term by its slug in another language costs apart from how many such slugs
// the site has, and the same for the slug of a new event, also where most sites
// have few.
func TestSpokenTermsAreFoundByKey(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, eventtest.ByValues)
	k := newKit(t)
	const speak = `
		INSERT INTO translated_slugs (site_id, kind, slug, language, id)
		SELECT $1, kind, 'slug-' || n, 'de', 1000 + n
		FROM unnest('{event,tag}'::text[]) kind, generate_series($2::integer, $3::integer) n`
	for n := range 200 {
		site := k.NewSite(fmt.Sprint("small", n))
		k.Exec(site, speak, site, 1, 2)
	}
	_, err := k.Owner().Exec(t.Context(), "ANALYZE translated_slugs")
	k.Must(err)
	k.Exec(k.Site, speak, k.Site, 1, 5_000)
	read := regexp.MustCompile(`Removed by (?:Join )?Filter: \d{3,}|actual rows=\d{4,}`)
	for name, sql := range map[string]string{"named": namedTerms, "unknown": unknownTerms} {
		k.In(k.Site, func(tx pgx.Tx) error {
			plan, err := k.Explain(tx, "ANALYZE, COSTS OFF, TIMING OFF", sql, fmt.Sprint(k.Site), "'tag'", "'{}'", "'{slug-7,none}'",
				"'{slug-7,none}'", "'{de}'")
			if all := read.FindString(plan); all != "" {
				t.Errorf("%s terms: %s\n%s", name, all, plan)
			}
			return err
		})
	}
	for _, name := range []string{"create 1", "create 2"} {
		k.In(k.Site, func(tx pgx.Tx) error {
			plan, err := k.Explain(tx, "COSTS OFF", events.Statements[name])
			if !regexp.MustCompile(`using translated_slugs_pkey on translated_slugs .*\n +Index Cond: .*slug = `).MatchString(plan) {
				t.Errorf("%s:\n%s", name, plan)
			}
			return err
		})
	}
}
