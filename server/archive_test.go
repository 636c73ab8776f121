package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/archive"
	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// vault is a kit with archives.
type vault struct {
	*kit
	archives *archive.Archives
	pictures *media.Pictures
	dir      string // of the blobs
	ctx      context.Context
}

func newVault(t testing.TB) *vault { return newVaultOn(t, storagetest.Database(t), "demo") }

// newVaultOn starts a server on a database; without sites it makes none.
func newVaultOn(t testing.TB, database string, sites ...string) *vault {
	t.Helper()
	v := &vault{dir: t.TempDir(), ctx: tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "test"})}
	v.pictures = pictures(t, v.dir)
	v.kit = newKitOn(t, database, func(c *server.Config) { c.Pictures = v.pictures })
	v.clock = time.Date(2029, 5, 1, 12, 0, 0, 0, time.UTC)
	if len(sites) == 0 {
		_, err := v.platform.Sites.Delete(v.ctx, "demo", atOnce())
		v.must(err)
	}
	v.archives = archive.New(v.db, v.pictures, v.platform.Sites, func() time.Time { return v.clock })
	return v
}

// fill puts something of everything into a site, and returns the paths that show
// all of it.
func (v *vault) fill(site string) (paths []string) {
	v.t.Helper()
	at := site
	if site == "demo" {
		at = ""
	}
	made := func(path string, body map[string]any) int64 {
		v.t.Helper()
		a := v.send(request{Method: "POST", Site: at, Path: path, As: "administrator", JSON: body})
		if a.Status != http.StatusCreated {
			v.t.Fatalf("%s: %s", path, a)
		}
		paths = append(paths, fmt.Sprintf("%s/%d", path, a.id()))
		return a.id()
	}
	poster := v.upload(site, "author", "Plakat 1.png", picture(900, 700)).want(v.t, 201, "")
	unused := v.upload(site, "author", "übrig.png", picture(20, 20)).want(v.t, 201, "")
	paths = append(paths, "/media/"+strconv.FormatInt(poster.id(), 10), "/media/"+strconv.FormatInt(unused.id(), 10))
	for _, address := range []string{poster.text("url"), poster.text("sizes", "medium", "url"), unused.text("url")} {
		_, path, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
		paths = append(paths, "//"+path)
	}
	child := made("/categories", map[string]any{"name": "Jazz \\ \"Blues\""})
	parent := made("/categories", map[string]any{"name": "Musik", "description": "<b>Töne</b>"})
	v.send(request{Method: "PATCH", Site: at, Path: fmt.Sprintf("/categories/%d", child), As: "administrator",
		JSON: map[string]any{"parent": parent}}).want(v.t, 200, "")
	tag := made("/tags", map[string]any{"name": "日本語"})
	venue := made("/venues", map[string]any{"venue": "Hall", "city": "Bonn", "geo_lat": 50.7374300001, "geo_lng": -7.0982068, "image": poster.id()})
	second := made("/venues", map[string]any{"venue": "Attic", "status": "draft"})
	organizer := made("/organizers", map[string]any{"organizer": "مكتبة", "email": "o@example.org"})
	event := func(fields map[string]any) int64 {
		body := map[string]any{"title": "Event", "start_date": "2029-06-01 10:00:00", "end_date": "2029-06-01 12:00:00"}
		maps.Copy(body, fields)
		return made("/events", body)
	}
	first := event(map[string]any{"title": "Line\nbreak \u2028 <em>and</em> \t tab", "description": "<p>{\"a\": [1]}\r\n\\N</p>",
		"venue": []int64{second, venue}, "organizer": organizer, "categories": []int64{child}, "tags": []int64{tag}, "image": poster.id(),
		"cost": "10 – 20 €", "featured": true, "timezone": "Asia/Tokyo"})
	last := event(map[string]any{"title": "Parent", "all_day": true, "venue": venue})
	v.send(request{Method: "PATCH", Site: at, Path: fmt.Sprintf("/events/%d", first), As: "administrator",
		JSON: map[string]any{"post_parent": last}}).want(v.t, 200, "")
	event(map[string]any{"title": "Draft", "status": "draft"})
	event(map[string]any{"title": "Secret", "post_password": "let me in"})
	event(map[string]any{"title": "Planned", "date": "2029-05-20 10:00:00"})
	gone := event(map[string]any{"title": "Gone"})
	v.send(request{Method: "DELETE", Site: at, Path: fmt.Sprintf("/events/%d", gone), As: "administrator"}).want(v.t, 200, "")
	series := event(map[string]any{"title": "Choir", "recurrence": map[string]any{"rrule": "FREQ=WEEKLY;COUNT=4"}})
	dates := v.send(request{Method: "GET", Site: at, Path: fmt.Sprintf("/events/%d/occurrences?starts_after=2029-01-01", series), As: "administrator"}).want(v.t, 200, "")
	occurrence := func(i int) string {
		return fmt.Sprintf("/events/%v", dates.Body["events"].([]any)[i].(map[string]any)["id"])
	}
	v.send(request{Method: "PATCH", Site: at, Path: occurrence(1), As: "administrator", JSON: map[string]any{"title": "Concert"}}).want(v.t, 200, "")
	v.send(request{Method: "DELETE", Site: at, Path: occurrence(2), As: "administrator"}).want(v.t, 200, "")
	paths = append(paths, occurrence(1), occurrence(3), fmt.Sprintf("/events/%d/occurrences?starts_after=2029-01-01", series))
	return append(paths, "/", "/doc", "/events?starts_after=2029-01-01&per_page=50", "/events?status=draft", "/events?status=trash", "/events?status=future", "/events?search=event",
		"/events?categories="+strconv.FormatInt(child, 10), "/events?geoloc=1&geoloc_lat=50.7&geoloc_lng=-7.1", "/venues?per_page=50", "/organizers", "/categories",
		"/tags", "/events/by-slug/parent", "//de/", "//sitemap.xml")
}

// view is everything that a site shows, to the public and to its administrator.
func (v *vault) view(site string, paths []string) map[string]string {
	v.t.Helper()
	seen := map[string]string{}
	at := site
	if site == "demo" {
		at = ""
	}
	for _, as := range []string{"", "administrator"} {
		for _, path := range paths {
			a := v.send(request{Method: "GET", Path: path, As: as, Site: at})
			if a.Status != http.StatusOK && (as != "" || a.Status >= 500) && a.code() != "event-no-longer-available" {
				v.t.Fatalf("%s: %s", path, a)
			}
			seen[as+" "+path] = fmt.Sprintf("%d %s %s %s", a.Status, a.Header.Get("ETag"), a.Header.Get("X-TEC-Total"), a.Raw)
		}
	}
	return seen
}

// export returns the archive of a site.
func (v *vault) export(site string) []byte {
	v.t.Helper()
	var b bytes.Buffer
	_, err := v.archives.Export(v.ctx, site, &b, nil)
	v.must(err)
	return b.Bytes()
}

func (v *vault) bring(data []byte, become *tenancy.SiteFields) (*tenancy.Site, error) {
	return v.archives.Import(v.ctx, bytes.NewReader(data), int64(len(data)), become, nil)
}

// state of a site in the provider's eyes, its number aside.
func (v *vault) asKept(site string) tenancy.Site {
	v.t.Helper()
	s, err := v.platform.Sites.Get(v.ctx, site)
	v.must(err)
	kept := *s
	kept.ID, kept.Location = 0, nil
	return kept
}

// TestArchiveRoundTrip: after a site went through its archive, all of its answers
// are the same bytes, tags of versions included, and people sign in as before.
func TestArchiveRoundTrip(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	_, err := v.platform.Sites.Update(v.ctx, "demo", &tenancy.SiteFields{Domains: args.Some(args.Texts{"club.example.org"})})
	v.must(err)
	paths := v.fill("demo")
	before, site := v.view("demo", paths), v.asKept("demo")
	data := v.export("demo")

	_, err = v.platform.Sites.Delete(v.ctx, "demo", atOnce())
	v.must(err)
	made, err := v.bring(data, &tenancy.SiteFields{})
	v.must(err)

	if diff := cmp.Diff(before, v.view("demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	if diff := cmp.Diff(site, v.asKept("demo")); diff != "" {
		t.Errorf("site differs:\n%s", diff)
	}
	if made.ID == v.sites["demo"].ID {
		t.Errorf("the site got number %d again, under which answers may be remembered", made.ID)
	}
	v.sites["demo"] = made
	if got := v.peek("demo", `SELECT count(*)::text FROM changes WHERE kind = 'site' AND id = $1`, made.ID); got != "1" {
		t.Errorf("%s changes of the site are known as its own", got)
	}
	v.clock = v.clock.AddDate(0, 1, 0)
	n, err := v.db.PublishDue(t.Context(), v.clock)
	if err != nil || n != 1 {
		t.Errorf("published %d of what was planned: %v", n, err)
	}
	id := v.event(nil) // counters go on where they were
	if slices.Contains(paths, fmt.Sprintf("/events/%d", id)) {
		t.Errorf("id %d was given out twice", id)
	}
}

// TestArchiveBeside: a site comes in beside the one it was made of, and neither
// sees anything of the other.
func TestArchiveBeside(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	_, err := v.platform.Sites.Update(v.ctx, "demo", &tenancy.SiteFields{Domains: args.Some(args.Texts{"club.example.org"}),
		State: args.Some("closed")})
	v.must(err)
	before := v.asKept("demo")
	data := v.export("demo")

	_, err = v.bring(data, &tenancy.SiteFields{})
	if got := problemArg(err); got != "slug" {
		t.Errorf("a site of that slug is there: %v", err)
	}
	_, err = v.bring(data, &tenancy.SiteFields{Slug: args.Some("copy"), Domains: args.Some(args.Texts{"club.example.org"})})
	if got := problemArg(err); got != "domains" {
		t.Errorf("a site with that domain is there: %v", err)
	}
	_, err = v.bring(data, &tenancy.SiteFields{Slug: args.Some("No Slug")})
	if got := problemArg(err); got != "slug" {
		t.Errorf("no slug: %v", err)
	}
	made, err := v.bring(data, &tenancy.SiteFields{Slug: args.Some("copy"),
		ProfileFields: tenancy.ProfileFields{Name: args.Some("Copy")}})
	v.must(err)
	if made.Slug != "copy" || made.Name != "Copy" || len(made.Domains) != 0 || made.State != tenancy.Closed || made.Version != before.Version {
		t.Errorf("made %+v", made)
	}
	if diff := cmp.Diff(before, v.asKept("demo")); diff != "" {
		t.Errorf("the first changed:\n%s", diff)
	}
	for _, ctx := range []context.Context{t.Context(), v.user("demo", 1)} {
		if _, err := v.archives.Import(ctx, bytes.NewReader(data), int64(len(data)), &tenancy.SiteFields{Slug: args.Some("mine")}, nil); err == nil {
			t.Error("somebody else imported a site")
		}
		if _, err := v.archives.Export(ctx, "demo", &bytes.Buffer{}, nil); err == nil {
			t.Error("somebody else exported a site")
		}
	}
}

// user returns the context of an administrator.
func (v *vault) user(site string, id int64) context.Context {
	return tenancy.With(context.Background(), tenancy.Scope{Site: v.sites[site],
		Principal: tenancy.Principal{UserID: id, Role: tenancy.Administrator}})
}

// files returns how many blobs there are.
func (v *vault) files() int { return countFiles(v.t, v.dir) }

// countFiles returns how many files a folder has below it.
func countFiles(t testing.TB, dir string) (n int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestBackup: an installation comes back from its backup as it was, and so does
// one site of it.
func TestBackup(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.site("other")
	paths := map[string][]string{"demo": v.fill("demo"), "other": v.fill("other")}
	before := map[string]map[string]string{}
	for site, list := range paths {
		before[site] = v.view(site, list)
	}
	token, secret, err := v.platform.Tokens.Create(v.ctx, &tenancy.TokenFields{Name: args.Some("billing")})
	v.must(err)
	dir := filepath.Join(t.TempDir(), "backup")
	count := func() (fresh int) {
		_, err := v.archives.Backup(v.ctx, dir, func(s *archive.Saved) {
			if !s.Kept {
				fresh++
			}
		})
		v.must(err)
		return fresh
	}
	if n := count(); n != 2 {
		t.Fatalf("%d sites written", n)
	}
	if n := count(); n != 0 {
		t.Errorf("%d sites written that hadn't changed", n)
	}
	v.event(nil)
	before["demo"] = v.view("demo", paths["demo"])
	if n := count(); n != 1 {
		t.Errorf("%d sites written, one had changed", n)
	}
	if list, err := filepath.Glob(filepath.Join(dir, "sites", "*")); err != nil || len(list) != 2 {
		t.Errorf("archives: %v, %v", list, err)
	}

	w := newVaultOn(t, storagetest.Database(t))
	w.secrets = v.secrets
	_, err = w.archives.RestoreSite(w.ctx, dir, "other", &tenancy.SiteFields{})
	w.must(err)
	if diff := cmp.Diff(before["other"], w.view("other", paths["other"])); diff != "" {
		t.Errorf("one site out of the backup differs:\n%s", diff)
	}
	kept := 0
	_, err = w.archives.Restore(w.ctx, dir, func(s *archive.Saved) {
		if s.Kept {
			kept++
		}
	})
	w.must(err)
	if kept != 1 {
		t.Errorf("%d sites were passed over, one was there", kept)
	}
	for site, list := range paths {
		if diff := cmp.Diff(before[site], w.view(site, list)); diff != "" {
			t.Errorf("%s differs:\n%s", site, diff)
		}
	}
	if p, err := w.platform.Authenticator.Provider(t.Context(), secret); err != nil || p.Name != token.Name {
		t.Errorf("the provider's token: %v, %v", p, err)
	}
	_, err = w.platform.Sites.Update(w.ctx, "demo", &tenancy.SiteFields{ProfileFields: tenancy.ProfileFields{Name: args.Some("Later")}})
	w.must(err)
	if _, err = w.archives.Restore(w.ctx, dir, func(*archive.Saved) {}); !strings.Contains(fmt.Sprint(err), archive.ErrOccupied.Error()) {
		t.Errorf("restored over a site that went on: %v", err)
	}
	if _, err = w.archives.RestoreSite(w.ctx, dir, "nobody", &tenancy.SiteFields{}); err == nil {
		t.Error("restored a site that isn't there")
	}
}

// problemArg returns the argument that an error is about.
func problemArg(err error) string {
	problems, ok := errors.AsType[*args.Problems](err)
	if !ok || len(problems.Broken()) == 0 {
		return ""
	}
	return problems.Broken()[0].Arg
}
