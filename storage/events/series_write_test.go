package events

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestOccurrencesAreDroppedByAHash: which occurrences of a series go is looked up in a hash, also before Postgres has statistics of them.
func TestOccurrencesAreDroppedByAHash(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "shards plan for themselves")
	db, err := pgx.Connect(t.Context(), storagetest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close(t.Context()) }()
	if _, err := db.Exec(t.Context(), "PREPARE dropped (bigint, bigint, bigint[]) AS "+dropOccurrences); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query(t.Context(), "EXPLAIN (COSTS OFF) EXECUTE dropped(1, 2, '{3,4}')", pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	plan := strings.Join(lines, "\n")
	if err != nil || !strings.Contains(plan, "hashed SubPlan") || strings.Contains(plan, "Join") || strings.Contains(plan, "Nested Loop") {
		t.Errorf("%v\n%s", err, plan)
	}
}
