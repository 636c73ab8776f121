package admin

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// stored is everything that is stored of the events of a site, a line for each field,
// but for what each write raises.
func stored(k *kit.Kit) string {
	k.T.Helper()
	return k.Peek("demo", `
		SELECT string_agg(format('%s %s %s', x.id, f.key, f.value), E'\n' ORDER BY x.id, x.kind, f.key)
		FROM (
			SELECT e.id, 'event' AS kind, to_jsonb(e) AS doc FROM events e WHERE e.site_id = $1
			UNION ALL
			SELECT o.id, 'occurrence', to_jsonb(o) FROM occurrences o WHERE o.site_id = $1
		) x, jsonb_each(x.doc) f
		WHERE f.key <> ALL ('{version,modified_at,sequence}')`, k.Sites["demo"].ID)
}

// TestAdminUndoes takes back whatever the administration does to events: everything is
// stored as it was.
func TestAdminUndoes(t *testing.T) {
	t.Parallel()
	c := kit.NewUndoCase(t)
	for _, name := range slices.Sorted(maps.Keys(kit.UndoDeeds)) { // one after the other: each leaves all as it was
		t.Run(name, func(t *testing.T) {
			before := stored(c.K)
			kit.UndoDeeds[name](c)
			c.B.Follow()
			if stored(c.K) == before {
				t.Fatal("nothing was changed")
			}
			c.Counted("done")
			p := c.B.Post(kit.Undoing(c.B))
			if p.Status != http.StatusSeeOther {
				t.Fatalf("undo: %d %.2000s", p.Status, p.Body)
			}
			if p := c.B.Follow(); p.Status != http.StatusOK || !p.Shows("Change undone") || p.Shows(kit.UndoAction) {
				t.Errorf("then %d %s", p.Status, kit.Announced(p))
			}
			c.Counted("undone")
			if after := stored(c.K); after != before {
				t.Errorf("stored is\n%s", kit.Difference(before, after))
			}
		})
	}
}

// TestAdminUndoIsRefused: what somebody else has changed since stays, a date of the
// series too, and the page says so.
func TestAdminUndoIsRefused(t *testing.T) {
	t.Parallel()
	meanwhile := map[string]func(c *kit.UndoCase) string{
		"the series":        func(c *kit.UndoCase) string { return kit.Item("events", c.Series) },
		"one of its dates":  func(c *kit.UndoCase) string { return "/events/" + c.Dates[3] },
		"a date of its own": func(c *kit.UndoCase) string { return "/events/" + c.Dates[4] },
		"the following part": func(c *kit.UndoCase) string {
			return fmt.Sprintf("/events/%v", c.K.Get("/events/"+c.Dates[6], "editor").At("series.id"))
		},
	}
	for name, path := range meanwhile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := kit.NewUndoCase(t)
			kit.UndoDeeds["following"](c)
			c.B.Follow()
			c.K.Patch(path(c), "administrator", kit.Object{"title": "Meanwhile"}).Want(t, 200, "")
			before := stored(c.K)
			if p := c.B.Post(kit.Undoing(c.B)); p.Status != http.StatusSeeOther {
				t.Fatalf("undo: %d", p.Status)
			}
			if p := c.B.Follow(); p.Status != http.StatusOK || !p.Shows("something has changed since") {
				t.Errorf("then %d %.2000s", p.Status, p.Body)
			}
			if after := stored(c.K); after != before {
				t.Errorf("stored is\n%s", kit.Difference(before, after))
			}
		})
	}
	t.Run("twice", func(t *testing.T) {
		t.Parallel()
		c := kit.NewUndoCase(t)
		kit.UndoDeeds["an event"](c)
		c.B.Follow()
		path, form := kit.Undoing(c.B)
		c.B.Post(path, form)
		before := stored(c.K)
		c.B.Post(path, form)
		if c.B.Follow(); !c.B.Page.Shows("something has changed since") || stored(c.K) != before {
			t.Errorf("taken back twice: %.2000s", c.B.Page.Body)
		}
	})
}

// TestAdminUndoIsNotForAll: nobody takes back what they may not change, and nothing is
// what was made up.
func TestAdminUndoIsNotForAll(t *testing.T) {
	t.Parallel()
	c := kit.NewUndoCase(t)
	kit.UndoDeeds["an event"](c)
	c.B.Follow()
	path, form := kit.Undoing(c.B)
	before := stored(c.K)
	other := c.K.Person("contributor")
	other.Get("/admin/events")
	own := kit.FormAt(other.Page, `<form class="language"`)
	own.Set("to", "/admin/events")
	for _, writes := range []string{form.Get("writes"), "", "undo~", "undo~1", "undo~1.1~x", "undo~0.0", "undo~99999999.3", "undo~-1.-1",
		"undo~" + strings.Repeat("1.1~", 200) + "1.1", fmt.Sprintf("undo~%d.1", c.Series)} {
		own.Set("writes", writes)
		if p := other.Post(path, own); p.Status != http.StatusSeeOther && p.Status != http.StatusForbidden {
			t.Errorf("%.40s: %d", writes, p.Status)
		}
		if stored(c.K) != before {
			t.Fatalf("%.40s changed something", writes)
		}
	}
}

// TestKeptValuesAreHidden: what undoing needs of a password is in no page, answer or export.
func TestKeptValuesAreHidden(t *testing.T) {
	t.Parallel()
	c := kit.NewUndoCase(t)
	digest := c.K.Peek("demo", `SELECT encode(e.password, 'base64') FROM events e WHERE e.site_id = $1 AND e.id = $2`, c.K.Sites["demo"].ID, c.Locked)
	kit.UndoDeeds["another password"](c)
	if kept := c.K.Peek("demo", `SELECT string_agg(x.kept ->> 'post_password', ' ') FROM changes x WHERE x.site_id = $1`, c.K.Sites["demo"].ID); !strings.Contains(
		strings.ReplaceAll(digest, "\n", ""), kept) {
		t.Fatalf("kept is %s, the password was %s", kept, digest)
	}
	admin, part := c.K.Person("administrator"), digest[:20]
	for _, path := range []string{"/admin/audit", "/admin/audit?kind=event&open=1", "/admin/audit/export?format=csv", "/admin/audit/export?format=jsonl",
		fmt.Sprintf("/admin/events/%d", c.Locked), fmt.Sprintf("/admin/events/%d/revisions", c.Locked), "/admin/events"} {
		if p := admin.Get(path); p.Status != http.StatusOK || strings.Contains(p.Body, part) || strings.Contains(p.Body, `kept"`) {
			t.Errorf("%s: %d, it may tell the password", path, p.Status)
		}
	}
	for _, path := range []string{"/events", kit.Item("events", c.Locked)} {
		if a := c.K.Get(path, "administrator"); a.Status != http.StatusOK || strings.Contains(string(a.Raw), part) {
			t.Errorf("%s: %d, it may tell the password", path, a.Status)
		}
	}
	if a := c.K.Provider("GET", "/sites/demo/audit?per_page=50", nil); a.Status != http.StatusOK || strings.Contains(string(a.Raw), part) || strings.Contains(string(a.Raw), `"kept"`) {
		t.Errorf("the audit of the platform: %d, it may tell the password", a.Status)
	}
}
