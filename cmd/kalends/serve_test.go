package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestRoundEnds: a second's work that gets no answer ends, so that the next can begin.
func TestRoundEnds(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	in := astray(t, database, 0)
	var log bytes.Buffer
	in.logger = slog.New(slog.NewTextHandler(&log, nil))
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if _, err := conn.Exec(t.Context(), "BEGIN; LOCK TABLE schedule"); err != nil {
		t.Fatal(err)
	}
	in.once(t.Context(), time.Now(), 300*time.Millisecond)
	if !strings.Contains(log.String(), "publish scheduled items") || !strings.Contains(log.String(), "deadline") {
		t.Errorf("the round didn't end by itself: %s", log.String())
	}
}

// TestReadOnlyDatabase: /readyz says of a database that takes no writes that it doesn't,
// as when the standby was taken for the primary.
func TestReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	if why := astray(t, database, 0).writable(t.Context()); why != "" {
		t.Errorf("one that takes them: %s", why)
	}
	if why := astray(t, readOnly(database), 0).writable(t.Context()); why == "" {
		t.Error("one that takes none is well")
	}
}

// readOnly returns the address of a database with sessions that write nothing.
func readOnly(database string) string {
	if strings.Contains(database, "?") {
		return database + "&default_transaction_read_only=on"
	}
	return database + "?default_transaction_read_only=on"
}
