package pg

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestFrozenImportLetsGo has a transaction wait that nobody stirs, as that of a frozen node,
// and one that is stirred: Postgres ends the first, and who waits for what it holds goes on.
func TestFrozenImportLetsGo(t *testing.T) {
	t.Parallel()
	db := newKit(t).db
	ctx := t.Context()
	begin := func(limit string) *Awake {
		t.Helper()
		tx, err := db.pool.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(ctx)) })
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
			t.Fatal(err)
		}
		if limit != "" {
			if _, err := tx.Exec(ctx, `SELECT set_config('idle_in_transaction_session_timeout', $1, true)`, limit); err != nil {
				t.Fatal(err)
			}
		}
		return &Awake{Tx: tx}
	}
	var limit string
	if err := begin("").QueryRow(ctx, `SHOW idle_in_transaction_session_timeout`).Scan(&limit); err != nil || limit != "30s" {
		t.Fatalf("an import may idle for %q: %v", limit, err)
	}
	const lock = `SELECT pg_advisory_xact_lock(8415)`
	lively, frozen := begin("2s"), begin("2s")
	if err := frozen.Execute(ctx, lock); err != nil {
		t.Fatal(err)
	}
	err := lively.During(ctx, 50*time.Millisecond, func() error {
		return pgx.BeginFunc(ctx, db.pool, func(next pgx.Tx) error { // which waits until the frozen one is ended
			_, err := next.Exec(ctx, lock)
			return err
		})
	})
	if err != nil {
		t.Errorf("who takes over: %v", err)
	}
	if err := frozen.Execute(ctx, "SELECT 1"); err == nil {
		t.Error("the transaction of a frozen node goes on")
	}
	if err := lively.Execute(ctx, "SELECT 1"); err != nil {
		t.Errorf("the transaction of a node that lives was ended: %v", err)
	}
}
