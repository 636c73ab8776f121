package main

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
)

// After a release with other time zone data the doctor asks for kalends zones,
// and is content when that has run.
func TestZonesCommand(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	s := newTerminal(t, database)
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if _, err := conn.Exec(t.Context(), `INSERT INTO installation (secret, zones) VALUES ('secret', '2020a')`); err != nil {
		t.Fatal(err)
	}
	states, text, err := s.diagnosis()
	if err != nil || states["time zones"] != "ok" || states["stored times"] != "warn" ||
		!strings.Contains(text, "2020a") || !strings.Contains(text, args.ZoneVersion()) {
		t.Errorf("%v: %s", err, text)
	}
	for range 2 {
		out, err := s.run("zones")
		if err != nil || !strings.Contains(out, "time zone data "+args.ZoneVersion()+", events changed: 0, on sites: 0") {
			t.Errorf("%v: %s", err, out)
		}
	}
	if states, text, _ := s.diagnosis(); states["stored times"] != "" {
		t.Errorf("still: %s", text)
	}
	s.env["ZONEINFO"] = t.TempDir()
	s.fails("no time zone data there", "zones")
}
