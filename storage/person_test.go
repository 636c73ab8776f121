package storage

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/eventtest"
)

// TestErasePerson: a person leaves the submissions and the history of one site, and nobody else does; what was done, and when, stays. It
// can be repeated, and finds who was a user.
func TestErasePerson(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	second := k.NewSite("two")
	for _, site := range []int64{k.Site, second} {
		k.Exec(site, `UPDATE users SET login = 'ann', login_key = 'ann', email = 'Ann@example.org', email_key = 'ann@example.org', name = 'Ann Apple' WHERE site_id = $1 AND id = 2`, site)
		k.Exec(site, `INSERT INTO sessions (site_id, id, user_id, seal, csrf, created_at, last_seen_at, expires_at, address, user_agent)
			VALUES ($1, 'x', 2, 'sealed', 'token', now(), now(), now(), '203.0.113.7', 'Browser')`, site)
		k.Exec(site, `INSERT INTO changes (site_id, version, kind, id, n, action, user_id, at, who, via, via_name, address, before) VALUES
			($1, 900, 'event', 7, 0, 'update', 2, now(), 'ann', 'api', 'Ann''s laptop', '203.0.113.7', '{"title": "Was"}'),
			($1, 901, 'user', 2, 0, 'update', 1, now(), 'boss', '', '', '203.0.113.9', '{"email": "old@example.org", "name": "Ann Pear", "role": "editor"}'),
			($1, 902, 'event', 7, 0, 'update', 3, now(), 'bob', '', '', '203.0.113.8', '{"title": "Is"}')`, site)
	}
	k.Ctx = k.As(k.Site, 1)
	event := k.Event(eventtest.Titled("Fair"))
	for _, email := range []string{"ann@example.org", "bob@example.org"} {
		k.Exec(k.Site, `INSERT INTO unconfirmed_submissions (site_id, id, email, client, sent, created_at, expires_at)
			VALUES ($1, $2::text::bytea, $2, '', '{"title": "Waits", "name": "Sender"}', now(), now())`, k.Site, email)
	}
	k.Exec(k.Site, `INSERT INTO submissions (site_id, event_id, id, email, sent, proved, created_at, message)
		VALUES ($1, $2, 'x', 'ann@example.org', '{"title": "Fair", "name": "Ann Apple", "email": "Ann@example.org", "note": "Call me"}', true, now(), 'Dear Ann')`, k.Site, event.ID)
	k.Exec(k.Site, `INSERT INTO changes (site_id, version, kind, id, n, action, user_id, at, who, address) VALUES ($1, 903, 'event', $2, 0, 'update', 0, now(), 'Ann Apple', '203.0.113.7')`,
		k.Site, event.ID)

	held, err := k.db.Person(k.Ctx, "ANN@example.org")
	k.Must(err)
	for part, want := range map[string]string{"accounts": "Ann Apple", "sessions": "203.0.113.7", "history": "Ann's laptop", "submissions": "Call me", "unconfirmed_submissions": "Waits"} {
		if len(held[part]) == 0 || !strings.Contains(string(held[part][0])+string(held[part][len(held[part])-1]), want) {
			t.Errorf("%s: %s", part, held[part])
		}
	}
	for part, list := range held {
		for _, one := range list {
			if strings.Contains(string(one), "sealed") || strings.Contains(string(one), "bob") {
				t.Errorf("%s has %s", part, one)
			}
		}
	}
	_, err = k.db.Users().Delete(k.Ctx, 2, func(*tenancy.User, int) error { return nil })
	k.Must(err)
	for range 2 {
		_, err := k.db.ErasePerson(k.Ctx, "ann@example.org")
		k.Must(err)
	}
	all := strings.Join(k.Column(`
		SELECT c::text FROM changes c WHERE c.site_id = $1
		UNION ALL SELECT s::text FROM submissions s WHERE s.site_id = $1
		UNION ALL SELECT u::text FROM unconfirmed_submissions u WHERE u.site_id = $1
		UNION ALL SELECT u::text FROM users u WHERE u.site_id = $1
		UNION ALL SELECT s::text FROM sessions s WHERE s.site_id = $1`, k.Site), "\n")
	for _, gone := range []string{"Ann", "ann", "Call me", "203.0.113.7", "Pear", "old@example.org"} {
		if strings.Contains(all, gone) {
			t.Errorf("%s is still there:\n%s", gone, all)
		}
	}
	for _, there := range []string{"bob@example.org", "203.0.113.8", "bob", `""title"": ""Was""`, "boss", "editor", "Fair"} {
		if !strings.Contains(all, there) {
			t.Errorf("%s is gone:\n%s", there, all)
		}
	}
	k.Site, k.Ctx = second, k.As(second, 1)
	if other, err := k.db.Person(k.Ctx, "ann@example.org"); err != nil || len(other["accounts"]) != 1 || len(other["history"]) != 2 {
		t.Errorf("the person of another site: %v %s", err, other)
	}
}
