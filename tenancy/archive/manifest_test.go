package archive

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// A member is a table or a file of a picture by its name. Anything else, and any name that leads out of the archive, is refused before it is read.
func TestMembers(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("0a", 32)
	for name, c := range map[string]struct {
		table, key, file string
		want             error
	}{
		"events.jsonl":                          {"events", "", "", nil},
		"media/key/a.png":                       {"", "key", "a.png", nil},
		"media/key/夏祭り.webp":                    {"", "key", "夏祭り.webp", nil},
		"media/key/a.jsonl":                     {"", "key", "a.jsonl", nil},
		"other/key/a.png":                       {"", "", "", ErrTooNew},
		"media/a.png":                           {"", "", "a.png", ErrDamaged},
		"media/key/a/b":                         {"", "key/a", "b", ErrDamaged},
		"events.json":                           {"", "", "", ErrDamaged},
		"media/../a.png":                        {"", "..", "a.png", ErrDamaged},
		"../events.jsonl":                       {"", "", "", ErrDamaged},
		"/events.jsonl":                         {"", "", "", ErrDamaged},
		"media/key/.a":                          {"", "key", ".a", ErrDamaged},
		`media/key/a\b`:                         {"", "key", `a\b`, ErrDamaged},
		"media/key/c:a":                         {"", "key", "c:a", ErrDamaged},
		"media/key/a\nb":                        {"", "key", "a\nb", ErrDamaged},
		"media//a.png":                          {"", "", "a.png", ErrDamaged},
		"":                                      {"", "", "", ErrDamaged},
		"media/key/" + strings.Repeat("a", 256): {"", "key", strings.Repeat("a", 256), ErrDamaged},
	} {
		m := Member{Name: name, SHA256: sum, Columns: []string{"id"}}
		if err := m.check(); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%q: %v, want %v", name, err, c.want)
		}
		key, file := m.Blob()
		if m.Table() != c.table || key != c.key || file != c.file {
			t.Errorf("%q: table %q, key %q, file %q", name, m.Table(), key, file)
		}
	}
	for what, m := range map[string]Member{
		"no digest":      {Name: "events.jsonl", Columns: []string{"id"}},
		"a short one":    {Name: "events.jsonl", SHA256: sum[:62], Columns: []string{"id"}},
		"none in hex":    {Name: "events.jsonl", SHA256: strings.Repeat("zz", 32), Columns: []string{"id"}},
		"less than none": {Name: "events.jsonl", SHA256: sum, Bytes: -1, Columns: []string{"id"}},
		"fewer rows":     {Name: "events.jsonl", SHA256: sum, Rows: -1, Columns: []string{"id"}},
		"no columns":     {Name: "events.jsonl", SHA256: sum},
	} {
		if err := m.check(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A manifest of a newer program is told apart from one that is damaged, and from what is none.
func TestManifests(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		m    Manifest
		want error
	}{
		"a site":            {Manifest{Format: 1, Kind: kindSite, Site: &Origin{}}, nil},
		"an installation":   {Manifest{Format: 1, Kind: kindInstallation}, nil},
		"a site of none":    {Manifest{Format: 1, Kind: kindSite}, ErrDamaged},
		"no format":         {Manifest{Kind: kindSite, Site: &Origin{}}, ErrNoArchive},
		"a newer format":    {Manifest{Format: Format + 1, Kind: kindSite, Site: &Origin{}}, ErrTooNew},
		"of something else": {Manifest{Format: 1, Kind: "backup"}, ErrTooNew},
	} {
		if err := c.m.check(); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
	m := Manifest{Members: []Member{{Name: "events.jsonl", Bytes: 5, Rows: 2}, {Name: "media/k/a.png", Bytes: 7}, {Name: "media/k/b.png", Bytes: 1}}}
	if m.Bytes() != 13 || m.Rows("events") != 2 || m.Rows("venues") != 0 || m.Blobs() != 2 || m.member("media/k/a.png") != nil {
		t.Errorf("%d bytes, %d rows, %d blobs", m.Bytes(), m.Rows("events"), m.Blobs())
	}
}

// A site is unchanged since a backup if it has the same slug, version and beginning: another site under its name is another one.
func TestSameOrigin(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	one := &Origin{Slug: "a", Version: 3, Created: at, Name: "A"}
	for what, c := range map[string]struct {
		with *Origin
		want bool
	}{
		"itself": {one, true}, "in another zone": {&Origin{Slug: "a", Version: 3, Created: at.In(time.FixedZone("", 3600)), Name: "B"}, true},
		"changed since": {&Origin{Slug: "a", Version: 4, Created: at}, false}, "made later": {&Origin{Slug: "a", Version: 3, Created: at.Add(1)}, false},
		"of another name": {&Origin{Slug: "b", Version: 3, Created: at}, false}, "none": {nil, false},
	} {
		if one.same(c.with) != c.want {
			t.Errorf("%s: %v", what, !c.want)
		}
	}
	if (*Origin)(nil).same(one) || originOf(nil) != nil {
		t.Error("no site is one")
	}
	o := originOf(&tenancy.Site{Slug: "a", Domains: nil, Plan: tenancy.Plan{Name: "small"}, State: tenancy.ReadOnly})
	if o.Plan != "small" || o.State != tenancy.ReadOnly {
		t.Errorf("%+v", o)
	}
}

// Domains in place of those of an archive are rows of their own, and no domain breaks them.
func TestOwnDomains(t *testing.T) {
	t.Parallel()
	in := &intake{domains: []string{"a.example", "xn--bcher-kva.example"}}
	table, lines := in.ownDomains()
	var got []string
	for range 2 { // it can be read again
		err := lines(func(line []byte) error {
			var row struct{ Domain string }
			if err := json.Unmarshal(line, &row); err != nil {
				return err
			}
			got = append(got, row.Domain)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if table.Name != "domains" || strings.Join(table.Columns, " ") != "domain" || strings.Join(got, " ") != "a.example xn--bcher-kva.example a.example xn--bcher-kva.example" {
		t.Errorf("%+v %v", table, got)
	}
	stop := errors.New("stop")
	if err := lines(func([]byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("went on: %v", err)
	}
}
