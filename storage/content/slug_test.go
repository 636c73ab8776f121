package content

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

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// freeTag returns the slug a new tag gets.
func (k *kit) freeTag(base string) (slug string) {
	k.Helper()
	k.must(k.db.Write(k.ctx, func(ctx context.Context, t *Tx) (err error) {
		slug, err = t.FreeSlug(ctx, "tag", 0, base)
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
	k.tag(slugs)
	if next := k.freeTag("class"); next != numbered(many+1) {
		t.Errorf("next %q", next)
	}
	var plan string
	k.must(k.db.Read(k.ctx, func(site int64, b *pgx.Batch) {
		b.Queue("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) "+walks["tag"], pgx.NamedArgs{"site": site,
			"id": int64(0), "base": "class", "stems": stems("class"), "kind": "tag", "language": ""}).Query(func(rows pgx.Rows) error {
			lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
			plan = strings.Join(lines, "\n")
			return err
		})
	}))
	asked := regexp.MustCompile(`Recursive Union \(actual rows=(\d+)`).FindStringSubmatch(plan)
	if asked == nil {
		t.Fatalf("no walk:\n%s", plan)
	}
	if n, _ := strconv.Atoi(asked[1]); n > 30 {
		t.Errorf("%d slugs were looked at:\n%s", n, plan)
	}
}

// TestSpokenSlugsAreFoundByKey: a slug in another language is looked up by its whole key, also where most sites have few.
func TestSpokenSlugsAreFoundByKey(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "shards have statistics of their own")
	k := newKit(t)
	of := k.ctx
	const speak = `
		INSERT INTO translated_slugs (site_id, kind, slug, language, id)
		SELECT $1, 'event', 'slug-' || n, 'de', 1000 + n
		FROM generate_series($2::integer, $3::integer) n`
	owner, err := pgx.Connect(t.Context(), k.url)
	k.must(err)
	defer func() { _ = owner.Close(t.Context()) }()
	for n := range 200 {
		var site int64
		k.must(pg.Ask(t.Context(), k.url, "a test makes sites", fmt.Sprintf(`
			INSERT INTO sites (slug, name, timezone, language)
			VALUES ('small%d', 'small', 'UTC', 'en')
			RETURNING id`, n), &site))
		k.ctx = tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: site}})
		k.exec(speak, 1, 2)
	}
	k.ctx = of
	_, err = owner.Exec(t.Context(), "ANALYZE translated_slugs")
	k.must(err)
	k.exec(speak, 1, 5_000)
	for what, sql := range map[string]string{
		"walk":  "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + walks["event"],
		"taken": "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + strings.NewReplacer("$1", "@site", "$2", "@kinds", "$3", "@slugs").Replace(takenSlugs),
		"id": "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT " +
			SlugIn("event", "events", "@site::bigint", "@base::text", "@language::text"),
	} {
		k.must(k.db.Read(k.ctx, func(site int64, b *pgx.Batch) {
			b.Queue(sql, pgx.NamedArgs{"site": site, "id": int64(7), "base": "slug-9", "stems": stems("slug-9"), "kind": "event",
				"language": "de", "kinds": []string{"event", "event"}, "slugs": []string{"slug-9", "none"}}).Query(func(rows pgx.Rows) error {
				lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
				if removed := regexp.MustCompile(`Removed by Filter: \d{3,}|actual rows=\d{4,}`).FindString(strings.Join(lines, "\n")); removed != "" {
					t.Errorf("%s reads all of the site: %s\n%s", what, removed, strings.Join(lines, "\n"))
				}
				return err
			})
		}))
	}
}

// A slug that is found is free, and the one before it is not.
func TestSlugAmongThoseGivenUp(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for round := range 30 {
		k.exec(`DELETE FROM terms WHERE site_id = $1`)
		taken := rand.Perm(40)[:round]
		slugs := []string{"classic", "class-", "class-02"}
		for _, n := range taken {
			slugs = append(slugs, numbered(n+1))
		}
		k.tag(slugs)
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
