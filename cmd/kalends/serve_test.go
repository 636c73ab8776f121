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
	if !strings.Contains(log.String(), "publish what is due") || !strings.Contains(log.String(), "deadline") {
		t.Errorf("the round didn't end by itself: %s", log.String())
	}
}
