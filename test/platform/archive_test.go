package platform

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

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// fill puts something of everything into a site, and returns the paths that show
// all of it.
func fill(v *kit.Vault, site string) (paths []string) {
	v.T.Helper()
	at := site
	if site == "demo" {
		at = ""
	}
	made := func(path string, body map[string]any) int64 {
		v.T.Helper()
		a := v.Send(kit.Request{Method: "POST", Site: at, Path: path, As: "administrator", JSON: body})
		if a.Status != http.StatusCreated {
			v.T.Fatalf("%s: %s", path, a)
		}
		paths = append(paths, fmt.Sprintf("%s/%d", path, a.ID()))
		return a.ID()
	}
	poster := v.Upload(site, "author", "Plakat 1.png", kit.Picture(900, 700)).Want(v.T, 201, "")
	unused := v.Upload(site, "author", "übrig.png", kit.Picture(20, 20)).Want(v.T, 201, "")
	paths = append(paths, "/media/"+strconv.FormatInt(poster.ID(), 10), "/media/"+strconv.FormatInt(unused.ID(), 10))
	for _, address := range []string{poster.Text("url"), poster.Text("sizes", "medium", "url"), unused.Text("url")} {
		_, path, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
		paths = append(paths, "//"+path)
	}
	child := made("/categories", map[string]any{"name": "Jazz \\ \"Blues\""})
	parent := made("/categories", map[string]any{"name": "Musik", "description": "<b>Töne</b>"})
	v.Send(kit.Request{Method: "PATCH", Site: at, Path: fmt.Sprintf("/categories/%d", child), As: "administrator",
		JSON: map[string]any{"parent": parent}}).Want(v.T, 200, "")
	tag := made("/tags", map[string]any{"name": "日本語"})
	venue := made("/venues", map[string]any{"venue": "Hall", "city": "Bonn", "geo_lat": 50.7374300001, "geo_lng": -7.0982068, "image": poster.ID()})
	second := made("/venues", map[string]any{"venue": "Attic", "status": "draft"})
	organizer := made("/organizers", map[string]any{"organizer": "مكتبة", "email": "o@example.org"})
	event := func(fields map[string]any) int64 {
		body := map[string]any{"title": "Event", "start_date": "2029-06-01 10:00:00", "end_date": "2029-06-01 12:00:00"}
		maps.Copy(body, fields)
		return made("/events", body)
	}
	first := event(map[string]any{"title": "Line\nbreak \u2028 <em>and</em> \t tab", "description": "<p>{\"a\": [1]}\r\n\\N</p>",
		"venue": []int64{second, venue}, "organizer": organizer, "categories": []int64{child}, "tags": []int64{tag}, "image": poster.ID(),
		"cost": "10 – 20 €", "featured": true, "timezone": "Asia/Tokyo"})
	last := event(map[string]any{"title": "Parent", "all_day": true, "venue": venue})
	v.Send(kit.Request{Method: "PATCH", Site: at, Path: fmt.Sprintf("/events/%d", first), As: "administrator",
		JSON: map[string]any{"post_parent": last}}).Want(v.T, 200, "")
	event(map[string]any{"title": "Draft", "status": "draft"})
	event(map[string]any{"title": "Secret", "post_password": "let me in"})
	event(map[string]any{"title": "Planned", "date": "2029-05-20 10:00:00"})
	gone := event(map[string]any{"title": "Gone"})
	v.Send(kit.Request{Method: "DELETE", Site: at, Path: fmt.Sprintf("/events/%d", gone), As: "administrator"}).Want(v.T, 200, "")
	series := event(map[string]any{"title": "Choir", "recurrence": map[string]any{"rrule": "FREQ=WEEKLY;COUNT=4"}})
	dates := v.Send(kit.Request{Method: "GET", Site: at, Path: fmt.Sprintf("/events/%d/occurrences?starts_after=2029-01-01", series), As: "administrator"}).Want(v.T, 200, "")
	occurrence := func(i int) string {
		return fmt.Sprintf("/events/%v", dates.Body["events"].([]any)[i].(map[string]any)["id"])
	}
	v.Send(kit.Request{Method: "PATCH", Site: at, Path: occurrence(1), As: "administrator", JSON: map[string]any{"title": "Concert"}}).Want(v.T, 200, "")
	v.Send(kit.Request{Method: "DELETE", Site: at, Path: occurrence(2), As: "administrator"}).Want(v.T, 200, "")
	paths = append(paths, occurrence(1), occurrence(3), fmt.Sprintf("/events/%d/occurrences?starts_after=2029-01-01", series))
	return append(paths, "/", "/doc", "/events?starts_after=2029-01-01&per_page=50", "/events?status=draft", "/events?status=trash", "/events?status=future", "/events?search=event",
		"/events?categories="+strconv.FormatInt(child, 10), "/events?geoloc=1&geoloc_lat=50.7&geoloc_lng=-7.1", "/venues?per_page=50", "/organizers", "/categories",
		"/tags", "/events/by-slug/parent", "//de/", "//sitemap.xml")
}

// state of a site in the provider's eyes, its number aside.
func asKept(v *kit.Vault, site string) tenancy.Site {
	v.T.Helper()
	s, err := v.Platform.Sites.Get(v.Ctx, site)
	v.Must(err)
	kept := *s
	kept.ID, kept.Location, kept.Changed = 0, nil, time.Time{}
	return kept
}

// TestArchiveRoundTrip: after a site went through its archive, all of its answers
// are the same bytes, tags of versions included, and people sign in as before.
func TestArchiveRoundTrip(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	_, err := v.Platform.Sites.Update(v.Ctx, "demo", &platform.SiteFields{Domains: args.Some(args.Texts{"club.example.org"})})
	v.Must(err)
	paths := fill(v, "demo")
	before, site := v.View("demo", paths), asKept(v, "demo")
	data := v.Export("demo")

	_, err = v.Platform.Sites.Delete(v.Ctx, "demo", kit.AtOnce())
	v.Must(err)
	made, err := v.Import(data, &platform.SiteFields{})
	v.Must(err)

	if diff := cmp.Diff(before, v.View("demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	if diff := cmp.Diff(site, asKept(v, "demo")); diff != "" {
		t.Errorf("site differs:\n%s", diff)
	}
	if made.ID == v.Sites["demo"].ID {
		t.Errorf("the site got number %d again, under which answers may be remembered", made.ID)
	}
	v.Sites["demo"] = made
	if got := v.Peek("demo", `SELECT count(*)::text FROM changes WHERE kind = 'site' AND id = $1`, made.ID); got != "1" {
		t.Errorf("%s changes of the site are known as its own", got)
	}
	v.Clock = v.Clock.AddDate(0, 1, 0)
	n, err := v.DB.PublishDue(t.Context(), v.Clock)
	if err != nil || n != 1 {
		t.Errorf("published %d of what was planned: %v", n, err)
	}
	id := v.Event(nil) // counters go on where they were
	if slices.Contains(paths, fmt.Sprintf("/events/%d", id)) {
		t.Errorf("id %d was given out twice", id)
	}
}

// TestArchiveBeside: a site comes in beside the one it was made of, and neither
// sees anything of the other.
func TestArchiveBeside(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	_, err := v.Platform.Sites.Update(v.Ctx, "demo", &platform.SiteFields{Domains: args.Some(args.Texts{"club.example.org"}),
		State: args.Some("closed")})
	v.Must(err)
	before := asKept(v, "demo")
	data := v.Export("demo")

	_, err = v.Import(data, &platform.SiteFields{})
	if got := problemArg(err); got != "slug" {
		t.Errorf("a site of that slug is there: %v", err)
	}
	_, err = v.Import(data, &platform.SiteFields{Slug: args.Some("copy"), Domains: args.Some(args.Texts{"club.example.org"})})
	if got := problemArg(err); got != "domains" {
		t.Errorf("a site with that domain is there: %v", err)
	}
	_, err = v.Import(data, &platform.SiteFields{Slug: args.Some("No Slug")})
	if got := problemArg(err); got != "slug" {
		t.Errorf("no slug: %v", err)
	}
	made, err := v.Import(data, &platform.SiteFields{Slug: args.Some("copy"),
		ProfileFields: platform.ProfileFields{Name: args.Some("Copy")}})
	v.Must(err)
	if made.Slug != "copy" || made.Name != "Copy" || len(made.Domains) != 0 || made.State != tenancy.Closed || made.Version != before.Version {
		t.Errorf("made %+v", made)
	}
	if diff := cmp.Diff(before, asKept(v, "demo")); diff != "" {
		t.Errorf("the first changed:\n%s", diff)
	}
	for _, ctx := range []context.Context{t.Context(), user(v, "demo", 1)} {
		if _, err := v.Archives.Import(ctx, bytes.NewReader(data), int64(len(data)), &platform.SiteFields{Slug: args.Some("mine")}, nil); err == nil {
			t.Error("somebody else imported a site")
		}
		if _, err := v.Archives.Export(ctx, "demo", &bytes.Buffer{}, nil); err == nil {
			t.Error("somebody else exported a site")
		}
	}
}

// user returns the context of an administrator.
func user(v *kit.Vault, site string, id int64) context.Context {
	return tenancy.With(context.Background(), tenancy.Scope{Site: v.Sites[site],
		Principal: tenancy.Principal{UserID: id, Role: tenancy.Administrator}})
}

// files returns how many blobs there are.
func files(v *kit.Vault) int { return countFiles(v.T, v.Dir) }

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
	v := kit.NewVault(t)
	v.Site("other")
	paths := map[string][]string{"demo": fill(v, "demo"), "other": fill(v, "other")}
	before := map[string]map[string]string{}
	for site, list := range paths {
		before[site] = v.View(site, list)
	}
	token, secret, err := v.Platform.Tokens.Create(v.Ctx, &accounts.TokenFields{Name: args.Some("billing")})
	v.Must(err)
	dir := filepath.Join(t.TempDir(), "backup")
	count := func() (fresh int) {
		_, err := v.Archives.Backup(v.Ctx, dir, func(s *archive.Saved) {
			if !s.Kept {
				fresh++
			}
		})
		v.Must(err)
		return fresh
	}
	if n := count(); n != 2 {
		t.Fatalf("%d sites written", n)
	}
	if n := count(); n != 0 {
		t.Errorf("%d sites written that hadn't changed", n)
	}
	v.Event(nil)
	before["demo"] = v.View("demo", paths["demo"])
	if n := count(); n != 1 {
		t.Errorf("%d sites written, one had changed", n)
	}
	if list, err := filepath.Glob(filepath.Join(dir, "sites", "*")); err != nil || len(list) != 2 {
		t.Errorf("archives: %v, %v", list, err)
	}

	w := kit.NewVaultOn(t, storagetest.Database(t))
	w.Secrets = v.Secrets
	_, err = w.Archives.RestoreSite(w.Ctx, dir, "other", &platform.SiteFields{})
	w.Must(err)
	if diff := cmp.Diff(before["other"], w.View("other", paths["other"])); diff != "" {
		t.Errorf("one site out of the backup differs:\n%s", diff)
	}
	kept := 0
	_, err = w.Archives.Restore(w.Ctx, dir, func(s *archive.Saved) {
		if s.Kept {
			kept++
		}
	})
	w.Must(err)
	if kept != 1 {
		t.Errorf("%d sites were passed over, one was there", kept)
	}
	for site, list := range paths {
		if diff := cmp.Diff(before[site], w.View(site, list)); diff != "" {
			t.Errorf("%s differs:\n%s", site, diff)
		}
	}
	if p, err := w.Platform.Authenticator.Provider(t.Context(), secret); err != nil || p.Name != token.Name {
		t.Errorf("the provider's token: %v, %v", p, err)
	}
	_, err = w.Platform.Sites.Update(w.Ctx, "demo", &platform.SiteFields{ProfileFields: platform.ProfileFields{Name: args.Some("Later")}})
	w.Must(err)
	if _, err = w.Archives.Restore(w.Ctx, dir, func(*archive.Saved) {}); !strings.Contains(fmt.Sprint(err), archive.ErrOccupied.Error()) {
		t.Errorf("restored over a site that went on: %v", err)
	}
	if _, err = w.Archives.RestoreSite(w.Ctx, dir, "nobody", &platform.SiteFields{}); err == nil {
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

// TestArchiveKeepsSubmissions: what people sent comes through the archive with who sent it and their
// tokens, what nobody confirmed doesn't, and of a site that is gone nothing of either stays.
func TestArchiveKeepsSubmissions(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Configure(&platform.ConfigFields{Submissions: args.Some(true), SubmissionTerms: args.Some("Be kind.")})
	body := map[string]any{"title": "Choir", "start_date": "2031-06-04 19:30", "venue": "Old barn", "contact_name": "Ada", "contact_email": "ada@example.net",
		"note": "Quick, please", "terms": true}
	token := v.Post("/submissions", "", body).Want(t, 201, "").Text("token")
	body["title"] = "Recital"
	refused := v.Post("/submissions", "", body).Want(t, 201, "").Text("token")
	list := v.Get("/submissions?per_page=50", "editor").Want(t, 200, "")
	id := int64(list.Body["submissions"].([]any)[1].(map[string]any)["id"].(float64))
	v.Post(fmt.Sprintf("/submissions/%d/refuse", id), "editor", map[string]any{"message": "Too far"}).Want(t, 200, "")
	v.Peek("demo", `INSERT INTO unconfirmed_submissions (site_id, id, email, client, sent, created_at, expires_at)
		VALUES ($1, 'x', '', '', '{}', now(), now() + interval '1 day') RETURNING site_id::text`, v.Sites["demo"].ID)
	paths := []string{"/submissions", "/submissions?status=decided", fmt.Sprintf("/submissions/%d", id), "/submissions/form",
		"/submissions/sent?token=" + token, "/submissions/sent?token=" + refused}
	before := v.View("demo", paths)
	data := v.Export("demo")
	_, err := v.Platform.Sites.Delete(v.Ctx, "demo", kit.AtOnce())
	v.Must(err)
	for _, table := range []string{"submissions", "unconfirmed_submissions"} {
		if left := v.Peek("demo", `SELECT count(*)::text FROM `+table); left != "0" {
			t.Errorf("%s of the site that is gone are in %s", left, table)
		}
	}
	_, err = v.Import(data, &platform.SiteFields{})
	v.Must(err)
	if diff := cmp.Diff(before, v.View("demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	if !strings.Contains(before[" "+paths[4]], "waiting") || !strings.Contains(before[" "+paths[5]], "Too far") {
		t.Errorf("nothing was compared: %v", before)
	}
	v.Del("/submissions/sent?token="+token, "").Want(t, 200, "").Has(t, "status", "withdrawn")
}
