package platform

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// copied makes a copy of a site that is kept.
func copied(v *kit.Vault, site string) *jobs.Job {
	v.T.Helper()
	job, err := v.Jobs.Export(v.Ctx, site, jobs.KeepCopy)
	v.Must(err)
	v.Work()
	job, err = v.Jobs.Get(v.Ctx, job.ID)
	v.Must(err)
	if job.State != jobs.Done || job.Expires.Sub(job.Finished).Hours() != 24*jobs.KeepCopy {
		v.T.Fatalf("%+v", job)
	}
	return job
}

var sections = regexp.MustCompile(`[a-z]+`)

var tags = regexp.MustCompile(`^(\d+) \S* `)

// contents is View without the tags, which have the version of the site.
func contents(v *kit.Vault, site string, paths []string) map[string]string {
	v.T.Helper()
	seen := v.View(site, paths)
	for path, text := range seen {
		seen[path] = tags.ReplaceAllString(text, "$1 ")
	}
	return seen
}

// lists are the addresses of lists, which answer whatever was deleted.
var lists = []string{"/events?starts_after=2029-01-01&per_page=50", "/events?status=draft", "/events?status=future", "/venues?per_page=50", "/organizers", "/categories", "/tags",
	"//de/", "//sitemap.xml"}

// spoil changes, adds and removes something of everything.
func spoil(v *kit.Vault, paths []string) (added int64) {
	v.T.Helper()
	for _, path := range paths {
		if strings.HasPrefix(path, "/media/") {
			v.Send(kit.Request{Method: "DELETE", Path: path, As: "administrator"}).Want(v.T, 200, "")
		}
	}
	for _, section := range []string{"/events?starts_after=2029-01-01&per_page=50", "/venues", "/categories"} {
		list := v.Send(kit.Request{Method: "GET", Path: section, As: "administrator"}).Want(v.T, 200, "")
		name := sections.FindString(section)
		for _, one := range list.Body[name].([]any) {
			id := int64(one.(map[string]any)["id"].(float64))
			v.Send(kit.Request{Method: "DELETE", Path: fmt.Sprintf("/%s/%d?force=true", name, id), As: "administrator"})
		}
	}
	v.Send(kit.Request{Method: "POST", Path: "/tags", As: "administrator", JSON: map[string]any{"name": "Spam"}}).Want(v.T, 201, "")
	return v.Event(map[string]any{"title": "Spam"})
}

// A site becomes what a copy of it holds, whatever was done since. What is the provider's stays, ids and versions go on, and what was there is
// a copy itself, to which the site can go forward again.
func TestRollBack(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	paths := fill(v, "demo")
	before := contents(v, "demo", paths)
	from := copied(v, "demo")
	added := spoil(v, paths)
	v.Plan("small", map[string]any{}).Want(t, 201, "")
	_, err := v.Platform.Sites.Update(v.Ctx, "demo", &platform.SiteFields{Plan: args.Some("small"), Domains: args.Some(args.Texts{"club.example.org"})})
	v.Must(err)
	spoiled := contents(v, "demo", lists)
	version := asKept(v, "demo").Version

	job, err := v.Jobs.Restore(v.Ctx, "demo", from.ID)
	v.Must(err)
	if _, err := v.Jobs.Restore(v.Ctx, "demo", from.ID); !errors.Is(err, jobs.ErrRestoring) {
		t.Errorf("twice: %v", err)
	}
	ends(v.Kit, job.ID, "done", "")
	if diff := cmp.Diff(before, contents(v, "demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	site := asKept(v, "demo")
	if site.Version <= version || site.Plan.Name != "small" || !slices.Equal(site.Domains, []string{"club.example.org"}) {
		t.Errorf("%+v", site)
	}
	v.Send(kit.Request{Method: "GET", Path: fmt.Sprintf("/events/%d", added)}).Want(t, http.StatusNotFound, "rest-event-not-found")
	if id := v.Event(nil); id <= added {
		t.Errorf("id %d was given out twice", id)
	}
	if list := v.ProviderRequest("GET", "/audit?action=roll_back").Body["entries"].([]any); len(list) != 1 {
		t.Errorf("%d entries in the history", len(list))
	}
	list, err := v.Jobs.Copies(v.Ctx, "demo")
	v.Must(err)
	if len(list) != 2 || list[0].Kind != jobs.Restore || !list[0].HasArchive() || list[0].Bytes == 0 {
		t.Fatalf("%+v", list)
	}
	goesForward(v, list[0].ID, spoiled)
}

// goesForward restores what the site demo held before a job, and compares.
func goesForward(v *kit.Vault, job int64, want map[string]string) {
	v.T.Helper()
	forward, err := v.Jobs.Restore(v.Ctx, "demo", job)
	v.Must(err)
	ends(v.Kit, forward.ID, "done", "")
	if diff := cmp.Diff(want, contents(v, "demo", lists)); diff != "" {
		v.T.Errorf("answers differ after going forward again:\n%s", diff)
	}
}

// A node that is killed in the middle of going back leaves the site as it is; another one does it once.
func TestRollBackKilled(t *testing.T) {
	t.Parallel()
	survivesANode(kit.NewVault(t), func(v *kit.Vault) func() int64 {
		from := copied(v, "demo")
		return func() int64 {
			job, err := v.Jobs.Restore(v.Ctx, "demo", from.ID)
			v.Must(err)
			return job.ID
		}
	})
}

// survivesANode kills the node that restores the site demo to what save has kept of it, with the job that the function from save begins.
// The site stays as it is, and another node restores it.
func survivesANode(v *kit.Vault, save func(*kit.Vault) (begin func() int64)) {
	v.T.Helper()
	paths := fill(v, "demo")
	before := contents(v, "demo", paths)
	begin := save(v)
	spoil(v, paths)
	spoiled := contents(v, "demo", lists)
	job := begin()
	dies(v.Node(&kit.Hooks{Blob: func(int) { runtime.Goexit() }}))
	if diff := cmp.Diff(spoiled, contents(v, "demo", lists)); diff != "" {
		v.T.Errorf("the site isn't whole:\n%s", diff)
	}
	lapse(v)
	ends(v.Kit, job, "done", "")
	if diff := cmp.Diff(before, contents(v, "demo", paths)); diff != "" {
		v.T.Errorf("answers differ:\n%s", diff)
	}
}

// A site goes back to copies of its own only, and only the provider asks for it.
func TestRollBackToForeignCopy(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Site("two")
	foreign := copied(v, "two")
	running, err := v.Jobs.Export(v.Ctx, "demo", 1)
	v.Must(err)
	for _, id := range []int64{foreign.ID, running.ID, 999_999} {
		if _, err := v.Jobs.Restore(v.Ctx, "demo", id); !errors.Is(err, jobs.ErrNoArchive) {
			t.Errorf("%d: %v", id, err)
		}
	}
	if _, err := v.Jobs.Restore(t.Context(), "demo", foreign.ID); err == nil {
		t.Error("anybody may go back")
	}
	if list, err := v.Jobs.Copies(v.Ctx, "demo"); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

// Those whom a copy knows sign in with the codes of their apps as before: nobody gets in with a password alone.
func TestRollBackKeepsSecondFactors(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	from := copied(v, "demo")
	v.Peek("demo", `WITH a AS (INSERT INTO second_factors (site_id, user_id, secret, last_step, codes, created_at)
		SELECT site_id, id, 'x', 0, '{}', now() FROM users ORDER BY id LIMIT 1 RETURNING 1) SELECT count(*)::text FROM a`)
	job, err := v.Jobs.Restore(v.Ctx, "demo", from.ID)
	v.Must(err)
	ends(v.Kit, job.ID, "done", "")
	if n := v.Peek("demo", "SELECT count(*)::text FROM second_factors"); n != "1" {
		t.Errorf("%s apps for codes are left", n)
	}
}
