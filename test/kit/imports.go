package kit

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/storage/storagetest"
)

// importer fetches files for imports: from hosts that may be private, and from public ones.
func importer(hosts ...string) *media.Fetcher {
	return media.NewFetcher(media.FetchConfig{AllowHosts: hosts, Secure: true, MaxBytes: reading.MaxBytes, Accept: imports.Accept,
		Timeout: 5 * time.Minute}) // of a busy machine
}

// ImportsFrom has imports run that may read from a private host, and do not wait between two tries.
func (k *Kit) ImportsFrom(host string, waits func(time.Duration)) {
	options := k.importing
	options.Files = importer(host)
	options.Wait = func(ctx context.Context, d time.Duration) error { waits(d); return ctx.Err() }
	k.Imports = imports.New(k.Calendar, k.DB, k.Editing, options)
}

// ImportsAs has imports look up people there.
func (k *Kit) ImportsAs(people imports.People) {
	options := k.importing
	options.People = people
	k.Imports = imports.New(k.Calendar, k.DB, k.Editing, options)
}

// Sent is what a request to import sends.
type Sent struct {
	Name, File string
	As, Site   string // a role; "": editor, on site demo
	Fields     map[string]string
}

// StartImport asks for the import of a file.
func (k *Kit) StartImport(s Sent) Answer {
	k.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range s.Fields {
		k.Must(form.WriteField(name, value))
	}
	if s.Name != "" {
		part, err := form.CreateFormFile("file", s.Name)
		k.Must(err)
		_, err = part.Write([]byte(s.File))
		k.Must(err)
	}
	k.Must(form.Close())
	return k.Send(Request{Method: "POST", Path: "/imports", As: orEditor(s.As), Site: s.Site, Body: body.String(),
		Headers: map[string]string{"Content-Type": form.FormDataContentType()}})
}

func orEditor(role string) string {
	if role == "" {
		return "editor"
	}
	return role
}

// Report is an import with its entries.
type Report struct {
	Answer
	Entries []map[string]any
}

// Counts returns the counts of a report that are not zero, in words: "read 3, created 2, refused 1".
func (r Report) Counts() string {
	counts, _ := r.Body["counts"].(map[string]any)
	var list []string
	for _, name := range []string{"read", "created", "changed", "same", "cancelled", "refused", "warned"} {
		if n, _ := counts[name].(float64); n > 0 {
			list = append(list, fmt.Sprintf("%s %.0f", name, n))
		}
	}
	return strings.Join(list, ", ")
}

// RunImports executes all imports that wait, as a node does: one that it has to leave for a while is looked for again.
func (k *Kit) RunImports() {
	k.T.Helper()
	storagetest.Until(k.T, "imports end", func() (ended bool) {
		for worked := true; worked; {
			var err error
			worked, err = k.Imports.Work(k.T.Context())
			k.Must(err)
		}
		k.Must(k.Owner().QueryRow(k.T.Context(), `SELECT count(*) = 0 FROM sites WHERE imports_due IS NOT NULL`).Scan(&ended))
		return ended
	})
}

// ReportOf returns an import of site demo with its entries.
func (k *Kit) ReportOf(as string, id int64) Report {
	k.T.Helper()
	return k.ReportAt("", as, id)
}

// ReportAt returns an import of a site with its entries.
func (k *Kit) ReportAt(site, as string, id int64) Report {
	k.T.Helper()
	path := "/imports/" + strconv.FormatInt(id, 10)
	r := Report{Answer: k.Send(Request{Method: "GET", Path: path, As: orEditor(as), Site: site}).Want(k.T, 200, "")}
	for page := 1; ; page++ {
		q := url.Values{"per_page": {"500"}, "page": {strconv.Itoa(page)}}
		a := k.Send(Request{Method: "GET", Path: path + "/entries?" + q.Encode(), As: orEditor(as), Site: site}).Want(k.T, 200, "")
		for _, e := range ListOf(a.Body["entries"]) {
			entry, _ := e.(map[string]any)
			r.Entries = append(r.Entries, entry)
		}
		if pages, _ := a.Body["total_pages"].(float64); float64(page) >= pages {
			return r
		}
	}
}

// Import imports a file and returns what became of it.
func (k *Kit) Import(s Sent) Report {
	k.T.Helper()
	a := k.StartImport(s).Want(k.T, 202, "")
	k.RunImports()
	return k.ReportAt(s.Site, s.As, a.ID())
}

// Again sends a request about an import, such as "run" or "undo", and returns what became of that.
func (k *Kit) Again(id int64, what, as string) Report {
	k.T.Helper()
	a := k.Send(Request{Method: "POST", Path: "/imports/" + strconv.FormatInt(id, 10) + "/" + what, As: orEditor(as)}).Want(k.T, 202, "")
	k.RunImports()
	return k.ReportOf(as, a.ID())
}

// Undone undoes an import, and tells wrong of whatever is left of it on a site that had nothing before.
func (k *Kit) Undone(slug string, of Report, wrong func(what string, details ...any)) {
	k.T.Helper()
	a := k.Send(Request{Method: "POST", Path: "/imports/" + strconv.FormatInt(of.ID(), 10) + "/undo", As: "editor", Site: slug}).Want(k.T, 202, "")
	k.RunImports()
	undo := k.ReportAt(slug, "editor", a.ID())
	for _, e := range undo.Entries {
		if e["result"] != "changed" {
			wrong("not undone", e)
		}
	}
	for _, sql := range []string{`SELECT count(*)::text FROM events WHERE site_id = $1 AND status <> 'trash'`,
		`SELECT count(*)::text FROM venues WHERE site_id = $1 AND status <> 'trash'`,
		`SELECT count(*)::text FROM organizers WHERE site_id = $1 AND status <> 'trash'`, `SELECT count(*)::text FROM terms WHERE site_id = $1`,
		`SELECT count(*)::text FROM import_identities WHERE site_id = $1`} {
		if left := k.Peek(slug, sql, k.Sites[slug].ID); left != "0" {
			wrong("undo leaves something", left, " ", sql)
		}
	}
}
