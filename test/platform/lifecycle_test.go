package platform

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

func TestDeleteSiteWithGrace(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	a := v.Provider("DELETE", "/sites/demo", nil).Want(t, 200, "")
	if a.Body["state"] != "deleted" || a.Body["deleted"] == nil || a.Body["purge"] == nil {
		t.Errorf("%s", a)
	}
	v.Get("/events", "").Want(t, 403, "site-closed")
	v.Get("/events", "administrator").Want(t, 403, "site-closed")
	v.Post("/events", "administrator", kit.NewEvent("E")).Want(t, 403, "site-closed")
	for _, page := range []string{"//", "//admin"} {
		if p := v.Send(kit.Request{Method: "GET", Path: page}); p.Status != 403 {
			t.Errorf("%s: %d", page, p.Status)
		}
	}
	v.Provider("POST", "/sites", map[string]any{"slug": "demo", "name": "N"}).Want(t, 400, "rest_invalid_param")
	v.Provider("PATCH", "/sites/demo", map[string]any{"state": "active"}).Want(t, 400, "rest_invalid_param")
	if list := v.Provider("GET", "/sites?state=deleted", nil); list.Body["total"] != 1.0 {
		t.Errorf("%s", list)
	}
	if list := v.Provider("GET", "/sites?state=active", nil); list.Body["total"] != 0.0 {
		t.Errorf("%s", list)
	}
	for _, grace := range []string{"-1", "366", "x", ""} {
		v.Provider("DELETE", "/sites/demo?grace="+grace, nil).Want(t, 400, "rest_invalid_param")
	}
	back := v.Provider("POST", "/sites/demo/undelete", nil).Want(t, 200, "")
	if back.Body["state"] != "active" || back.Body["deleted"] != nil {
		t.Errorf("%s", back)
	}
	v.Get("/events", "").Want(t, 200, "")
	v.Post("/events", "administrator", kit.NewEvent("E")).Want(t, 201, "")
	v.Provider("DELETE", "/sites/nobody", nil).Want(t, 404, "rest_site_not_found")
	v.Provider("POST", "/sites/nobody/undelete", nil).Want(t, 404, "rest_site_not_found")
	v.Send(kit.Request{Method: "POST", Path: "//platform/v1/sites/demo/undelete"}).Want(t, 401, "rest_forbidden")
}

// After a purge no file and no row of the site is left in any table, and the other site has lost none.
func TestPurgeLeavesNothing(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	v.Site("other")
	fill(v, "other")
	unbound := "" // tables that no worker has beside sites, so that no key binds them: the purge empties them, too
	if storagetest.OnCluster() {
		unbound = "domains site_slugs"
	}
	if loose := v.Peek("demo", withoutSite); loose != unbound {
		t.Errorf("rows of %s outlive their site", loose)
	}
	other, files := rows(v.Kit, "other"), filesOf(v, "other")
	if before := rows(v.Kit, "demo"); before["events"] == 0 || before["changes"] == 0 || before["images"] == 0 || filesOf(v, "demo") == 0 {
		t.Fatalf("nothing to lose: %v", before)
	}
	v.Provider("DELETE", "/sites/demo?grace=0", nil).Want(t, 200, "")
	for table, n := range rows(v.Kit, "demo") {
		if n != 0 {
			t.Errorf("%d rows left in %s", n, table)
		}
	}
	if n := filesOf(v, "demo"); n != 0 {
		t.Errorf("%d files left", n)
	}
	if diff := cmp.Diff(other, rows(v.Kit, "other")); diff != "" || filesOf(v, "other") != files {
		t.Errorf("the neighbour: %s", diff)
	}
	v.Provider("GET", "/sites/demo", nil).Want(t, 404, "rest_site_not_found")
	v.Get("/events", "").Want(t, 404, "site-not-found")
	audit := v.Provider("GET", "/audit?kind=site&per_page=2", nil)
	if !strings.Contains(string(audit.Raw), `"action":"purge"`) || !strings.Contains(string(audit.Raw), `"action":"delete"`) {
		t.Errorf("%s", audit)
	}
}

// A purge interrupted between files and rows is repeated.
func TestPurgeAfterACrash(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	id := v.Sites["demo"].ID
	v.Provider("DELETE", "/sites/demo?grace=1", nil).Want(t, 200, "")
	v.Exec("UPDATE sites SET purge_at = now() - interval '1 second' WHERE id = $1", id)
	ctx, cancel := context.WithCancel(v.Ctx)
	slug, err := v.DB.Sites().Purge(ctx, id, time.Now(), func(ctx context.Context) error {
		defer cancel()
		return v.Pictures.Clear(ctx, id)
	})
	if err == nil || slug != "" || filesOf(v, "demo") != 0 || rows(v.Kit, "demo")["events"] == 0 {
		t.Fatalf("%q, %v", slug, err)
	}
	storagetest.Until(t, "the site is purged", func() bool { // as soon as Postgres has rolled back the first purge
		slugs, err := v.Platform.Sites.Purge(v.Ctx)
		if err != nil {
			t.Fatal(err)
		}
		return len(slugs) == 1
	})
	if n := rows(v.Kit, "demo")["events"]; n != 0 {
		t.Errorf("%d events left", n)
	}
}

// Importing the archive of a deleted site creates a closed site rather than a deleted one, which would be removed
// again after its grace period.
func TestArchiveOfADeletedSite(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Event(nil)
	v.Provider("DELETE", "/sites/demo?grace=1", nil).Want(t, 200, "")
	made, err := v.Import(v.Export("demo"), &platform.SiteFields{Slug: args.Some("copy")})
	v.Must(err)
	if made.Slug != "copy" {
		t.Errorf("%+v", made)
	}
	if a := v.Provider("GET", "/sites/copy", nil).Want(t, 200, ""); a.Body["state"] != "closed" || a.Body["purge"] != nil {
		t.Errorf("%s", a)
	}
	v.Provider("PATCH", "/sites/copy", map[string]any{"state": "active"}).Want(t, 200, "")
}

// Writes in progress while a site is suspended either complete before or are rejected; later ones are rejected.
func TestSuspendWhileWriting(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	var landed, refused atomic.Int64
	suspended, begun := make(chan struct{}), make(chan struct{}, 100)
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for n := 0; ; n++ {
				late := false
				select {
				case <-suspended:
					late = true
				default:
				}
				body := kit.NewEvent(fmt.Sprint("E", w, n))
				body["venue"] = map[string]any{"venue": fmt.Sprint("V", w, n)}
				switch a := k.Post("/events", "administrator", body); {
				case a.Status == 201 && !late:
					landed.Add(1)
					begun <- struct{}{}
				case a.Status == 403 && a.Code() == "site-read-only":
					if refused.Add(1); late {
						return
					}
				default:
					t.Errorf("late %t: %s", late, a)
					return
				}
			}
		})
	}
	for range 8 {
		<-begun
	}
	go func() {
		for range begun { // drained, so that nobody waits
		}
	}()
	k.Provider("PATCH", "/sites/demo", map[string]any{"state": "read_only"}).Want(t, 200, "")
	close(suspended)
	writers.Wait()
	close(begun)
	want := fmt.Sprint(landed.Load())
	for _, table := range []string{"events", "venues", "occurrences", "event_venues"} {
		if n := k.Peek("demo", "SELECT count(*)::text FROM "+table); n != want {
			t.Errorf("%s in %s, want %s", n, table, want)
		}
	}
	if landed.Load() < 8 || refused.Load() < 4 || fmt.Sprint(k.Usage("events")) != want {
		t.Errorf("%s landed, %d refused", want, refused.Load())
	}
	k.Get("/events", "").Want(t, 200, "")
	k.Provider("PATCH", "/sites/demo", map[string]any{"state": "active"}).Want(t, 200, "")
	k.Post("/events", "administrator", kit.NewEvent("E")).Want(t, 201, "")
}

// Reads in progress while a site is deleted get complete responses, and later ones that it is closed or does not
// exist.
func TestDeleteWhileReading(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for range 3 {
		k.Event(nil)
	}
	var readers sync.WaitGroup
	begun := make(chan struct{}, 3)
	for range 3 {
		readers.Go(func() {
			for n := 0; ; n++ {
				switch a := k.Get("/events?starts_after=2029-01-01", ""); {
				case a.Status == 200 && a.Body["total"] == 3.0:
				case a.Status == 403 && a.Code() == "site-closed":
				case a.Status == 404 && a.Code() == "site-not-found":
					return
				default:
					t.Errorf("%s", a)
					return
				}
				if n == 2 {
					begun <- struct{}{}
				}
			}
		})
	}
	for range 3 {
		<-begun
	}
	k.Provider("DELETE", "/sites/demo?grace=0", nil).Want(t, 200, "")
	readers.Wait()
}

// filesOf counts the files of a site.
func filesOf(v *kit.Vault, slug string) (n int) {
	v.T.Helper()
	dir := filepath.Join(v.Dir, fmt.Sprint(v.Sites[slug].ID))
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			n++
		}
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) {
		v.Must(err)
	}
	return n
}

// withoutSite names the tables whose rows have a site and no foreign key that
// binds them to it. Those of occurrence_days are counted from others, and go with them.
const withoutSite = `
	SELECT coalesce(string_agg(c.relname, ' '), '')
	FROM pg_catalog.pg_class c
	JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id' AND NOT a.attisdropped
	WHERE c.relkind IN ('r', 'p')
	  AND c.relnamespace = 'public'::regnamespace
	  AND c.relname <> 'occurrence_days'
	  AND NOT (a.attnotnull AND EXISTS (SELECT FROM pg_catalog.pg_constraint f
	      WHERE f.conrelid = c.oid AND f.contype = 'f' AND a.attnum = ANY (f.conkey)))`

// rows counts the rows of a site in all tables that have sites.
func rows(k *kit.Kit, slug string) map[string]int {
	k.T.Helper()
	tables := strings.Fields(k.Peek(slug, `
		SELECT string_agg(c.oid::regclass::text, ' ')
		FROM pg_catalog.pg_class c
		JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id' AND NOT a.attisdropped
		WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace`))
	counts := map[string]int{}
	for _, table := range tables {
		var n int
		_, err := fmt.Sscan(k.Peek(slug, fmt.Sprintf("SELECT count(*)::text FROM %s WHERE site_id = $1", table), k.Sites[slug].ID), &n)
		k.Must(err)
		counts[table] = n
	}
	return counts
}
