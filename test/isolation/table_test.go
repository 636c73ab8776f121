package isolation

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/api"
	platformapi "github.com/kalends/kalends/api/platform"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// TestIsolation requests every route of the API, the pages, the administration and the provider's interface on the
// first site as every caller, with ids and slugs of the second, and prints the results as a table. A leak is a
// response that shows the second site, distinguishes a foreign id from a nonexistent one, or changes the second site.
func TestIsolation(t *testing.T) {
	if testing.Short() {
		t.Skip("walks a few thousand requests")
	}
	t.Parallel()
	k := kit.New(t)
	w := &tour{k: k, two: k.SecondSite(), nowhere: &kit.Sample{IDs: map[string]int64{}, Slugs: map[string]string{}}}
	for resource := range w.two.IDs {
		w.nowhere.IDs[resource], w.nowhere.Slugs[resource] = 77777, "nowhere-"+resource
	}
	w.nowhere.Slugs["image"] = ""
	k.Write("demo", "en", "de", "fr")
	k.Clock = time.Now() // both sides of a comparison are made at one time
	w.fillTwo()
	visitors := w.visitors() // who sign in on the second site too,
	k.As("two", "reader")    // or have a key of it
	before := sums(k, "two")
	w.walkAPI()
	w.walkPages(visitors)
	w.walkPlatform()
	w.walkRest()
	w.walkWordPress()
	w.covers()
	if after := sums(k, "two"); after != before {
		w.leaks++
		t.Errorf("the second site changed:\n%s\nbefore:\n%s", after, before)
	}
	w.report()
}

// tour is one walk over all routes.
type tour struct {
	k            *kit.Kit
	two, nowhere *kit.Sample
	foreignUser  int64
	rows         []*tourRow
	requests     int
	leaks        int
	filled       int // tables of the second site that hold something
}

// tourRow is what one route answered, by caller.
type tourRow struct {
	method, path string
	statuses     map[string][]int
}

// walkers are the columns of the table. "other" has a session or key of the second site's administrator, "provider" a
// provider token.
func walkers() []string { return append(kit.Callers(), "other", "provider") }

func (w *tour) row(method, path string) *tourRow {
	row := &tourRow{method, path, map[string][]int{}}
	w.rows = append(w.rows, row)
	return row
}

// asked notes an answer, and a leak when it shows the second site.
func (w *tour) asked(row *tourRow, caller string, status int, body []byte) {
	w.requests++
	if !slices.Contains(row.statuses[caller], status) {
		row.statuses[caller] = append(row.statuses[caller], status)
	}
	if bytes.Contains(body, []byte(kit.Marker)) {
		w.leaks++
		w.k.T.Errorf("%s %s as %q shows the other site: %d %s", row.method, row.path, caller, status, body)
	}
}

// fillTwo puts something of the second site into the tables that twins leaves
// empty.
func (w *tour) fillTwo() {
	k := w.k
	k.PasswordOn("two", "administrator")
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.Sites["two"])
	k.Must(err)
	user, _, err := k.Platform.Users.Create(ctx, &accounts.UserFields{Login: args.Some("zwilling"), Name: args.Some(kit.Marker + " Mensch"),
		Email: args.Some(args.Email("zwilling@example.org")), Role: args.Some("editor")})
	k.Must(err)
	w.foreignUser = user.ID
	w.two.IDs["user"], w.nowhere.IDs["user"] = user.ID, 77777
	k.Exec(`UPDATE sites SET translations = '{"de": {"links": "Zwilling | https://example.org"}}' WHERE id = $1`, k.Sites["two"].ID)
	k.Write("two", "en", "de", "fr")
	for _, sql := range []string{
		`INSERT INTO drafts (site_id, user_id, kind, id, form, base, at) VALUES ($1, $2, 'event', 0, '{"title": ["Zwilling Entwurf"]}', 0, now())`,
		`INSERT INTO passkeys (site_id, id, user_id, name, sign_count, data, created_at) VALUES ($1, 'x', $2, 'Zwilling Schlüssel', 0, '', now())`,
		`INSERT INTO sign_in_providers (site_id, issuer, client_id, secret, claim, groups, others, passwords, changed_at)
			SELECT $1, 'http://127.0.0.1:1/Zwilling', 'Zwilling', '', 'groups', '{}', '', true, now() WHERE $2 > 0`,
		`INSERT INTO sign_in_identities (site_id, issuer, subject, user_id, created_at) VALUES ($1, 'http://127.0.0.1:1/Zwilling', 'Zwilling', $2, now())`,
		`INSERT INTO second_factors (site_id, user_id, secret, last_step, codes, created_at) VALUES ($1, $2, 'Zwilling', 0, '{}', now())`,
		`INSERT INTO sessions (site_id, id, user_id, seal, csrf, created_at, last_seen_at, expires_at)
			VALUES ($1, 'x', $2, '', '', now(), now(), now() + interval '1 day')`,
		`INSERT INTO vouchers (site_id, id, user_id, kind, seal, created_at, expires_at) VALUES ($1, 'x', $2, 'reset', '', now(), now() + interval '1 day')`,
		`INSERT INTO redirects (site_id, kind, slug, id) SELECT $1, 'event', 'zwilling-war', id FROM events WHERE site_id = $1 AND $2 > 0 LIMIT 1`,
		`INSERT INTO translated_slugs (site_id, kind, slug, language, id)
			SELECT $1, 'event', 'zwilling-heißt', 'de', id FROM events WHERE site_id = $1 AND $2 > 0 LIMIT 1`,
		`UPDATE images SET translations = '{"de": {"title": "Zwilling Bild"}}' WHERE site_id = $1 AND $2 > 0`,
		`UPDATE terms SET translations = '{"de": {"title": "Zwilling Wort"}}' WHERE site_id = $1 AND $2 > 0`,
		`UPDATE venues SET translations = '{"de": {"title": "Zwilling Ort", "slug": "zwilling-place"}}' WHERE site_id = $1 AND $2 > 0`,
		`UPDATE organizers SET translations = '{"de": {"title": "Zwilling Leute"}}' WHERE site_id = $1 AND $2 > 0`,
		`UPDATE events SET languages = '{de}', translations = '{"de": {"title": "Zwilling Titel", "seo_title": "Zwilling Suche"}}',
			seo_title = 'Zwilling Fund' WHERE site_id = $1 AND $2 > 0`,
		`INSERT INTO previews (site_id, event_id, token, made_by, made_at, expires_at)
			SELECT $1, id, 'ZWILLING', $2, now(), now() + interval '100 years' FROM events WHERE site_id = $1 LIMIT 1`,
		`INSERT INTO submissions (site_id, event_id, id, email, sent, proved, created_at)
			SELECT $1, id, 'x', '', '{"title": "Zwilling", "name": "Zwilling"}', true, now() FROM events WHERE site_id = $1 AND $2 > 0 LIMIT 1`,
		`INSERT INTO reports (site_id, id, event_id, date_id, day, said, email, email_key, network, created_at)
			SELECT $1, 'x', id, 0, '', 'Zwilling', '', '', '', now() FROM events WHERE site_id = $1 AND $2 > 0 LIMIT 1`,
		`INSERT INTO unconfirmed_submissions (site_id, id, email, client, sent, created_at, expires_at)
			SELECT $1, 'x', '', '', '{"title": "Zwilling"}', now(), now() + interval '1 day' WHERE $2 > 0`,
		`INSERT INTO removed_occurrences (site_id, series_id, original_start, id, removed_at)
			SELECT $1, id, now(), 66666, now() FROM events WHERE site_id = $1 AND $2 > 0 LIMIT 1`,
		`INSERT INTO former_dates (site_id, series_id, original_start, id)
			SELECT $1, id, now(), 66667 FROM events WHERE site_id = $1 AND $2 > 0 LIMIT 1`,
		`INSERT INTO divided_series (site_id, series_id, from_start, heir_id)
			SELECT $1, id, now(), id FROM events WHERE site_id = $1 AND $2 > 0 LIMIT 1`,
		`INSERT INTO challenges (site_id, id, data, expires_at) SELECT $1, 'x', 'Zwilling', now() + interval '1 day' WHERE $2 > 0`,
		`INSERT INTO attempts (site_id, id, full_at) SELECT $1, 'x', now() WHERE $2 > 0`,
		`INSERT INTO forms (site_id, id, at) SELECT $1, 'x', now() WHERE $2 > 0`,
		`INSERT INTO domain_claims (site_id, domain, token, created_at) SELECT $1, 'zwilling.example.net', 'Zwilling', now() WHERE $2 > 0`,
		`INSERT INTO kept_answers (site_id, id, fingerprint, role, at, body) SELECT $1, 'x', '', '', now(), 'Zwilling' WHERE $2 > 0`,
		`INSERT INTO selections (site_id, key, kind, looked, asked_at)
			SELECT $1, '00000000-0000-0000-0000-000000000001', 'event', 1, now() WHERE $2 > 0`,
		`INSERT INTO selected_objects (site_id, key, id, came, changed, at)
			SELECT $1, '00000000-0000-0000-0000-000000000001', 66668, 1, 1, now() WHERE $2 > 0`,
		`INSERT INTO imports (site_id, id, state, name, shown, created_at)
			SELECT $1, 66669, 'done', 'Zwilling', 'https://zwilling.example', now() WHERE $2 > 0`,
		`INSERT INTO import_files (site_id, import_id, n, data) SELECT $1, 66669, 0, 'Zwilling' WHERE $2 > 0`,
		`INSERT INTO import_entries (site_id, import_id, number, result, title) SELECT $1, 66669, 1, 'same', 'Zwilling' WHERE $2 > 0`,
		`INSERT INTO import_made (site_id, import_id, kind, id) SELECT $1, 66669, 'venue', 66670 WHERE $2 > 0`,
		`INSERT INTO import_identities (site_id, source, uid, event_id, place, digest, said)
			SELECT $1, 'x', 'x', id, 'x', 'x', '{"title": "Zwilling"}' FROM events WHERE site_id = $1 AND $2 > 0 LIMIT 1`,
		`INSERT INTO import_brought (site_id, source, kind, was, id, said, version)
			SELECT $1, 'x', 'venue', 1, 66670, '{"venue": "Zwilling"}', 1 WHERE $2 > 0`,
		`INSERT INTO import_columns (site_id, header, columns, at) SELECT $1, 'x', '{"Zwilling": "title"}', now() WHERE $2 > 0`,
		`INSERT INTO sources (site_id, id, version, name, kind, shown, page, sealed, known, every, policy, gone, user_id, home, created_at)
			SELECT $1, 66669, 1, 'Zwilling', 'ics', 'https://zwilling.example/a.ics', 'https://zwilling.example', '', 'x', 3600, 'update', 'cancel', $2, '',
			now()`,
		`INSERT INTO webhooks (site_id, id, version, url, events, payload, home, user_id, secrets, seen_version, created_at, deliveries)
			SELECT $1, 66669, 1, 'https://example.org/Zwilling', '{*}', 'thin', '', $2, '[]', 1, now(), 1`,
		`INSERT INTO webhook_messages (site_id, webhook_id, kind, object, message, event, fresh, leaves, version, at, planned_at, due_at)
			SELECT $1, 66669, 'event', 1, 'Zwilling', 'event.updated', false, false, 1, now(), now(), now() WHERE $2 > 0`,
		`INSERT INTO webhook_deliveries (site_id, webhook_id, id, message, event, kind, object, version, changed_at, try, at, took, request,
			status, answer, problem) SELECT $1, 66669, 1, 'Zwilling', 'event.updated', 'event', 1, 1, now(), 1, now(), 0, '{}', 200, 'Zwilling', ''
			WHERE $2 > 0`,
		`INSERT INTO webhook_rounds (site_id, looked, due_at) SELECT $1, 1, now() WHERE $2 > 0`,
		`INSERT INTO letter_subscriptions (site_id, id, email, email_key, language, period, home, created_at, confirmed_at, issue_at)
			SELECT $1, 66669, 'zwilling@example.org', 'zwilling@example.org', 'en', 'daily', 'https://zwilling.example', now(), now(), now() WHERE $2 > 0`,
		`INSERT INTO letter_months (site_id, month, sent) SELECT $1, '2020-01-01', 66671 WHERE $2 > 0`,
		`INSERT INTO event_numbers (site_id, event_id, day, views) SELECT $1, e.id, '2020-01-01', 66673 FROM events e WHERE e.site_id = $1 AND $2 > 0 LIMIT 1`,
		`INSERT INTO site_numbers (site_id, day, letters) SELECT $1, '2020-01-01', 66672 WHERE $2 > 0`,
		`INSERT INTO letter_rounds (site_id, due_at) SELECT $1, 'infinity' WHERE $2 > 0`,
		`INSERT INTO attention_rounds (site_id) SELECT $1 WHERE $2 > 0 ON CONFLICT (site_id) DO UPDATE SET looked = 1`,
		`INSERT INTO gatherings (site_id, source_id, giver_id) SELECT $1, 66669, 0 WHERE $2 > 0`,
		`INSERT INTO domains (domain, site_id) VALUES ('zwilling.example.org', CASE WHEN $2 > 0 THEN $1::bigint END)`,
		`INSERT INTO schedule (site_id, kind, id, due_at) SELECT $1, 'event', $2, now() + interval '1 year'`,
	} {
		k.Peek("two", sql+` RETURNING site_id::text`, k.Sites["two"].ID, user.ID)
	}
	w.nowhere.IDs["submission"], w.nowhere.IDs["import"], w.two.IDs["import"] = 77777, 77777, 66669
	w.two.IDs["webhook"], w.nowhere.IDs["webhook"] = 66669, 77777
	w.two.IDs["source"], w.nowhere.IDs["source"] = 66669, 77777
	w.two.Slugs["field"], w.nowhere.Slugs["field"] = "zwilling_field", "nowhere_field"
	made := k.Send(kit.Request{Method: "POST", Path: "/fields", Site: "two", As: k.As("two", "administrator"), JSON: kit.Object{"key": "zwilling_field", "label": "Zwilling", "kind": "text"}})
	made.Want(k.T, 201, "")
	w.two.IDs["submission"], err = strconv.ParseInt(k.Peek("two", `SELECT event_id::text FROM submissions`), 10, 64)
	k.Must(err)
	w.two.Slugs["redirect"], w.nowhere.Slugs["redirect"] = "zwilling-war", "nowhere-redirect"
	for line := range strings.Lines(sums(k, "two")) {
		if _, sum, _ := strings.Cut(line, " "); !strings.HasPrefix(sum, "0 ") {
			w.filled++
		} else {
			k.T.Errorf("nothing of the second site in %s: put something there", line)
		}
	}
}

// visitors are browsers on the first site: anonymous, every user of the site, and the second site's administrator.
func (w *tour) visitors() map[string]*kit.Browser {
	k := w.k
	list := map[string]*kit.Browser{"": k.Browser()}
	for _, role := range tenancy.Roles() {
		list[string(role)] = k.Person(string(role))
		list[string(role)].Get("/admin/profile")
	}
	other := k.Browser()
	other.Host = "two.localhost"
	if p := other.SignIn("administrator", kit.AdminPassword); p.Status != http.StatusSeeOther {
		k.T.Fatalf("sign in on the second site: %d %s", p.Status, p.Body)
	}
	if p := other.Get("/admin/events"); !p.Shows(kit.Marker) {
		k.T.Fatalf("the second site's administrator doesn't see their own: %d", p.Status)
	}
	other.Host = "localhost"
	list["other"] = other
	return list
}

// walkPages visits every page with foreign ids and slugs, in the address and in
// the form. What ends a session comes last.
func (w *tour) walkPages(visitors map[string]*kit.Browser) {
	pages := web.New(web.Config{Calendar: w.k.Calendar, Platform: w.k.Platform}).Pages()
	last := func(p ui.Page) int {
		return strings.Index("  /admin/logout", p.Path) // behind the others, which are -1
	}
	slices.SortStableFunc(pages, func(a, b ui.Page) int { return last(a) - last(b) })
	console := w.k.Console()
	for _, p := range pages {
		row := w.row(p.Method, p.Path)
		if frame.Console(p.Path) {
			w.visitConsole(row, console)
		}
		for _, caller := range slices.Sorted(maps.Keys(visitors)) {
			w.visit(row, caller, visitors[caller])
		}
	}
}

// visit opens a page, or sends its form, with what is foreign and with what is
// nowhere.
func (w *tour) visit(row *tourRow, caller string, b *kit.Browser) {
	forms := []url.Values{nil}
	if row.method == http.MethodPost {
		forms = []url.Values{{"do": {"save"}}, {"do": {"delete"}, "sure": {"1"}}, {"do": {"merge"}, "sure": {"1"}}, {"do": {"trash"}}}
	}
	for resource, path := range w.addresses(row.path, w.two) {
		for _, form := range forms {
			unknown := w.open(b, row.method, w.addresses(row.path, w.nowhere)[resource], form, w.nowhere)
			foreign := w.open(b, row.method, path, form, w.two)
			w.asked(row, caller, foreign.Status, []byte(foreign.Body))
			if strings.ContainsAny(row.path, "#:*") && (foreign.Status != unknown.Status || w.plain(foreign) != w.plain(unknown)) {
				w.leaks++
				w.k.T.Errorf("%s %s as %q: foreign %d, nowhere %d\n%s", row.method, path, caller, foreign.Status, unknown.Status,
					cmp.Diff(strings.SplitAfter(w.plain(unknown), ">"), strings.SplitAfter(w.plain(foreign), ">")))
			}
			if strings.Contains(row.path, "#") && foreign.Status == http.StatusOK && caller != "" && caller != "other" {
				w.leaks++
				w.k.T.Errorf("%s %s as %q: there is something", row.method, path, caller)
			}
		}
	}
}

// addresses fills a page's path with each foreign item that may fit, by
// resource.
func (w *tour) addresses(path string, s *kit.Sample) map[string]string {
	list := map[string]string{}
	for resource, id := range s.IDs {
		if slot.MatchString(path) && (resource == "image" || resource == "user") {
			continue
		}
		filled := strings.NewReplacer("#", strconv.FormatInt(id, 10), ":month", "2030-01", ":day", "2030-01-01", ":file", "none.css").Replace(path)
		filled = slot.ReplaceAllString(filled, s.Slugs[resource])
		list[resource] = filled
		if !strings.ContainsAny(path, "#:*") {
			return map[string]string{"": filled}
		}
	}
	if strings.Contains(path, ":slug") {
		list["redirect"] = slot.ReplaceAllString(path, s.Slugs["redirect"])
	}
	return list
}

// slot is where a slug goes.
var slot = regexp.MustCompile(`:slug|\*`)

// open sends a page's form filled with the ids of a sample, or asks for it.
func (w *tour) open(b *kit.Browser, method, path string, form url.Values, s *kit.Sample) kit.Page {
	if method == http.MethodGet {
		return b.Get(path)
	}
	id := func(resource string) []string { return []string{strconv.FormatInt(s.IDs[resource], 10)} }
	filled := url.Values{"csrf": {b.Cookies["csrf"]}, "title": {"Own"}, "name": {"Own"}, "venue": id("venue"), "organizer": id("organizer"),
		"category": id("category"), "categories": id("category"), "tags": id("tag"), "tag": id("tag"), "image": id("image"), "post_parent": id("event"),
		"parent": id("category"), "author": id("user"), "user": id("user"), "start_date": {"2030-01-01"}, "end_date": {"2030-01-01"},
		"into": id("event"), "keep": id("venue"), "event": id("event"), "version": {"1"}, "of": id("event"), "credential": id("user")}
	for _, resource := range slices.Sorted(maps.Keys(s.IDs)) {
		filled["id"] = append(filled["id"], id(resource)...)
		filled["ids"] = append(filled["ids"], id(resource)...)
	}
	maps.Copy(filled, form)
	return b.Post(path, filled)
}

// plain returns a page without what may differ: tokens and the requested address.
func (w *tour) plain(p kit.Page) string {
	text := p.Body + p.Header.Get("Location")
	for _, s := range []*kit.Sample{w.two, w.nowhere} {
		for resource, id := range s.IDs {
			text = strings.ReplaceAll(text, strconv.FormatInt(id, 10), "ID")
			if s.Slugs[resource] != "" {
				text = strings.ReplaceAll(text, s.Slugs[resource], "SLUG")
			}
		}
		text = strings.ReplaceAll(text, s.Slugs["redirect"], "SLUG")
	}
	return withoutTokens(text)
}

// withoutTokens returns a text without its words of 16 letters or more. A regular expression took ten times as long.
func withoutTokens(text string) string {
	var out strings.Builder
	word := 0 // where the current one begins
	for at, c := range []byte(text + "\n") {
		if c == '_' || c == '-' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' {
			continue
		}
		if at-word < 16 {
			out.WriteString(text[word:at])
		}
		out.WriteByte(c)
		word = at + 1
	}
	return out.String()
}

// walkPlatform asks the provider's interface: no site's credentials open it, and
// with the provider's token the second site's ids are nowhere on the first.
func (w *tour) walkPlatform() {
	k, t := w.k, w.k.T
	routes := platformapi.New(k.Platform, nil, "localhost", func(string) bool { return true }).Routes()
	for _, r := range routes {
		for _, method := range r.Methods {
			row := w.row(method, api.PlatformNamespace+r.Path)
			ask := func(as string, s *kit.Sample) kit.Answer {
				path := strings.NewReplacer("{slug}", "demo", "{id}", strconv.FormatInt(s.IDs["user"], 10),
					"{domain}", "zwilling.example.org", "{name}", "unlimited").Replace(row.path)
				req := kit.Request{Method: method, Path: "/" + slot.ReplaceAllString(path, "x"), As: as}
				if method != http.MethodGet {
					req.JSON = map[string]any{}
				}
				return k.Send(req)
			}
			for _, caller := range append(kit.Callers(), "other") {
				as := k.As("demo", caller)
				if caller == "other" {
					as = k.As("two", "reader")
				}
				a := ask(as, w.two)
				w.asked(row, caller, a.Status, a.Raw)
				if a.Status < 400 && r.Resource != "" {
					w.leaks++
					t.Errorf("%s %s as %q: %s", method, row.path, caller, a)
				}
			}
			if method != http.MethodGet && !strings.Contains(r.Path, "{id}") {
				continue // the provider may change sites, and would
			}
			a := ask("Bearer "+kit.ProviderToken, w.two)
			if r.Path == "/gatherings" { // what all sites give each other
				a.Raw = nil
			}
			w.asked(row, "provider", a.Status, a.Raw)
			if strings.Contains(r.Path, "{id}") && (a.Status != http.StatusNotFound || a.String() != ask("Bearer "+kit.ProviderToken, w.nowhere).String()) {
				w.leaks++
				t.Errorf("%s %s of the second site on the first: %s", method, row.path, a)
			}
		}
	}
}

// report prints the table.
func (w *tour) report() {
	fmt.Printf("%-7s%-46s", "", "the first site asked for the second's")
	for _, caller := range walkers() {
		if caller == "" {
			caller = "nobody"
		}
		fmt.Printf("%-9.8s", caller)
	}
	fmt.Println()
	for _, row := range w.rows {
		fmt.Printf("%-7s%-46s", row.method, row.path)
		for _, caller := range walkers() {
			statuses := row.statuses[caller]
			slices.Sort(statuses)
			text := strings.Trim(strings.ReplaceAll(fmt.Sprint(statuses), " ", "/"), "[]")
			if len(text) > 8 {
				text = text[:3] + ".." + text[len(text)-3:]
			}
			fmt.Printf("%-9s", text)
		}
		fmt.Println()
	}
	fmt.Printf("isolation: %d requests on %d routes as %d callers, with %d tables of the other site filled: %d leaks\n",
		w.requests, len(w.rows), len(walkers()), w.filled, w.leaks)
}
