package migrations_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/storage/storagetest"
)

// A site is refused as by the checks that sites had, under their names, when it is made and when it is changed.
func TestSitesAreChecked(t *testing.T) {
	t.Parallel()
	conn := connect(t, storagetest.Database(t))
	const create = `INSERT INTO sites (slug, name, timezone, language) VALUES ('one', 'One', 'UTC', 'en')`
	_, err := conn.Exec(t.Context(), create)
	must(t, err)
	for set, name := range map[string]string{
		`accent = 'red'`: "accent", `calendar = 'lunar'`: "calendar", `corners = ''`: "corners", `currency_position = 'above'`: "currency_position",
		`date_form = 'x'`: "date_form", `deleted_at = now()`: "deleted", `purge_at = now()`: "deleted", `deleted_state = 'active'`: "deleted",
		`english = 'old'`: "english", `font = 'comic'`: "font", `mailing = 'perhaps'`: "mailing", `overrides = '[]'`: "overrides",
		`per_page = 0`: "per_page", `per_page = 51`: "per_page", `slug = '-a'`: "slug", `slug = ''`: "slug", `state = 'gone'`: "state",
		`theme = 'none'`: "theme", `time_form = '13'`: "time_form", `translations = '1'`: "translations", `week_start = 8`: "week_start",
		`week_start = -1`: "week_start",
	} {
		column, value, _ := strings.Cut(set, " = ")
		columns, values := "name, timezone, language, "+column, "'Two', 'UTC', 'en', "+value
		if column != "slug" {
			columns, values = columns+", slug", values+", 'two'"
		}
		for _, sql := range []string{"UPDATE sites SET " + set, "INSERT INTO sites (" + columns + ") VALUES (" + values + ")"} {
			_, err := conn.Exec(t.Context(), sql)
			var said *pgconn.PgError
			if !errors.As(err, &said) || said.ConstraintName != "sites_"+name+"_check" || said.Code != "23514" {
				t.Errorf("%s: %v", sql, err)
			}
		}
	}
	for _, sql := range []string{`UPDATE sites SET accent = '#00ff00', translations = NULL, per_page = 50, state = 'closed', slug = 'a-1'`,
		`UPDATE sites SET deleted_at = now(), purge_at = now(), deleted_state = 'active'`, `UPDATE sites SET version = version + 1`} {
		_, err := conn.Exec(t.Context(), sql)
		must(t, err)
	}
}
