package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// shelf is a snapshot of a site with its blobs.
type shelf struct {
	tables []Table
	rows   map[string][]string
	blobs  map[string]string
}

func aShelf() *shelf {
	return &shelf{
		tables: []Table{{"sites", []string{"slug", "name"}}, {"events", []string{"id", "title"}}},
		rows: map[string][]string{"sites": {`{"slug":"club","name":"Club"}`},
			"events": {`{"id":1,"title":"One"}`, `{"id":2,"title":"Zwei\nDrei"}`}},
		blobs: map[string]string{"k1/a.png": "picture", "k2/b.jpg": strings.Repeat("x", 100_000)},
	}
}

func (s *shelf) Site() *tenancy.Site {
	return &tenancy.Site{Slug: "club", Name: "Club", Version: 7, Created: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func (s *shelf) Tables() []Table { return s.tables }

func (s *shelf) Rows(_ context.Context, table string, yield func([]byte) error) error {
	for _, row := range s.rows[table] {
		if err := yield([]byte(row)); err != nil {
			return err
		}
	}
	return nil
}

func (s *shelf) Blobs(_ context.Context, yield func(key, file string) error) error {
	for _, name := range []string{"k1/a.png", "k2/b.jpg", "k3/lost.png"} {
		key, file, _ := strings.Cut(name, "/")
		if err := yield(key, file); err != nil {
			return err
		}
	}
	return nil
}

func (s *shelf) Bytes(context.Context) (int64, error) { return 1000, nil }

func (s *shelf) Read(_ context.Context, key, file string) (io.ReadCloser, error) {
	text, ok := s.blobs[key+"/"+file]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func (*shelf) Write(context.Context, string, string, io.Reader, int64) error { return nil }

func (*shelf) Discard(context.Context, string, string) error { return nil }

// pack returns the archive of a shelf.
func pack(t *testing.T, s *shelf) []byte {
	t.Helper()
	var b bytes.Buffer
	archives := &Archives{blobs: s, clock: func() time.Time { return time.Date(2027, 3, 1, 12, 0, 0, 5, time.UTC) }}
	if _, err := archives.write(t.Context(), kindSite, s, &b, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// look opens and verifies an archive.
func look(t *testing.T, data []byte) (*Reader, error) {
	t.Helper()
	a, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	return a, a.Verify(t.Context(), nil)
}

func TestWriteAndRead(t *testing.T) {
	t.Parallel()
	s := aShelf()
	a, err := look(t, pack(t, s))
	if err != nil {
		t.Fatal(err)
	}
	m := a.Manifest()
	if m.Site.Version != 7 || m.Rows("events") != 2 || m.Blobs() != 2 || fmt.Sprint(m.Missing) != "[media/k3/lost.png]" {
		t.Errorf("manifest %+v", m)
	}
	for table, want := range s.rows {
		var got []string
		err := a.lines(t.Context(), m.member(table))(func(line []byte) error {
			got = append(got, string(line))
			return nil
		})
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, %v", table, got, err)
		}
	}
}

// forged is an archive being manipulated.
type forged struct {
	t       *testing.T
	names   []string
	members map[string][]byte
}

func forge(t *testing.T, data []byte) *forged {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f := &forged{t: t, members: map[string][]byte{}}
	for _, file := range r.File {
		in, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		f.put(file.Name, string(text))
	}
	return f
}

func (f *forged) put(name, text string) {
	if _, ok := f.members[name]; !ok {
		f.names = append(f.names, name)
	}
	f.members[name] = []byte(text)
}

// manifest modifies the manifest of the archive.
func (f *forged) manifest(change func(m map[string]any)) {
	f.t.Helper()
	var m map[string]any
	if err := json.Unmarshal(f.members[manifestName], &m); err != nil {
		f.t.Fatal(err)
	}
	change(m)
	text, err := json.Marshal(m)
	if err != nil {
		f.t.Fatal(err)
	}
	f.put(manifestName, string(text))
}

// say adds a correct entry about a member to the manifest.
func (f *forged) say(name string, extra map[string]any) {
	sum := &sum{to: io.Discard, hash: sha256.New()}
	_, _ = sum.Write(f.members[name])
	line := map[string]any{"name": name, "bytes": sum.bytes, "sha256": fmt.Sprintf("%x", sum.hash.Sum(nil))}
	maps.Copy(line, extra)
	f.manifest(func(m map[string]any) {
		list, _ := m["members"].([]any)
		kept := []any{}
		for _, one := range list {
			if one.(map[string]any)["name"] != name {
				kept = append(kept, one)
			}
		}
		m["members"] = append(kept, line)
	})
}

func (f *forged) bytes() []byte {
	f.t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range f.names {
		if f.members[name] == nil {
			continue
		}
		to, err := w.Create(name)
		if err != nil {
			f.t.Fatal(err)
		}
		if _, err := to.Write(f.members[name]); err != nil {
			f.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.t.Fatal(err)
	}
	return b.Bytes()
}

// An archive that differs from its manifest is rejected with the reason.
func TestRefused(t *testing.T) {
	t.Parallel()
	whole := pack(t, aShelf())
	for about, c := range map[string]struct {
		want error
		do   func(f *forged)
	}{
		"a row was changed": {ErrDamaged, func(f *forged) {
			f.put("events.jsonl", strings.Replace(string(f.members["events.jsonl"]), "One", "Two", 1))
		}},
		"a blob was changed":      {ErrDamaged, func(f *forged) { f.put("media/k1/a.png", "pictur3") }},
		"a member is missing":     {ErrDamaged, func(f *forged) { f.members["media/k1/a.png"] = nil }},
		"a member is longer":      {ErrDamaged, func(f *forged) { f.put("media/k1/a.png", "picture and more") }},
		"a member isn't named":    {ErrDamaged, func(f *forged) { f.put("media/k9/x.png", "x") }},
		"no manifest":             {ErrNoArchive, func(f *forged) { f.members[manifestName] = nil }},
		"a manifest that is none": {ErrDamaged, func(f *forged) { f.put(manifestName, "[]") }},
		"a format to come":        {ErrTooNew, func(f *forged) { f.manifest(func(m map[string]any) { m["format"], m["members"] = 2, "elsewhere" }) }},
		"a kind to come":          {ErrTooNew, func(f *forged) { f.manifest(func(m map[string]any) { m["kind"] = "planet" }) }},
		"no format":               {ErrNoArchive, func(f *forged) { f.manifest(func(m map[string]any) { delete(m, "format") }) }},
		"no site":                 {ErrDamaged, func(f *forged) { f.manifest(func(m map[string]any) { delete(m, "site") }) }},
		"a way up":                {ErrDamaged, func(f *forged) { f.put("media/../../x.png", "x"); f.say("media/../../x.png", nil) }},
		"a way up in the manifest": {ErrDamaged, func(f *forged) {
			f.manifest(func(m map[string]any) { m["members"].([]any)[2].(map[string]any)["name"] = "media/../x.png" })
		}},
		"from the root":             {ErrDamaged, func(f *forged) { f.put("/etc/x", "x"); f.say("/etc/x", nil) }},
		"a drive":                   {ErrDamaged, func(f *forged) { f.put("media/c:/x.png", "x"); f.say("media/c:/x.png", nil) }},
		"a backslash":               {ErrDamaged, func(f *forged) { f.put(`media/..\x/y.png`, "x"); f.say(`media/..\x/y.png`, nil) }},
		"a hidden file":             {ErrDamaged, func(f *forged) { f.put("media/k/.new", "x"); f.say("media/k/.new", nil) }},
		"a folder that isn't known": {ErrTooNew, func(f *forged) { f.put("more/a/b", "x"); f.say("more/a/b", nil) }},
		"a table without columns":   {ErrDamaged, func(f *forged) { f.put("more.jsonl", ""); f.say("more.jsonl", nil) }},
		"other rows than counted":   {ErrDamaged, func(f *forged) { f.say("events.jsonl", map[string]any{"rows": 3, "columns": []string{"id"}}) }},
		"a row that is none": {ErrDamaged, func(f *forged) {
			f.put("events.jsonl", "{\"id\":1},{\"id\":2}\n")
			f.say("events.jsonl", map[string]any{"rows": 1, "columns": []string{"id"}})
		}},
		"a row that is a list": {ErrDamaged, func(f *forged) {
			f.put("events.jsonl", "[1]\n")
			f.say("events.jsonl", map[string]any{"rows": 1, "columns": []string{"id"}})
		}},
		"a line that is endless": {ErrTooLarge, func(f *forged) {
			f.put("events.jsonl", `{"id":"`+strings.Repeat("x", maxLine+1)+`"}`)
			f.say("events.jsonl", map[string]any{"rows": 1, "columns": []string{"id"}})
		}},
		"a bomb": {ErrTooLarge, func(f *forged) {
			f.manifest(func(m map[string]any) { m["members"].([]any)[1].(map[string]any)["bytes"] = int64(1) << 62 })
		}},
	} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			f := forge(t, whole)
			c.do(f)
			_, err := look(t, f.bytes())
			if about == "a bomb" && errors.Is(err, ErrDamaged) {
				return // its directory gives it away before its size does
			}
			if !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// An archive with an extreme compression ratio is rejected before it is read.
func TestBomb(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	// A directory may say what it likes; the sizes are the forger's.
	to, err := w.CreateRaw(&zip.FileHeader{Name: "events.jsonl", Method: zip.Deflate, UncompressedSize64: 2 * minUnpacked, CompressedSize64: 4})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = to.Write([]byte{3, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if to, err = w.Create(manifestName); err != nil {
		t.Fatal(err)
	}
	_ = json.NewEncoder(to).Encode(Manifest{Format: 1, Kind: kindSite, Site: &Origin{Slug: "x"}, Members: []Member{{Name: "events.jsonl",
		Bytes: 2 * minUnpacked, SHA256: strings.Repeat("0", 64), Rows: 1, Columns: []string{"id"}}}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := look(t, b.Bytes()); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v, want it too large", err)
	}
}

// An archive with so many members that they would exhaust memory is rejected.
func TestCrowd(t *testing.T) {
	t.Parallel()
	var crowd bytes.Buffer
	w := zip.NewWriter(&crowd)
	for i := range maxDirectory / 500 {
		name := fmt.Sprintf("media/%s/%s%d", strings.Repeat("k", 240), strings.Repeat("f", 240), i)
		if _, err := w.CreateHeader(&zip.FileHeader{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	long := forge(t, pack(t, aShelf()))
	long.manifest(func(m map[string]any) {
		m["missing"] = slices.Repeat([]string{"media/k/x.png"}, maxManifest/16)
	})
	for about, data := range map[string][]byte{"members": crowd.Bytes(), "names in the manifest": long.bytes()} {
		if _, err := look(t, data); !errors.Is(err, ErrTooLarge) {
			t.Errorf("many %s: %v, want it too large", about, err)
		}
	}
}

// A name occurs only once.
func TestTwice(t *testing.T) {
	t.Parallel()
	f := forge(t, pack(t, aShelf()))
	f.names = append(f.names, "media/k1/a.png")
	if _, err := look(t, f.bytes()); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
}

// No truncated archive is accepted, wherever it ends.
func TestCutOff(t *testing.T) {
	t.Parallel()
	whole := pack(t, aShelf())
	for n := 0; n < len(whole); n += 1 + n/50 {
		if _, err := look(t, whole[:n]); !errors.Is(err, ErrNoArchive) && !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
}

// Every modified byte of the contents is detected.
func TestFlipped(t *testing.T) {
	t.Parallel()
	s := aShelf()
	s.blobs["k2/b.jpg"] = "short"
	whole := pack(t, s)
	read := func(data []byte) string {
		a, err := look(t, data)
		if err != nil {
			return "refused"
		}
		text, err := json.Marshal(a.manifest)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := read(whole)
	for i := range whole {
		data := bytes.Clone(whole)
		data[i] ^= 0x20
		if got := read(data); got != "refused" && got != want {
			t.Fatalf("byte %d: reads %s", i, got)
		}
	}
}

// full is a disk with limited space.
type full struct{ room int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// Failing to write an archive is an error, wherever it happens.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := aShelf()
	archives := &Archives{blobs: s, clock: time.Now}
	for room := 0; room < 100_000; room += 3_000 {
		if _, err := archives.write(t.Context(), kindSite, s, &full{room}, nil); !errors.Is(err, errFull) {
			t.Fatalf("%d bytes of room: %v", room, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := archives.write(ctx, kindSite, s, io.Discard, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
