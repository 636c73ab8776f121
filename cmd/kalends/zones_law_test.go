package main

import (
	"bytes"
	"context"
	tzif "encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
)

// abolished writes a folder of time zone data, of a release to come, in which Berlin
// keeps summer time all year from 2027 on.
func abolished(t *testing.T) string {
	t.Helper()
	var at []int64
	var kinds []byte
	for year := 2020; year < 2027; year++ {
		for n, month := range []time.Month{time.March, time.October} {
			last := time.Date(year, month, 31, 1, 0, 0, 0, time.UTC)
			at, kinds = append(at, last.AddDate(0, 0, -int(last.Weekday())).Unix()), append(kinds, byte(1-n)) // to the second kind below, and back
		}
	}
	at, kinds = append(at, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC).Unix()), append(kinds, 2)
	// RFC 9636: an empty block of version 1, then the one that counts.
	names := "CET\x00CEST\x00"
	var file bytes.Buffer
	head := func(transitions, types, chars int) {
		file.WriteString("TZif2" + strings.Repeat("\x00", 15))
		_ = tzif.Write(&file, tzif.BigEndian, []uint32{0, 0, 0, uint32(transitions), uint32(types), uint32(chars)})
	}
	head(0, 0, 0)
	head(len(at), 3, len(names))
	_ = tzif.Write(&file, tzif.BigEndian, at)
	file.Write(kinds)
	for _, kind := range []struct {
		Offset    int32
		DST, Name uint8
	}{{3600, 0, 0}, {7200, 1, 4}, {7200, 0, 4}} {
		_ = tzif.Write(&file, tzif.BigEndian, kind)
	}
	file.WriteString(names + "\nCEST-2\n")
	folder := t.TempDir()
	for name, data := range map[string][]byte{"Europe/Berlin": file.Bytes(), "+VERSION": []byte("2999a\n")} {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestZoneLaw: a law changes the clocks of a region from 2027 on, and the service starts
// with time zone data that has it, in ZONEINFO. What is stored happens at the same time on
// the wall and at another in UTC, from 2027 on and not before. `kalends zones` does the
// same, and back; the doctor says which data is in use, and that stored times are of
// another.
func TestZoneLaw(t *testing.T) {
	t.Parallel()
	dir, base := dataDir(t), []string{"DATABASE_URL=" + storagetest.Database(t)}
	later := append([]string{"ZONEINFO=" + abolished(t)}, base...)
	command := func(env []string, arguments ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), storagetest.Program(t), arguments...)
		cmd.Env = append(append(os.Environ(), "KALENDS_DATA_DIR="+dir, "KALENDS_LOG_LEVEL=error"), env...)
		out, err := cmd.Output()
		if err != nil && !json.Valid(out) { // the doctor's findings
			t.Fatalf("%v: %v", arguments, err)
		}
		return string(out)
	}
	s := launchWith(t, dir, base).started()
	password := s.password()
	add := func(day string, more map[string]any) float64 {
		fields := map[string]any{"title": "Choir", "timezone": "Europe/Berlin", "start_date": day + " 19:30", "end_date": day + " 21:30"}
		maps.Copy(fields, more)
		return s.must(201, "POST", "/events", password, fields)["id"].(float64)
	}
	before, winter, summer := add("2026-01-15", nil), add("2027-01-15", nil), add("2027-07-15", nil)
	series := add("2026-12-17", map[string]any{"recurrence": "FREQ=WEEKLY;COUNT=4"})
	times := func(s *service) string {
		t.Helper()
		var text []string
		tell := func(event map[string]any) {
			text = append(text, fmt.Sprintf("%v %v", event["start_date"], event["utc_start_date"]))
		}
		for _, id := range []float64{before, winter, summer} {
			tell(s.must(200, "GET", fmt.Sprintf("/events/%v", id), "", nil))
		}
		list := s.must(200, "GET", fmt.Sprintf("/events/%v/occurrences?start_date=2026-12-01&end_date=2027-02-01", series), "", nil)["events"].([]any)
		for _, one := range list {
			tell(one.(map[string]any))
		}
		return strings.Join(text, "\n")
	}
	want := func(hour string) string {
		return strings.ReplaceAll(`2026-01-15 19:30:00 2026-01-15 18:30:00
2027-01-15 19:30:00 2027-01-15 HH:30:00
2027-07-15 19:30:00 2027-07-15 17:30:00
2026-12-17 19:30:00 2026-12-17 18:30:00
2026-12-24 19:30:00 2026-12-24 18:30:00
2026-12-31 19:30:00 2026-12-31 18:30:00
2027-01-07 19:30:00 2027-01-07 HH:30:00`, "HH", hour)
	}
	same := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
		}
	}
	restart := func(env []string) {
		t.Helper()
		s.signal(syscall.SIGTERM)
		_ = s.wait()
		s = launchWith(t, dir, env).started()
	}
	same("as it was made", times(s), want("18"))
	findings := command(later, "doctor", "--json")
	if !strings.Contains(findings, "data of 2999a, from ") || !strings.Contains(findings, "computed with data of "+args.ZoneVersion()) {
		t.Errorf("before: %s", findings)
	}

	restart(later)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for times(s) != want("17") && ctx.Err() == nil {
		time.Sleep(50 * time.Millisecond)
	}
	same("by the node that has the law", times(s), want("17"))
	for strings.Contains(command(later, "doctor", "--json"), "stored times") && ctx.Err() == nil { // noted when all is done
		time.Sleep(50 * time.Millisecond)
	}
	if ctx.Err() != nil {
		t.Error("the doctor isn't content")
	}
	findings = command(base, "doctor", "--json")
	if !strings.Contains(findings, "data of "+args.ZoneVersion()+", that of the program") || !strings.Contains(findings, "computed with data of 2999a") {
		t.Errorf("after: %s", findings)
	}

	for _, c := range []struct {
		env           []string
		version, hour string
	}{{base, args.ZoneVersion(), "18"}, {later, "2999a", "17"}} {
		if out := command(c.env, "zones"); !strings.HasPrefix(out, "time zone data "+c.version+", events changed: ") || strings.Contains(out, "changed: 0") {
			t.Errorf("zones of %s: %s", c.version, out)
		}
		restart(c.env)
		same("by kalends zones of "+c.version, times(s), want(c.hour))
	}
}
