package storage

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// tagged makes tags of a site with these slugs.
func (k *kit) tagged(site int64, slugs []string) {
	k.Helper()
	k.exec(site, `
		INSERT INTO terms (site_id, id, version, taxonomy, name, name_key, slug, search)
		SELECT $1, 1000 + n, 1, 'tag', slug, slug, slug, ''
		FROM unnest($2::text[]) WITH ORDINALITY s (slug, n)`, site, slugs)
}

// freeTag returns the slug a new tag gets.
func (k *kit) freeTag(base string) (slug string) {
	k.Helper()
	k.must(k.db.write(k.ctx, func(ctx context.Context, t *tx) (err error) {
		slug, err = t.freeSlug(ctx, "tag", 0, base)
		return err
	}))
	return slug
}

func numbered(n int) string {
	if n == 1 {
		return "class"
	}
	return fmt.Sprint("class-", n)
}

// However many have a slug, that of the next is found with a few questions.
func TestSlugOfManyAlike(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	const many = 3_000
	var slugs []string
	for n := range many {
		slugs = append(slugs, numbered(n+1))
	}
	k.tagged(k.site, slugs)
	k.equal("next", k.freeTag("class"), numbered(many+1))
	k.in(k.site, func(tx pgx.Tx) error {
		rows, err := tx.Query(k.Context(), "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) "+walks["tag"], pgx.QueryExecModeSimpleProtocol,
			pgx.NamedArgs{"site": k.site, "id": int64(0), "base": "class", "stems": stems("class")})
		if err != nil {
			return err
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		plan := strings.Join(lines, "\n")
		asked := regexp.MustCompile(`Recursive Union \(actual rows=(\d+)`).FindStringSubmatch(plan)
		if asked == nil {
			t.Fatalf("no walk:\n%s", plan)
		}
		if n, _ := strconv.Atoi(asked[1]); n > 30 {
			t.Errorf("%d slugs were looked at:\n%s", n, plan)
		}
		return err
	})
}

// A slug that is found is free, and the one before it is not.
func TestSlugAmongThoseGivenUp(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for round := range 30 {
		k.exec(k.site, `DELETE FROM terms WHERE site_id = $1`, k.site)
		taken := rand.Perm(40)[:round]
		slugs := []string{"classic", "class-", "class-02"}
		for _, n := range taken {
			slugs = append(slugs, numbered(n+1))
		}
		k.tagged(k.site, slugs)
		got := k.freeTag("class")
		n := 1
		for numbered(n) != got {
			if n++; n > 100 {
				t.Fatalf("%q beside %q", got, slugs)
			}
		}
		if slices.Contains(taken, n-1) || n > 1 && !slices.Contains(taken, n-2) {
			t.Errorf("%q beside %q", got, slugs)
		}
	}
}
