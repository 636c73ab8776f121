package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/embedded"
	"github.com/kalends/kalends/storage/storagetest"
)

// importTest runs commands on a database of their own.
type importTest struct {
	*testing.T
	env map[string]string
}

func newImportTest(t *testing.T, env map[string]string) *importTest {
	t.Helper()
	return &importTest{T: t, env: env}
}

// run runs a command and returns what it printed and why it failed.
func (s *importTest) run(arguments ...string) (out, errs string, failed error) {
	s.Helper()
	var o, e bytes.Buffer
	failed = run(context.Background(), arguments, func(name string) string { return s.env[name] }, &o, &e)
	return o.String(), e.String(), failed
}

// must runs a command that has to succeed.
func (s *importTest) must(arguments ...string) (out string) {
	s.Helper()
	out, errs, err := s.run(arguments...)
	if err != nil {
		s.Fatalf("%q: %v\n%s", arguments, err, errs)
	}
	return out
}

// file writes a file and returns its path.
func (s *importTest) file(text string) string {
	s.Helper()
	path := filepath.Join(s.TempDir(), "events.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return path
}

const someEvents = `Event Name,Event Start Date,Event Venue Name,Event Category,Colour
One,2027-03-01,Hall,music,red
Two,2027-02-30,Hall,music,red
Three,2027-03-03,Hall,"music, dance",red
`

func TestImportCommand(t *testing.T) {
	t.Parallel()
	s := newImportTest(t, map[string]string{"DATABASE_URL": storagetest.Database(t), "KALENDS_DATA_DIR": t.TempDir()})
	s.must("site", "create", "town", "--name", "Town")
	file := s.file(someEvents)
	const made = "3 entries read: 2 created, 0 changed, 0 the same, 0 cancelled, 1 refused\n"

	if got, _, err := s.run("import", "csv", "--site", "town", "--dry-run", file); err == nil || got != strings.Replace(made, ": 2", ": would be 2", 1) {
		t.Errorf("%v, dry run printed\n%s", err, got)
	}
	out, errs, err := s.run("import", "file", "--site", "town", file)
	if err == nil || !strings.HasSuffix(err.Error(), ": 1 of 3 entries were refused") || exitCode(err) != exitFailure || out != made {
		t.Errorf("%v, printed\n%s", err, out)
	}
	for _, want := range []string{"columns that are ignored: Colour\n", "line 3: Event Start Date: There is no such day: “2027-02-30”."} {
		if !strings.Contains(errs, want) {
			t.Errorf("%q is missing in\n%s", want, errs)
		}
	}
	if got, _, err := s.run("import", "file", "--site", "town", file); err == nil ||
		got != "3 entries read: 0 created, 0 changed, 2 the same, 0 cancelled, 1 refused\n" {
		t.Errorf("%v, second run printed\n%s", err, got)
	}
	s.must("import", "file", "--site", "town", s.file(calendarOf("Club", 3)))
}

// TestExportCommand: a file that was exported is imported into another site, and is
// there whole or not at all.
func TestExportCommand(t *testing.T) {
	t.Parallel()
	s := newImportTest(t, map[string]string{"DATABASE_URL": storagetest.Database(t), "KALENDS_DATA_DIR": t.TempDir()})
	s.must("site", "create", "town", "--name", "Town", "--language", "de")
	s.must("site", "create", "copy", "--name", "Copy")
	s.must("import", "file", "--site", "town", s.file("Event Name,Event Start Date,Recurrence Rule,Series,Original Start,Event Status\n"+
		"Once,2027-03-01,,,,\nDaily,2027-03-02,FREQ=DAILY;COUNT=3,d,,\n,,,d,2027-03-03,cancelled\n"))
	name := filepath.Join(t.TempDir(), "town.csv")
	s.must("export", "csv", "--site", "town", "--excel", name)
	if text, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(text), "\uFEFFEvent Name;") {
		t.Errorf("%v, wrote %.60q", err, text)
	}
	if got := s.must("import", "file", "--site", "copy", name); got != "3 entries read: 2 created, 0 changed, 0 the same, 1 cancelled, 0 refused\n" {
		t.Errorf("imported\n%s", got)
	}
	if a, b := s.must("export", "csv", "--site", "town", "-"), s.must("export", "csv", "--site", "copy", "-"); strings.Count(a, "\n") != strings.Count(b, "\n") {
		t.Errorf("exported\n%s\nand\n%s", a, b)
	}
	_, errs, err := s.run("import", "file", "--site", "copy", s.file("Event Name,Event Start Date,Recurrence Rule,Additional Dates,Excluded Dates\n"+
		"x,2027-03-02,FREQ=SOON,,\ny,2027-03-02,FREQ=DAILY,soon,\nz,2027-03-02,FREQ=DAILY,,late\n"))
	for _, want := range []string{"line 2: Recurrence Rule: “SOON” is not", "line 3: Additional Dates: “soon” is not", "line 4: Excluded Dates: “late” is not"} {
		if err == nil || !strings.Contains(errs, want) {
			t.Errorf("%v, %q is missing in\n%s", err, want, errs)
		}
	}
	folder := t.TempDir()
	if _, _, err := s.run("export", "csv", "--site", "village", filepath.Join(folder, "x.csv")); err == nil {
		t.Error("exported a site that isn't there")
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v, left %v", err, left)
	}
}

func TestImportCommandFails(t *testing.T) {
	t.Parallel()
	s := newImportTest(t, map[string]string{"DATABASE_URL": storagetest.Database(t), "KALENDS_DATA_DIR": t.TempDir()})
	s.must("site", "create", "town", "--name", "Town")
	many := "Event Name,Event Start Date\n" + strings.Repeat("x,never\n", maxShown+3)
	for _, c := range []struct{ site, text, want string }{
		{"town", "Colour,Size\nx,2027-03-01\n", "columns"},
		{"town", "Event Name,Event Start Date,Event Name\n", "wo columns"},
		{"town", "Event Name,Event Start Date\n", "nothing could be imported"},
		{"village", someEvents, `site "village"`},
		{"town", many, "nothing could be imported"},
		{"town", "Event Name,Event Start Date,Recurrence Rule,a\x1b]0;x\a\nx,2027-03-01,FREQ=\x1b[2J,\n", "nothing could be imported"},
	} {
		_, errs, err := s.run("import", "file", "--site", c.site, s.file(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.text, err, c.want)
		}
		if strings.ContainsAny(errs, "\x1b\a") {
			t.Errorf("%.40q commands the terminal: %q", c.text, errs)
		}
		if c.text == many && (strings.Count(errs, "line ") != maxShown || !strings.Contains(errs, "and 3 more refused entries")) {
			t.Errorf("refused rows are told so:\n%s", errs)
		}
	}
}

// TestImportBesideService: the embedded database is in use, so it is joined.
func TestImportBesideService(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := newImportTest(t, map[string]string{"KALENDS_DATA_DIR": dir, "KALENDS_LOG_LEVEL": "error", "PATH": os.Getenv("PATH"),
		"KALENDS_PG_BIN": os.Getenv("KALENDS_PG_BIN")})
	s.must("migrate")
	s.must("site", "create", "town", "--name", "Town", "--timezone", "Asia/Tokyo")
	server, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Stop(context.Background()) }()

	out, errs, err := s.run("import", "file", "--site", "town", s.file(someEvents))

	if err == nil || !strings.Contains(err.Error(), "1 of 3 entries were refused") || !strings.Contains(out, "2 created") {
		t.Errorf("%v, printed\n%s\n%s", err, out, errs)
	}
	select {
	case <-server.Done():
		t.Error("the service's database was stopped")
	default:
	}
}

func TestReadableProblems(t *testing.T) {
	t.Parallel()
	s := newImportTest(t, map[string]string{"DATABASE_URL": storagetest.Database(t), "KALENDS_DATA_DIR": t.TempDir()})
	_, _, err := s.run("site", "create", "No Slug", "--name", "Town")
	if err == nil {
		t.Fatal("made a site without a slug")
	}
	got := readable(err, func(arg string) string { return map[string]string{"slug": "Slug"}[arg] })
	if !strings.Contains(got, "Slug: Use 1 to 63 ") {
		t.Errorf("read %q", got)
	}
	s.must("site", "create", "town", "--name", "Town")
	_, _, err = s.run("import", "file", "--site", "town", s.file("Event Name,Event Start Date,Event Venue,Venue Website\nx,2027-03-01,Hall,y\n"))
	if err == nil {
		t.Error("imported a venue whose website is none")
	}
	if got := readable(fmt.Errorf("list: %w", os.ErrNotExist), nil); got != "list: file does not exist" {
		t.Errorf("read %q", got)
	}
}

// calendarOf is a calendar with so many events.
func calendarOf(name string, events int) string {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Killed//EN\r\nX-WR-CALNAME:" + name + "\r\n")
	for i := range events {
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%d@%s.example\r\nDTSTART:2030%02d%02dT180000Z\r\nDURATION:PT1H\r\nSUMMARY:%s event %d\r\n"+
			"LOCATION:Hall %d\r\nCATEGORIES:Music\r\nEND:VEVENT\r\n", i, strings.ReplaceAll(name, " ", "-"), 1+i%12, 1+i%28, name, i, i%7)
	}
	return b.String() + "END:VCALENDAR\r\n"
}
