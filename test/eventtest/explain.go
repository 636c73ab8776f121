package eventtest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Explain returns the plan of a statement, one that doesn't depend on values. Without any, all of them are null.
func (k *Kit) Explain(tx pgx.Tx, options, sql string, values ...string) (string, error) {
	if _, err := tx.Exec(k.Context(), "PREPARE explained AS "+sql); err != nil {
		return "", err
	}
	if len(values) == 0 {
		const parameters = `SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = 'explained'`
		var n int
		if err := tx.QueryRow(k.Context(), parameters).Scan(&n); err != nil {
			return "", err
		}
		values = slices.Repeat([]string{"NULL"}, n)
	}
	rows, err := tx.Query(k.Context(), "EXPLAIN ("+options+") EXECUTE explained("+strings.Join(values, ", ")+")", pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return "", err
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err == nil {
		_, err = tx.Exec(k.Context(), "DEALLOCATE explained")
	}
	return strings.Join(lines, "\n"), err
}

// Literal writes a value as SQL.
func Literal(v any) string {
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	switch v := v.(type) {
	case string:
		return quote(v)
	case time.Time:
		return quote(v.Format("2006-01-02 15:04:05Z"))
	case []int64:
		return quote("{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(v), " ", ","), "[]") + "}")
	case []string:
		return quote(`{"` + strings.Join(v, `","`) + `"}`)
	}
	return fmt.Sprint(v)
}
