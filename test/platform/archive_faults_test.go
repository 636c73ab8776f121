package platform

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// retell rewrites one table of an archive, line by line, and tells the manifest.
func retell(t *testing.T, data []byte, table string, columns []string, line func(row map[string]any)) []byte {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	must(err)
	var out, changed bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range r.File {
		in, err := f.Open()
		must(err)
		text, err := io.ReadAll(in)
		must(err)
		switch f.Name {
		case table + ".jsonl":
			for one := range strings.Lines(string(text)) {
				var row map[string]any
				decoder := json.NewDecoder(strings.NewReader(one))
				decoder.UseNumber()
				must(decoder.Decode(&row))
				line(row)
				must(json.NewEncoder(&changed).Encode(row))
			}
			text = changed.Bytes()
		case "manifest.json":
			var m archive.Manifest
			must(json.Unmarshal(text, &m))
			for i := range m.Members {
				if m.Members[i].Name == table+".jsonl" {
					m.Members[i].Bytes, m.Members[i].SHA256 = int64(changed.Len()), fmt.Sprintf("%x", sha256.Sum256(changed.Bytes()))
					m.Members[i].Columns = append(m.Members[i].Columns, columns...)
				}
			}
			text, err = json.Marshal(m)
			must(err)
		}
		to, err := w.Create(f.Name)
		must(err)
		_, err = to.Write(text)
		must(err)
	}
	must(w.Close())
	return out.Bytes()
}

// untouched returns a check that nothing was left by what failed.
func untouched(v *kit.Vault) func(about string) {
	v.T.Helper()
	count := func() string {
		text := fmt.Sprintf("%d blobs", files(v))
		page, err := v.Platform.Sites.List(v.Ctx, &platform.SiteFilter{})
		v.Must(err)
		for _, site := range page.Items {
			text += fmt.Sprintf(" %s at %d", site.Slug, site.Version)
		}
		return text
	}
	before := count()
	return func(about string) {
		v.T.Helper()
		if after := count(); after != before {
			v.T.Errorf("%s: there is %s, there was %s", about, after, before)
		}
	}
}

// TestImportRefused: what the database can't take leaves nothing behind, although
// its checksums are right.
func TestImportRefused(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	untouched := untouched(v)
	as := &platform.SiteFields{Slug: args.Some("copy")}
	for _, c := range []struct {
		about, table string
		columns      []string
		line         func(row map[string]any)
		want         error
	}{
		{"a column to come", "events", []string{"mood"}, func(r map[string]any) { r["mood"] = "good" }, archive.ErrTooNew},
		{"a key that leads nowhere", "event_venues", nil, func(r map[string]any) { r["venue_id"] = 999999 }, archive.ErrDamaged},
		{"an event twice", "events", nil, func(r map[string]any) { r["id"] = 5 }, archive.ErrDamaged},
		{"a text for a number", "events", nil, func(r map[string]any) { r["id"] = "x" }, archive.ErrDamaged},
		{"a status of its own", "events", nil, func(r map[string]any) { r["status"] = "loud" }, archive.ErrDamaged},
		{"a value that is missing", "venues", nil, func(r map[string]any) { delete(r, "name") }, archive.ErrDamaged},
		{"no letter", "venues", nil, func(r map[string]any) { r["name"] = "a\x00b" }, archive.ErrDamaged},
		{"a role of its own", "users", nil, func(r map[string]any) { r["role"] = "provider" }, archive.ErrDamaged},
		{"a state of its own", "sites", nil, func(r map[string]any) { r["state"] = "open" }, archive.ErrDamaged},
		{"a version that no site reaches", "sites", nil, func(r map[string]any) { r["version"] = int64(math.MaxInt64) }, archive.ErrDamaged},
		{"a counter that no site reaches", "sites", nil, func(r map[string]any) { r["last_post_id"] = int64(math.MaxInt64) }, archive.ErrDamaged},
		{"a version before its history", "sites", nil, func(r map[string]any) { r["version"] = 1 }, archive.ErrDamaged},
		{"limits of its own making", "sites", nil, func(r map[string]any) { r["overrides"] = map[string]any{"mood": map[string]any{}} }, archive.ErrDamaged},
		{"a day that never comes", "sites", nil, func(r map[string]any) { r["created_at"] = "infinity" }, archive.ErrDamaged},
		{"the site's number", "sites", []string{"id"}, func(r map[string]any) { r["id"] = 1 }, archive.ErrTooNew},
	} {
		_, err := v.Import(retell(t, data, c.table, c.columns, c.line), as)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.about, err, c.want)
		}
		untouched(c.about)
	}
	if _, err := v.Import(data[:len(data)-100], as); !errors.Is(err, archive.ErrNoArchive) {
		t.Errorf("cut off: %v", err)
	}
	untouched("cut off")
}

// TestBackupFaults: a backup that is not what it says is not restored, and one
// that breaks off leaves the one before.
func TestBackupFaults(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Site("other")
	v.Event(nil)
	dir := t.TempDir()
	save := func(ctx context.Context, tell func(*archive.Saved)) error {
		_, err := v.Archives.Backup(ctx, dir, tell)
		return err
	}
	v.Must(save(v.Ctx, func(*archive.Saved) {}))
	before, err := os.ReadFile(filepath.Join(dir, "backup.json"))
	v.Must(err)
	v.Event(nil)
	ctx, cancel := context.WithCancel(v.Ctx)
	if err := save(ctx, func(*archive.Saved) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("broken off: %v", err)
	}
	after, err := os.ReadFile(filepath.Join(dir, "backup.json"))
	v.Must(err)
	if !bytes.Equal(before, after) {
		t.Error("a backup that broke off replaced the one before")
	}
	w := kit.NewVaultOn(t, storagetest.Database(t))
	var nothing func(about string)
	refused := func(about string, want error) {
		t.Helper()
		if _, err := w.Archives.Restore(w.Ctx, dir, func(*archive.Saved) {}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", about, err, want)
		}
		nothing(about)
	}
	files, err := filepath.Glob(filepath.Join(dir, "sites", "demo.*.zip"))
	if err != nil || len(files) != 2 {
		t.Fatalf("archives of the first and the broken off backup: %v, %v", files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		v.Must(err)
		v.Must(os.WriteFile(name, append(data, 0), 0o600))
	}
	if _, err := w.Archives.Restore(w.Ctx, dir, func(*archive.Saved) {}); !errors.Is(err, archive.ErrDamaged) || !strings.Contains(err.Error(), "demo") {
		t.Errorf("a longer archive: %v", err)
	}
	if _, err := w.Platform.Sites.Get(w.Ctx, "demo"); !errors.Is(err, tenancy.ErrNoSite) {
		t.Errorf("the site of a longer archive: %v", err)
	}
	if _, err := w.Platform.Sites.Get(w.Ctx, "other"); err != nil {
		t.Errorf("the site beside it: %v", err)
	}
	nothing = untouched(w)
	v.Must(os.WriteFile(filepath.Join(dir, "backup.json"), bytes.Replace(before, []byte(`"format": 1`), []byte(`"format": 2`), 1), 0o600))
	refused("a format to come", archive.ErrTooNew)
	v.Must(os.WriteFile(filepath.Join(dir, "backup.json"), before[:len(before)/2], 0o600))
	refused("a backup cut off", archive.ErrDamaged)
	v.Must(os.WriteFile(filepath.Join(dir, "backup.json"), []byte(`{"format": 1, "kind": "holiday"}`), 0o600))
	refused("something else", archive.ErrNoArchive)
	v.Must(os.Remove(filepath.Join(dir, "backup.json")))
	refused("a backup that never ended", archive.ErrNoArchive)
	if _, err := v.Archives.Backup(t.Context(), dir, nil); !errors.Is(err, tenancy.ErrUnauthenticated) {
		t.Errorf("somebody else's backup: %v", err)
	}
	if _, err := v.Archives.Restore(t.Context(), dir, nil); !errors.Is(err, tenancy.ErrUnauthenticated) {
		t.Errorf("somebody else's restore: %v", err)
	}
}

// TestImportForeignSite: whose the rows are is never read from them.
func TestImportForeignSite(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	victim := v.Site("victim")
	fill(v, "demo")
	fill(v, "victim")
	before := v.Export("victim")
	for _, table := range []string{"users", "events", "domains", "schedule", "changes"} {
		data := retell(t, v.Export("demo"), table, nil, func(r map[string]any) { r["site_id"] = victim.ID })
		made, err := v.Import(data, &platform.SiteFields{Slug: args.Some("from-" + strings.ReplaceAll(table, "_", "-"))})
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		v.Sites[made.Slug] = made
		if table != "domains" && v.Peek(made.Slug, "SELECT count(*)::text FROM "+table+" WHERE site_id = $1", made.ID) == "0" {
			t.Errorf("%s: no row came in", table)
		}
	}
	if !bytes.Equal(before, v.Export("victim")) {
		t.Error("another site changed")
	}
	_, err := v.Import(retell(t, v.Export("demo"), "users", []string{"site_id"}, func(r map[string]any) { r["site_id"] = victim.ID }),
		&platform.SiteFields{Slug: args.Some("copy")})
	if !errors.Is(err, archive.ErrTooNew) {
		t.Errorf("site_id as a column: %v", err)
	}
}

// TestImportCancelled: an import that is broken off, wherever it stands, leaves
// neither rows nor blobs.
func TestImportCancelled(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	steps := 0
	_, err := v.Archives.Import(v.Ctx, bytes.NewReader(data), int64(len(data)), &platform.SiteFields{Slug: args.Some("whole")},
		func(int64, int64) { steps++ })
	v.Must(err)
	_, err = v.Platform.Sites.Delete(v.Ctx, "whole", kit.AtOnce())
	v.Must(err)
	untouched := untouched(v)
	for stop := 1; stop < steps; stop++ {
		ctx, cancel := context.WithCancel(v.Ctx)
		n := 0
		_, err := v.Archives.Import(ctx, bytes.NewReader(data), int64(len(data)), &platform.SiteFields{Slug: args.Some("copy")},
			func(int64, int64) {
				if n++; n == stop {
					cancel()
				}
			})
		cancel()
		if err == nil {
			t.Fatalf("step %d of %d: imported all the same", stop, steps)
		}
		untouched(fmt.Sprintf("step %d of %d", stop, steps))
	}
}
