package storage

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/tenancy"
)

// TestErasePerson: a person leaves the submissions and the history of one site, and nobody else does; what was done, and when, stays. It
// can be repeated, and finds who was a user.
func TestErasePerson(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	second := k.newSite("two")
	for _, site := range []int64{k.site, second} {
		k.exec(site, `UPDATE users SET login = 'ann', login_key = 'ann', email = 'Ann@example.org', email_key = 'ann@example.org', name = 'Ann Apple' WHERE site_id = $1 AND id = 2`, site)
		k.exec(site, `INSERT INTO sessions (site_id, id, user_id, seal, csrf, created_at, last_seen_at, expires_at, address, user_agent)
			VALUES ($1, 'x', 2, 'sealed', 'token', now(), now(), now(), '203.0.113.7', 'Browser')`, site)
		k.exec(site, `INSERT INTO changes (site_id, version, kind, id, n, action, user_id, at, who, via, via_name, address, before) VALUES
			($1, 900, 'event', 7, 0, 'update', 2, now(), 'ann', 'api', 'Ann''s laptop', '203.0.113.7', '{"title": "Was"}'),
			($1, 901, 'user', 2, 0, 'update', 1, now(), 'boss', '', '', '203.0.113.9', '{"email": "old@example.org", "name": "Ann Pear", "role": "editor"}'),
			($1, 902, 'event', 7, 0, 'update', 3, now(), 'bob', '', '', '203.0.113.8', '{"title": "Is"}')`, site)
	}
	k.ctx = k.as(k.site, 1)
	event := k.event(titled("Fair"))
	for _, email := range []string{"ann@example.org", "bob@example.org"} {
		k.exec(k.site, `INSERT INTO unconfirmed_submissions (site_id, id, email, client, sent, created_at, expires_at)
			VALUES ($1, $2::text::bytea, $2, '', '{"title": "Waits", "name": "Sender"}', now(), now())`, k.site, email)
	}
	k.exec(k.site, `INSERT INTO submissions (site_id, event_id, id, email, sent, proved, created_at, message)
		VALUES ($1, $2, 'x', 'ann@example.org', '{"title": "Fair", "name": "Ann Apple", "email": "Ann@example.org", "note": "Call me"}', true, now(), 'Dear Ann')`, k.site, event.ID)
	k.exec(k.site, `INSERT INTO changes (site_id, version, kind, id, n, action, user_id, at, who, address) VALUES ($1, 903, 'event', $2, 0, 'update', 0, now(), 'Ann Apple', '203.0.113.7')`,
		k.site, event.ID)

	held, err := k.db.Person(k.ctx, "ANN@example.org")
	k.must(err)
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
	_, err = k.db.Users().Delete(k.ctx, 2, func(*tenancy.User, int) error { return nil })
	k.must(err)
	for range 2 {
		_, err := k.db.ErasePerson(k.ctx, "ann@example.org")
		k.must(err)
	}
	all := strings.Join(k.column(`
		SELECT c::text FROM changes c WHERE c.site_id = $1
		UNION ALL SELECT s::text FROM submissions s WHERE s.site_id = $1
		UNION ALL SELECT u::text FROM unconfirmed_submissions u WHERE u.site_id = $1
		UNION ALL SELECT u::text FROM users u WHERE u.site_id = $1
		UNION ALL SELECT s::text FROM sessions s WHERE s.site_id = $1`, k.site), "\n")
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
	k.site, k.ctx = second, k.as(second, 1)
	if other, err := k.db.Person(k.ctx, "ann@example.org"); err != nil || len(other["accounts"]) != 1 || len(other["history"]) != 2 {
		t.Errorf("the person of another site: %v %s", err, other)
	}
}
