package reading

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

var update = flag.Bool("update", false, "write what the files of testdata give anew")

// zone returns a time zone.
func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := args.LocationOf(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// given is what a file gives, without what it lacks.
type given struct {
	Error   string        `json:"error,omitempty"`
	Format  Format        `json:"format,omitempty"`
	Name    string        `json:"name,omitempty"`
	Product string        `json:"product,omitempty"`
	Zone    string        `json:"zone,omitempty"`
	Cut     bool          `json:"cut,omitempty"`
	Columns []string      `json:"columns,omitempty"`
	LeftOut []LeftOut     `json:"left_out,omitempty"`
	Entries []*givenEntry `json:"entries,omitempty"`
}

type givenEntry struct {
	Line       int         `json:"line,omitempty"`
	UID        string      `json:"uid,omitempty"`
	Recurrence string      `json:"recurrence,omitempty"`
	Following  bool        `json:"following,omitempty"`
	Sequence   int64       `json:"sequence,omitempty"`
	Modified   string      `json:"modified,omitempty"`
	Superseded bool        `json:"superseded,omitempty"`
	Cancelled  bool        `json:"cancelled,omitempty"`
	Void       bool        `json:"void,omitempty"`
	Values     args.Values `json:"values,omitempty"`
	Problems   []string    `json:"problems,omitempty"`
	Warnings   []string    `json:"warnings,omitempty"`
}

// read returns what a file gives.
func read(t testing.TB, data []byte, o Options) *given {
	t.Helper()
	file, err := Read(data, o)
	if err != nil {
		return &given{Error: err.Error()}
	}
	g := &given{Format: file.Format, Name: file.Name, Product: file.Product, Zone: file.Zone, Cut: file.Cut, LeftOut: file.LeftOut}
	for _, c := range file.Columns {
		meaning := c.Meaning
		if !c.Known {
			meaning = "?"
		}
		g.Columns = append(g.Columns, c.Header+" → "+meaning)
	}
	number := 0
	for e := range file.Entries {
		if number++; e.Number != number {
			t.Errorf("entry %d has the number %d", number, e.Number)
		}
		if title, _ := e.Values["title"].(string); e.Values["title"] != nil && wording.CleanTitle(title) != e.Title {
			t.Errorf("entry %d is %q in reports and %q in its values", number, e.Title, title)
		}
		if (e.Values == nil) != (len(e.Problems) > 0) {
			t.Errorf("entry %d has values %v and problems %v", number, e.Values, e.Problems)
		}
		one := &givenEntry{Line: e.Line, UID: e.UID, Recurrence: e.Recurrence, Following: e.Following, Sequence: e.Sequence,
			Superseded: e.Superseded, Cancelled: e.Cancelled, Void: e.Void, Values: e.Values}
		if !e.Modified.IsZero() {
			one.Modified = e.Modified.Format(time.RFC3339)
		}
		one.Problems, one.Warnings = findings(e.Problems), findings(e.Warnings)
		g.Entries = append(g.Entries, one)
	}
	return g
}

func findings(list []Finding) (texts []string) {
	for _, f := range list {
		texts = append(texts, strings.TrimRight(strings.Join([]string{f.Code, f.Param, f.Value}, " | "), " |"))
	}
	return texts
}

// TestCorpus reads the files of testdata. What each gives stands beside it and was compared with RFC 5545 and the rules for
// imports by hand.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			out := json.NewEncoder(&got)
			out.SetEscapeHTML(false)
			out.SetIndent("", " ")
			if err := out.Encode(read(t, data, Options{Zone: zone(t, "Europe/Berlin"), Languages: []string{"de", "en"}})); err != nil {
				t.Fatal(err)
			}
			golden := path + ".golden"
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("gives\n%s\nwant\n%s", got.String(), want)
			}
		})
	}
}
