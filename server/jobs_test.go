package server_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/jobs"
	"github.com/kalends/kalends/tenancy"
)

// provide is a request of the provider.
func (k *kit) provide(method, path string, more ...func(*http.Request)) answer {
	k.t.Helper()
	req := httptest.NewRequest(method, "/platform/v1"+path, nil)
	req.Host = "localhost"
	req.Header.Set("Authorization", "Bearer "+providerToken)
	for _, change := range more {
		change(req)
	}
	res, err := k.app.Test(req, -1)
	k.must(err)
	defer func() { _ = res.Body.Close() }()
	return k.read(res)
}

// sending has an archive sent.
func sending(data []byte) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
		r.Header.Set("Content-Type", "application/zip")
	}
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// work does the jobs that are there.
func (k *kit) work() {
	k.t.Helper()
	for {
		worked, err := k.jobs.Work(context.Background())
		k.must(err)
		if !worked {
			return
		}
	}
}

// job returns a job as the interface shows it now.
func (k *kit) job(id int64) answer {
	k.t.Helper()
	return k.provide("GET", fmt.Sprintf("/jobs/%d", id)).want(k.t, 200, "")
}

// started wants a job, and returns its number.
func (a answer) started(t testing.TB) int64 {
	t.Helper()
	a.want(t, 202, "")
	if at := fmt.Sprintf("http://localhost/platform/v1/jobs/%d", a.id()); a.Header.Get("Location") != at || a.Body["state"] != "queued" {
		t.Errorf("started at %q: %s", a.Header.Get("Location"), a)
	}
	return a.id()
}

// ends has the jobs done, and wants this one to end so.
func (k *kit) ends(id int64, state, code string) answer {
	k.t.Helper()
	k.work()
	a := k.job(id)
	problem, _ := a.Body["problem"].(map[string]any)
	if got, _ := problem["code"].(string); a.Body["state"] != state || got != code {
		k.t.Errorf("job %d: %s, want it %s %s", id, a, state, code)
	}
	return a
}

// shelved returns how many files the shelf has, whole or begun.
func (v *vault) shelved() int { return countFiles(v.t, v.shelfDir) }

// TestJobsRoundTrip: a site that is exported, deleted and imported over HTTP gives
// the same bytes as before.
func TestJobsRoundTrip(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	paths := v.fill("demo")
	before := v.view("demo", paths)
	id := v.provide("POST", "/sites/demo/exports").started(t)
	v.provide("POST", "/sites/demo/exports").want(t, 409, "export_under_way")
	v.provide("GET", fmt.Sprintf("/jobs/%d/archive", id)).want(t, 404, "job_without_archive")
	done := v.ends(id, "done", "")
	made, _ := done.Body["archive"].(map[string]any)
	if done.Body["progress"] != 1.0 || made["url"] != fmt.Sprintf("http://localhost/platform/v1/jobs/%d/archive", id) {
		t.Errorf("done: %s", done)
	}
	data := v.provide("GET", fmt.Sprintf("/jobs/%d/archive", id)).want(t, 200, "")
	if data.Header.Get("Content-Type") != "application/zip" || float64(len(data.Raw)) != made["bytes"] ||
		data.Header.Get("ETag") != fmt.Sprintf("%q", made["sha256"]) || !strings.Contains(data.Header.Get("Content-Disposition"), "demo-2029") {
		t.Errorf("%d bytes, %v", len(data.Raw), data.Header)
	}

	_, err := v.platform.Sites.Delete(v.ctx, "demo", atOnce())
	v.must(err)
	id = v.provide("POST", "/imports", sending(data.Raw)).started(t)
	if a := v.ends(id, "done", ""); a.Body["site_url"] != "http://localhost/platform/v1/sites/demo" || a.Body["progress"] != 1.0 {
		t.Errorf("imported: %s", a)
	}
	if diff := cmp.Diff(before, v.view("demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	if n := v.shelved(); n != 1 {
		t.Errorf("%d files are kept beside the archive of the export", n-1)
	}
	var list []string
	for _, e := range v.provide("GET", "/audit?per_page=2").Body["entries"].([]any) {
		entry := e.(map[string]any)
		list = append(list, fmt.Sprintf("%v %v %v %v", entry["action"], entry["object"], entry["via"], entry["who"]))
	}
	if got := fmt.Sprint(list); !strings.HasPrefix(got, "[import demo provider ") {
		t.Errorf("history: %s", got)
	}
	if got := v.provide("GET", "/audit?action=export").Body["entries"].([]any); len(got) != 1 {
		t.Errorf("exports in the history: %v", got)
	}
}

// TestJobsImportAs: another slug, name and domain; what is wrong with them is said.
func TestJobsImportAs(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	data := v.export("demo")
	id := v.provide("POST", "/imports?slug=copy&name=The+Copy&domains=copy.example.org,b.example.org", sending(data)).started(t)
	v.ends(id, "done", "")
	site := v.provide("GET", "/sites/copy").want(t, 200, "")
	if site.Body["name"] != "The Copy" || fmt.Sprint(site.Body["domains"]) != "[b.example.org copy.example.org]" {
		t.Errorf("imported %s", site)
	}
	for query, arg := range map[string]string{"slug=No+Slug": "slug", "slug=": "slug", "name=": "name", "name=" + strings.Repeat("x", 1001): "name"} {
		a := v.provide("POST", "/imports?"+query, sending(data)).want(t, 400, "rest_invalid_param")
		if a.params()[arg] == nil {
			t.Errorf("%s: %s", query, a)
		}
	}
	for query, arg := range map[string]string{"": "slug", "slug=copy": "slug", "slug=x&domains=copy.example.org": "domains", "slug=y&domains=*.org": "domains"} {
		a := v.ends(v.provide("POST", "/imports?"+query, sending(data), header("Accept-Language", "de")).started(t), "failed", "rest_invalid_param")
		problem, _ := a.Body["problem"].(map[string]any)
		inside, _ := problem["data"].(map[string]any)
		params, _ := inside["params"].(map[string]any)
		if text, _ := params[arg].(string); text == "" || strings.HasPrefix(text, "problem.") {
			t.Errorf("%s: %s", query, a)
		}
	}
	v.provide("GET", "/sites/x").want(t, 404, "rest_site_not_found")
	if n := v.shelved(); n != 0 {
		t.Errorf("%d files are left", n)
	}
}

// TestJobsRefused: what is no archive, or a broken one, is refused, at once or by
// the job, and leaves nothing.
func TestJobsRefused(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.fill("demo")
	data := v.export("demo")
	sites := v.provide("GET", "/sites").Body["total"]
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
		a := v.provide("POST", "/imports?slug=copy", sending(c.data), header("Content-Type", c.kind))
		if a.Status != c.status || a.code() != c.code {
			t.Errorf("%s: %s, want %d %s", about, a, c.status, c.code)
		}
		if !a.Close {
			t.Errorf("%s: the connection goes on behind a body that may not be read", about)
		}
	}
	v.ends(v.provide("POST", "/imports?slug=copy", sending(harmed(t, data))).started(t), "failed", "archive_damaged")
	v.provide("POST", "/imports?slug=copy", sending(data), header("Authorization", "Bearer wrong")).want(t, 401, "rest_invalid_credentials")
	v.provide("POST", "/imports?slug=copy", sending(data), header("Authorization", "")).want(t, 401, "rest_forbidden")
	if got := v.provide("GET", "/sites").Body["total"]; got != sites {
		t.Errorf("%v sites, before %v", got, sites)
	}
	if list := v.provide("GET", "/jobs").Body["total"]; list != 1.0 {
		t.Errorf("%v jobs, only the damaged one was taken in", list)
	}
	if n := v.shelved(); n != 0 {
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
	v := newVault(t)
	id := v.provide("POST", "/sites/demo/exports").started(t)
	v.work()
	path := fmt.Sprintf("/jobs/%d/archive", id)
	whole := v.provide("GET", path).want(t, 200, "")
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
		a := v.provide("GET", path, header("Range", c.spec), header("If-Range", c.unless))
		if a.Status != c.status || string(a.Raw) != c.content || a.Header.Get("Content-Range") != c.said {
			t.Errorf("%s: %d, %d bytes, %q", about, a.Status, len(a.Raw), a.Header.Get("Content-Range"))
		}
	}
	a := v.provide("GET", path, header("Range", fmt.Sprintf("bytes=%d-", n))).want(t, 416, "rest_range_not_satisfiable")
	if a.Header.Get("Content-Range") != fmt.Sprintf("bytes */%d", n) {
		t.Errorf("beyond the end: %q", a.Header.Get("Content-Range"))
	}
	if a := v.provide("GET", path, header("If-None-Match", whole.Header.Get("ETag"))); a.Status != 304 || len(a.Raw) != 0 {
		t.Errorf("unchanged: %d", a.Status)
	}
	if a := v.provide("HEAD", path); a.Status != 200 || len(a.Raw) != 0 || a.Header.Get("Content-Length") != fmt.Sprint(n) {
		t.Errorf("head: %d %v", a.Status, a.Header)
	}
}

// TestJobsLists: jobs are listed and filtered, cancelled, forgotten, and purged
// after a day with their archives. Sites that take no writes are exported too.
func TestJobsLists(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.site("other")
	for _, state := range []string{"read_only", "closed"} {
		v.send(request{Method: "PATCH", Path: "//platform/v1/sites/other", As: "Bearer " + providerToken, JSON: map[string]any{"state": state}}).want(t, 200, "")
		v.ends(v.provide("POST", "/sites/other/exports").started(t), "done", "")
	}
	waiting := v.provide("POST", "/sites/demo/exports").started(t)
	for query, want := range map[string]float64{"": 3, "kind=export": 3, "kind=import": 0, "state=queued": 1, "state=done&site=other": 2, "site=none": 0} {
		if a := v.provide("GET", "/jobs?per_page=2&"+query).want(t, 200, ""); a.Body["total"] != want {
			t.Errorf("%s: %s", query, a)
		}
	}
	if a := v.provide("GET", "/jobs?per_page=2&kind=export"); a.Body["next_rest_url"] != "http://localhost/platform/v1/jobs/?per_page=2&kind=export&page=2" {
		t.Errorf("next: %s", a)
	}
	if a := v.provide("GET", "/jobs?per_page=100&page=2&kind=export").want(t, 200, ""); len(a.Body["jobs"].([]any)) != 0 ||
		a.Body["previous_rest_url"] != "http://localhost/platform/v1/jobs/?per_page=50&kind=export" {
		t.Errorf("more than fifty a page: %s", a)
	}
	v.provide("GET", "/jobs?state=gone").want(t, 400, "rest_invalid_param")
	if a := v.provide("DELETE", fmt.Sprintf("/jobs/%d", waiting)).want(t, 200, ""); a.Body["state"] != "cancelled" || a.Body["finished"] == nil {
		t.Errorf("cancelled: %s", a)
	}
	v.ends(waiting, "cancelled", "")
	v.provide("DELETE", fmt.Sprintf("/jobs/%d", waiting)).want(t, 200, "")
	v.provide("GET", fmt.Sprintf("/jobs/%d", waiting)).want(t, 404, "rest_job_not_found")
	v.provide("DELETE", fmt.Sprintf("/jobs/%d", waiting)).want(t, 404, "rest_job_not_found")
	v.provide("GET", "/jobs/0").want(t, 404, "rest_job_not_found")
	v.provide("POST", "/sites/none/exports").want(t, 404, "rest_site_not_found")
	if n := v.shelved(); n != 2 {
		t.Errorf("%d archives, 2 exports are done", n)
	}
	v.clock = v.clock.Add(23 * time.Hour)
	v.must(v.jobs.Purge(v.ctx))
	if n := v.shelved(); n != 2 {
		t.Errorf("%d archives after 23 hours", n)
	}
	v.clock = v.clock.Add(time.Hour)
	v.must(v.jobs.Purge(v.ctx))
	if total := v.provide("GET", "/jobs").Body["total"]; v.shelved() != 0 || total != 0.0 {
		t.Errorf("after a day %d archives, %v jobs", v.shelved(), total)
	}
}

// TestJobsBelongToTheProvider: nobody else sees or starts one.
func TestJobsBelongToTheProvider(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	for _, ctx := range []context.Context{t.Context(), v.user("demo", 1)} {
		_, list := v.jobs.List(ctx, &jobs.Filter{})
		_, get := v.jobs.Get(ctx, 1)
		_, cancel := v.jobs.Cancel(ctx, 1)
		_, export := v.jobs.Export(ctx, "demo")
		_, bring := v.jobs.Import(ctx, strings.NewReader("x"), &jobs.ImportFields{})
		_, _, open := v.jobs.Open(ctx, 1)
		for i, err := range []error{list, get, cancel, export, bring, open} {
			if !errors.Is(err, tenancy.ErrUnauthenticated) && !errors.Is(err, tenancy.ErrForbidden) {
				t.Errorf("call %d: %v", i, err)
			}
		}
	}
}
