package platform

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// bomb returns an archive of a site that unpacks to gigabytes, as its directory says.
func bomb(t testing.TB) []byte {
	t.Helper()
	const large = 8 << 30
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	to, err := w.CreateRaw(&zip.FileHeader{Name: "events.jsonl", Method: zip.Deflate, UncompressedSize64: large, CompressedSize64: 4})
	if err == nil {
		_, err = to.Write([]byte{3, 0, 0, 0})
	}
	if err != nil {
		t.Fatal(err)
	}
	if to, err = w.Create("manifest.json"); err == nil {
		err = json.NewEncoder(to).Encode(archive.Manifest{Format: archive.Format, Kind: "site", Site: &archive.Origin{Slug: "x"},
			Members: []archive.Member{{Name: "events.jsonl", Bytes: large, SHA256: strings.Repeat("0", 64), Rows: 1, Columns: []string{"id"}}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestImportRefusedInWords: whatever is wrong with an archive, whoever sends it is told so
// in their language, at once or by the job, and nothing is left of it.
func TestImportRefusedInWords(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	untouched := untouched(v)
	foreign := v.Sites["demo"].ID
	for about, c := range map[string]struct {
		data []byte
		code string
	}{
		"truncated":           {data[:len(data)/2], "archive_unknown"},
		"tampered":            {harmed(t, data), "archive_damaged"},
		"too new":             {remanifest(t, data, `"format": 1`, `"format": 2`), "archive_too_new"},
		"a bomb":              {bomb(t), "archive_too_large"},
		"a column to come":    {retell(t, data, "events", []string{"mood"}, func(r map[string]any) { r["mood"] = "good" }), "archive_too_new"},
		"ids of another site": {retell(t, data, "users", []string{"site_id"}, func(r map[string]any) { r["site_id"] = foreign }), "archive_too_new"},
		"a status of its own": {retell(t, data, "events", nil, func(r map[string]any) { r["status"] = "loud" }), "archive_damaged"},
	} {
		said := map[string]bool{}
		for _, language := range kit.Walked {
			in := header("Accept-Language", language)
			a := v.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(c.data), in)
			problem := a.Body
			if a.Status == 202 {
				id := a.Started(t)
				v.Work()
				problem, _ = v.ProviderRequest("GET", fmt.Sprintf("/jobs/%d", id), in).Want(t, 200, "").Body["problem"].(map[string]any)
			}
			text, _ := problem["message"].(string)
			if problem["code"] != c.code || text == "" || strings.Contains(text, c.code) {
				t.Errorf("%s, %s: %d %v %q, want %s", about, language, a.Status, problem["code"], text, c.code)
			}
			said[text] = true
			v.ProviderRequest("GET", "/sites/copy").Want(t, 404, "rest_site_not_found")
		}
		if len(said) != len(kit.Walked) {
			t.Errorf("%s: %d texts in %d languages", about, len(said), len(kit.Walked))
		}
		untouched(about)
	}
	if n := shelved(v); n != 0 {
		t.Errorf("%d files are left", n)
	}
}

// multiply makes so many events of the one that a site has.
func multiply(v *kit.Vault, site string, n int) {
	v.T.Helper()
	for _, sql := range []string{
		`INSERT INTO events SELECT (jsonb_populate_record(e, jsonb_build_object('id', 100000 + made, 'slug', e.slug || made, 'title', e.title || ' ' || made))).*
			FROM events e, generate_series(2, $1::int) made WHERE e.site_id = $2`,
		`INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed)
			SELECT site_id, 100000 + made, n, start_local, end_local, start_utc, end_utc, listed
			FROM occurrences o, generate_series(2, $1::int) made WHERE o.site_id = $2`,
		`UPDATE sites SET last_post_id = 200000, used_events = $1 WHERE id = $2`,
	} {
		v.Change(site, sql, n, v.Sites[site].ID)
	}
}

// BenchmarkArchive exports and imports a site of ten thousand events.
func BenchmarkArchive(b *testing.B) {
	v := kit.NewVault(b)
	v.Event(map[string]any{"title": "Concert", "description": strings.Repeat("About it. ", 60), "cost": "5"})
	multiply(v, "demo", 10_000)
	data := v.Export("demo")
	b.Run("export", func(b *testing.B) {
		for b.Loop() {
			v.Export("demo")
		}
		b.ReportMetric(float64(len(data)), "bytes")
	})
	b.Run("import", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n++
			slug := fmt.Sprintf("copy-%d", n)
			site, err := v.Import(data, &platform.SiteFields{Slug: args.Some(slug)})
			v.Must(err)
			b.StopTimer()
			v.Sites[slug] = site
			if got := v.Peek(slug, "SELECT count(*)::text FROM events WHERE site_id = $1", site.ID); got != "10000" {
				b.Fatalf("%s events came in", got)
			}
			b.StartTimer()
		}
	})
}
