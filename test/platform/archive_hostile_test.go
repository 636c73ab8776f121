package platform

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// An archive does not say what it costs to check a password: a hash that costs more than those in service is imported as none, and
// signing in with it takes no longer than without one.
func TestImportedPasswordsCostNoMore(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Password("editor")
	dear := accounts.HashCost{Memory: 64 * 1024, Time: 3, Threads: 1}.Hash(kit.AdminPassword)
	forged := retell(t, v.Export("demo"), "users", nil, func(r map[string]any) {
		if r["role"] == "administrator" {
			r["password_hash"] = dear
		}
	})
	made, err := v.Import(forged, &platform.SiteFields{Slug: args.Some("copy")})
	v.Must(err)
	v.Sites["copy"] = made
	if got := v.Peek("copy", `SELECT string_agg(role || (password_hash = '')::text, ' ' ORDER BY role) FROM users WHERE role IN ('administrator', 'editor')`); got != "administratortrue editorfalse" {
		t.Errorf("imported hashes: %s", got)
	}
}

// Markup in an archive is cleaned as that which is typed, in every table and language; addresses that nobody can have typed are refused.
func TestImportedMarkupIsCleaned(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	const hostile = `<p>Text</p><meta http-equiv="refresh" content="0;url=https://evil.example"><script>x</script><div class="index"><a href="javascript:x">y</a></div>`
	data := v.Export("demo")
	for _, table := range []string{"events", "venues", "organizers", "terms"} {
		data = retell(t, data, table, nil, func(r map[string]any) {
			r["description"] = hostile
			if table != "terms" {
				r["excerpt"] = hostile
			}
			r["translations"] = map[string]any{"de": map[string]any{"title": "T", "description": hostile, "excerpt": hostile}}
		})
	}
	made, err := v.Import(data, &platform.SiteFields{Slug: args.Some("copy")})
	v.Must(err)
	v.Sites["copy"] = made
	for _, table := range []string{"events", "venues", "organizers", "terms"} {
		if got := v.Peek("copy", `SELECT string_agg(to_jsonb(t)::text, '') FROM `+table+` t`); strings.Contains(got, "<meta") || strings.Contains(got, "<script") || strings.Contains(got, "javascript") || strings.Contains(got, "class=") || !strings.Contains(got, "<p>Text</p>") {
			t.Errorf("%s: %.2000s", table, got)
		}
	}
	for table, column := range map[string]string{"events": "website", "venues": "website", "organizers": "website"} {
		bad := retell(t, v.Export("demo"), table, nil, func(r map[string]any) { r[column] = "javascript:alert(1)" })
		if _, err := v.Import(bad, &platform.SiteFields{Slug: args.Some("bad")}); !errors.Is(err, archive.ErrDamaged) {
			t.Errorf("%s: %v", table, err)
		}
	}
}

// odd are values for a column that no request can have written.
var odd = []string{`""`, `"x"`, `-1`, `9223372036854775807`, `{}`, `[]`, `[null]`, `{"en": 1}`, `{"en": {"title": 1}}`, `[{"name": 1}]`, `[{"price": 1e999}]`, `"infinity"`, `"-infinity"`,
	`"0001-01-01T00:00:00"`, `"294276-12-31T23:59:59"`, `"Mars/Olympus"`, `"Local"`, `"../etc/passwd"`, `{"rrule": "FREQ=SECONDLY"}`, `{"rrules": [1]}`, `"a\u0001b"`}

// An archive with an odd row is refused, or all lists of its site can be read: in every column of every table of items, whatever it says.
func TestImportedOddRows(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	data := v.Export("demo")
	began, tried, taken := time.Now(), 0, 0
	for _, table := range []string{"events", "venues", "organizers", "terms", "images", "occurrences"} {
		columns := map[string]bool{}
		retell(t, data, table, nil, func(r map[string]any) {
			for name := range r {
				columns[name] = true
			}
		})
		for column := range columns {
			for i, text := range odd {
				if most := map[bool]int{true: 4, false: 10}[table == "events"]; (i+len(column))%most != 0 { // some of them
					continue
				}
				tried++
				slug := fmt.Sprintf("odd-%d", tried)
				done := false
				forged := retell(t, data, table, nil, func(r map[string]any) {
					if !done {
						r[column], done = json.RawMessage(text), true
					}
				})
				if !done {
					continue
				}
				made, err := v.Import(forged, &platform.SiteFields{Slug: args.Some(slug)})
				if err != nil {
					var problems *args.Problems
					if !errors.Is(err, archive.ErrDamaged) && !errors.As(err, &problems) {
						t.Errorf("%s.%s = %s: %v", table, column, text, err)
					}
					continue
				}
				taken++
				v.Sites[slug], v.Secrets[slug+"/administrator"] = made, v.Secrets["demo/administrator"]
				for _, path := range []string{"/events?start_date=1900-01-01&status=publish,draft,pending,private,future&per_page=50", "/events.ics", "/venues", "/organizers", "/categories", "/tags",
					"//events/", "//events/list/", "//events/2029-06/"} {
					if a := v.Send(kit.Request{Method: "GET", Site: slug, Path: path, As: "administrator"}); a.Status >= 500 {
						t.Errorf("%s.%s = %s: %s is %d", table, column, text, path, a.Status)
						break
					}
				}
				_, err = v.Platform.Sites.Delete(v.Ctx, slug, kit.AtOnce())
				v.Must(err)
			}
		}
	}
	t.Logf("%d archives, %d taken, %s", tried, taken, time.Since(began))
}
