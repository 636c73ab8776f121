package platform

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/jobs"

	"github.com/kalends/kalends/test/kit"
)

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// job returns a job as the interface shows it now.
func job(k *kit.Kit, id int64) kit.Answer {
	k.T.Helper()
	return k.ProviderRequest("GET", fmt.Sprintf("/jobs/%d", id)).Want(k.T, 200, "")
}

// ends has the jobs done, and wants this one to end so.
func ends(k *kit.Kit, id int64, state, code string) kit.Answer {
	k.T.Helper()
	k.Work()
	a := job(k, id)
	problem, _ := a.Body["problem"].(map[string]any)
	if got, _ := problem["code"].(string); a.Body["state"] != state || got != code {
		k.T.Errorf("job %d: %s, want it %s %s", id, a, state, code)
	}
	return a
}

// shelved returns how many files the shelf has, whole or begun.
func shelved(v *kit.Vault) int { return countFiles(v.T, v.ShelfDir) }

// TestJobsRoundTrip: a site that is exported, deleted and imported over HTTP gives
// the same bytes as before.
func TestJobsRoundTrip(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	paths := fill(v, "demo")
	before := v.View("demo", paths)
	id := v.ProviderRequest("POST", "/sites/demo/exports").Started(t)
	v.ProviderRequest("POST", "/sites/demo/exports").Want(t, 409, "export_under_way")
	v.ProviderRequest("GET", fmt.Sprintf("/jobs/%d/archive", id)).Want(t, 404, "job_without_archive")
	done := ends(v.Kit, id, "done", "")
	made, _ := done.Body["archive"].(map[string]any)
	if done.Body["progress"] != 1.0 || made["url"] != fmt.Sprintf("http://localhost/platform/v1/jobs/%d/archive", id) {
		t.Errorf("done: %s", done)
	}
	data := v.ProviderRequest("GET", fmt.Sprintf("/jobs/%d/archive", id)).Want(t, 200, "")
	if data.Header.Get("Content-Type") != "application/zip" || float64(len(data.Raw)) != made["bytes"] ||
		data.Header.Get("ETag") != fmt.Sprintf("%q", made["sha256"]) || !strings.Contains(data.Header.Get("Content-Disposition"), "demo-2029") {
		t.Errorf("%d bytes, %v", len(data.Raw), data.Header)
	}

	_, err := v.Platform.Sites.Delete(v.Ctx, "demo", kit.AtOnce())
	v.Must(err)
	id = v.ProviderRequest("POST", "/imports", kit.Sending(data.Raw)).Started(t)
	if a := ends(v.Kit, id, "done", ""); a.Body["site_url"] != "http://localhost/platform/v1/sites/demo" || a.Body["progress"] != 1.0 {
		t.Errorf("imported: %s", a)
	}
	if diff := cmp.Diff(before, v.View("demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	if n := shelved(v); n != 1 {
		t.Errorf("%d files are kept beside the archive of the export", n-1)
	}
	var list []string
	for _, e := range v.ProviderRequest("GET", "/audit?per_page=2").Body["entries"].([]any) {
		entry := e.(map[string]any)
		list = append(list, fmt.Sprintf("%v %v %v %v", entry["action"], entry["object"], entry["via"], entry["who"]))
	}
	if got := fmt.Sprint(list); !strings.HasPrefix(got, "[import demo provider ") {
		t.Errorf("history: %s", got)
	}
	if got := v.ProviderRequest("GET", "/audit?action=export").Body["entries"].([]any); len(got) != 1 {
		t.Errorf("exports in the history: %v", got)
	}
}

// TestJobsImportAs: another slug, name and domain; what is wrong with them is said.
func TestJobsImportAs(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	data := v.Export("demo")
	id := v.ProviderRequest("POST", "/imports?slug=copy&name=The+Copy&domains=copy.example.org,b.example.org", kit.Sending(data)).Started(t)
	ends(v.Kit, id, "done", "")
	site := v.ProviderRequest("GET", "/sites/copy").Want(t, 200, "")
	if site.Body["name"] != "The Copy" || fmt.Sprint(site.Body["domains"]) != "[b.example.org copy.example.org]" {
		t.Errorf("imported %s", site)
	}
	for query, arg := range map[string]string{"slug=No+Slug": "slug", "slug=": "slug", "name=": "name", "name=" + strings.Repeat("x", 1001): "name"} {
		a := v.ProviderRequest("POST", "/imports?"+query, kit.Sending(data)).Want(t, 400, "rest_invalid_param")
		if a.Params()[arg] == nil {
			t.Errorf("%s: %s", query, a)
		}
	}
	for query, arg := range map[string]string{"": "slug", "slug=copy": "slug", "slug=x&domains=copy.example.org": "domains", "slug=y&domains=*.org": "domains"} {
		a := ends(v.Kit, v.ProviderRequest("POST", "/imports?"+query, kit.Sending(data), header("Accept-Language", "de")).Started(t), "failed", "rest_invalid_param")
		problem, _ := a.Body["problem"].(map[string]any)
		inside, _ := problem["data"].(map[string]any)
		params, _ := inside["params"].(map[string]any)
		if text, _ := params[arg].(string); text == "" || strings.HasPrefix(text, "problem.") {
			t.Errorf("%s: %s", query, a)
		}
	}
	v.ProviderRequest("GET", "/sites/x").Want(t, 404, "rest_site_not_found")
	if n := shelved(v); n != 0 {
		t.Errorf("%d files are left", n)
	}
}

// TestJobsRefused: what is no archive, or a broken one, is refused, at once or by
// the job, and leaves nothing.
func TestJobsRefused(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	sites := v.ProviderRequest("GET", "/sites").Body["total"]
	for about, c := range map[string]struct {
		data   []byte
		kind   string
		status int
		code   string
	}{
		"nothing":           {nil, "application/zip", 400, "archive_unknown"},
		"no zip":            {[]byte(strings.Repeat("no zip ", 1000)), "application/zip", 400, "archive_unknown"},
		"cut off":           {data[:len(data)-1000], "application/zip", 400, "archive_unknown"},
		"another zip":       {otherZip(t), "application/zip", 400, "archive_unknown"},
		"too new":           {remanifest(t, data, `"format": 1`, `"format": 2`), "application/zip", 400, "archive_too_new"},
		"another kind":      {remanifest(t, data, `"kind": "site"`, `"kind": "installation"`), "application/zip", 400, "archive_unknown"},
		"too large to send": {make([]byte, 8<<20+1), "application/zip", 413, "rest_content_too_large"},
		"a form":            {data, "multipart/form-data; boundary=x", 400, "rest_bad_request"},
		"no type":           {data, "", 400, "rest_bad_request"},
	} {
		a := v.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(c.data), header("Content-Type", c.kind))
		if a.Status != c.status || a.Code() != c.code {
			t.Errorf("%s: %s, want %d %s", about, a, c.status, c.code)
		}
		if !a.Close {
			t.Errorf("%s: the connection goes on behind a body that may not be read", about)
		}
	}
	ends(v.Kit, v.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(harmed(t, data))).Started(t), "failed", "archive_damaged")
	v.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(data), header("Authorization", "Bearer wrong")).Want(t, 401, "rest_invalid_credentials")
	v.ProviderRequest("POST", "/imports?slug=copy", kit.Sending(data), header("Authorization", "")).Want(t, 401, "rest_forbidden")
	if got := v.ProviderRequest("GET", "/sites").Body["total"]; got != sites {
		t.Errorf("%v sites, before %v", got, sites)
	}
	if list := v.ProviderRequest("GET", "/jobs").Body["total"]; list != 1.0 {
		t.Errorf("%v jobs, only the damaged one was taken in", list)
	}
	if n := shelved(v); n != 0 {
		t.Errorf("%d files are left", n)
	}
}

// harmed returns an archive with another byte in the content of its largest member.
func harmed(t testing.TB, data []byte) []byte {
	t.Helper()
	packed, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	largest := packed.File[0]
	for _, f := range packed.File {
		if f.CompressedSize64 > largest.CompressedSize64 {
			largest = f
		}
	}
	at, err := largest.DataOffset()
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Clone(data)
	broken[at+int64(largest.CompressedSize64/2)] ^= 0xff
	return broken
}

// otherZip is a zip that is no archive.
func otherZip(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if _, err := w.Create("readme.txt"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// remanifest returns an archive that says something else of itself.
func remanifest(t testing.TB, data []byte, old, now string) []byte {
	t.Helper()
	packed, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range packed.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name == "manifest.json" {
			if !bytes.Contains(content, []byte(old)) {
				t.Fatalf("the manifest has no %s: %.200s", old, content)
			}
			content = bytes.Replace(content, []byte(old), []byte(now), 1)
		}
		to, err := w.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestJobsRanges: who was interrupted goes on where they were.
func TestJobsRanges(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	id := v.ProviderRequest("POST", "/sites/demo/exports").Started(t)
	v.Work()
	path := fmt.Sprintf("/jobs/%d/archive", id)
	whole := v.ProviderRequest("GET", path).Want(t, 200, "")
	n := len(whole.Raw)
	for about, c := range map[string]struct {
		spec, unless  string
		status        int
		content, said string
	}{
		"a part":             {"bytes=10-19", "", 206, string(whole.Raw[10:20]), fmt.Sprintf("bytes 10-19/%d", n)},
		"the rest":           {fmt.Sprintf("bytes=%d-", n-5), "", 206, string(whole.Raw[n-5:]), fmt.Sprintf("bytes %d-%d/%d", n-5, n-1, n)},
		"the last":           {"bytes=-7", "", 206, string(whole.Raw[n-7:]), fmt.Sprintf("bytes %d-%d/%d", n-7, n-1, n)},
		"more than there is": {fmt.Sprintf("bytes=%d-%d", n-3, n+100), "", 206, string(whole.Raw[n-3:]), fmt.Sprintf("bytes %d-%d/%d", n-3, n-1, n)},
		"same tag":           {"bytes=0-0", whole.Header.Get("ETag"), 206, "P", fmt.Sprintf("bytes 0-0/%d", n)},
		"another tag":        {"bytes=0-0", `"another"`, 200, string(whole.Raw), ""},
		"several":            {"bytes=0-0,5-6", "", 200, string(whole.Raw), ""},
		"nonsense":           {"bytes=x-y", "", 200, string(whole.Raw), ""},
		"backwards":          {"bytes=9-3", "", 200, string(whole.Raw), ""},
	} {
		a := v.ProviderRequest("GET", path, header("Range", c.spec), header("If-Range", c.unless))
		if a.Status != c.status || string(a.Raw) != c.content || a.Header.Get("Content-Range") != c.said {
			t.Errorf("%s: %d, %d bytes, %q", about, a.Status, len(a.Raw), a.Header.Get("Content-Range"))
		}
	}
	a := v.ProviderRequest("GET", path, header("Range", fmt.Sprintf("bytes=%d-", n))).Want(t, 416, "rest_range_not_satisfiable")
	if a.Header.Get("Content-Range") != fmt.Sprintf("bytes */%d", n) {
		t.Errorf("beyond the end: %q", a.Header.Get("Content-Range"))
	}
	if a := v.ProviderRequest("GET", path, header("If-None-Match", whole.Header.Get("ETag"))); a.Status != 304 || len(a.Raw) != 0 {
		t.Errorf("unchanged: %d", a.Status)
	}
	if a := v.ProviderRequest("HEAD", path); a.Status != 200 || len(a.Raw) != 0 || a.Header.Get("Content-Length") != fmt.Sprint(n) {
		t.Errorf("head: %d %v", a.Status, a.Header)
	}
}

// TestJobsLists: jobs are listed and filtered, cancelled, forgotten, and purged
// after a day with their archives. Sites that take no writes are exported too.
func TestJobsLists(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Site("other")
	for _, state := range []string{"read_only", "closed"} {
		v.Send(kit.Request{Method: "PATCH", Path: "//platform/v1/sites/other", As: "Bearer " + kit.ProviderToken, JSON: map[string]any{"state": state}}).Want(t, 200, "")
		ends(v.Kit, v.ProviderRequest("POST", "/sites/other/exports").Started(t), "done", "")
	}
	waiting := v.ProviderRequest("POST", "/sites/demo/exports").Started(t)
	for query, want := range map[string]float64{"": 3, "kind=export": 3, "kind=import": 0, "state=queued": 1, "state=done&site=other": 2, "site=none": 0} {
		if a := v.ProviderRequest("GET", "/jobs?per_page=2&"+query).Want(t, 200, ""); a.Body["total"] != want {
			t.Errorf("%s: %s", query, a)
		}
	}
	if a := v.ProviderRequest("GET", "/jobs?per_page=2&kind=export"); a.Body["next_rest_url"] != "http://localhost/platform/v1/jobs/?per_page=2&kind=export&page=2" {
		t.Errorf("next: %s", a)
	}
	if a := v.ProviderRequest("GET", "/jobs?per_page=100&page=2&kind=export").Want(t, 200, ""); len(a.Body["jobs"].([]any)) != 0 ||
		a.Body["previous_rest_url"] != "http://localhost/platform/v1/jobs/?per_page=50&kind=export" {
		t.Errorf("more than fifty a page: %s", a)
	}
	v.ProviderRequest("GET", "/jobs?state=gone").Want(t, 400, "rest_invalid_param")
	if a := v.ProviderRequest("DELETE", fmt.Sprintf("/jobs/%d", waiting)).Want(t, 200, ""); a.Body["state"] != "cancelled" || a.Body["finished"] == nil {
		t.Errorf("cancelled: %s", a)
	}
	ends(v.Kit, waiting, "cancelled", "")
	v.ProviderRequest("DELETE", fmt.Sprintf("/jobs/%d", waiting)).Want(t, 200, "")
	v.ProviderRequest("GET", fmt.Sprintf("/jobs/%d", waiting)).Want(t, 404, "rest_job_not_found")
	v.ProviderRequest("DELETE", fmt.Sprintf("/jobs/%d", waiting)).Want(t, 404, "rest_job_not_found")
	v.ProviderRequest("GET", "/jobs/0").Want(t, 404, "rest_job_not_found")
	v.ProviderRequest("POST", "/sites/none/exports").Want(t, 404, "rest_site_not_found")
	if n := shelved(v); n != 2 {
		t.Errorf("%d archives, 2 exports are done", n)
	}
	v.Clock = v.Clock.Add(23 * time.Hour)
	v.Must(v.Jobs.Purge(v.Ctx))
	if n := shelved(v); n != 2 {
		t.Errorf("%d archives after 23 hours", n)
	}
	v.Clock = v.Clock.Add(time.Hour)
	v.Must(v.Jobs.Purge(v.Ctx))
	if total := v.ProviderRequest("GET", "/jobs").Body["total"]; shelved(v) != 0 || total != 0.0 {
		t.Errorf("after a day %d archives, %v jobs", shelved(v), total)
	}
}

// TestJobsBelongToTheProvider: nobody else sees or starts one.
func TestJobsBelongToTheProvider(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	for _, ctx := range []context.Context{t.Context(), user(v, "demo", 1)} {
		_, list := v.Jobs.List(ctx, &jobs.Filter{})
		_, get := v.Jobs.Get(ctx, 1)
		_, cancel := v.Jobs.Cancel(ctx, 1)
		_, export := v.Jobs.Export(ctx, "demo", 1)
		_, bring := v.Jobs.Import(ctx, strings.NewReader("x"), &jobs.ImportFields{})
		_, _, open := v.Jobs.Open(ctx, 1)
		for i, err := range []error{list, get, cancel, export, bring, open} {
			if !errors.Is(err, tenancy.ErrUnauthenticated) && !errors.Is(err, tenancy.ErrForbidden) {
				t.Errorf("call %d: %v", i, err)
			}
		}
	}
}
