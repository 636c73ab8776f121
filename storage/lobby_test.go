package storage

import (
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy/accounts"
)

// crowd makes sites beside the kit's; somebody has an account on each fifth, and
// a password on each tenth.
func (k *kit) crowd(sites string) {
	k.Helper()
	k.outside(`
		DO $$
		DECLARE
		    one bigint;
		BEGIN
		    SET LOCAL citus.propagate_set_commands = 'local'; -- to workers, where there are some
		    FOR n IN 1..` + sites + ` LOOP
		        INSERT INTO sites (slug, name, timezone, language) VALUES ('crowd-' || n, n, 'UTC', 'en') RETURNING id INTO one;
		        EXECUTE format('SET LOCAL kalends.site = %L', one);
		        INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role, password_hash)
		        VALUES (one, 1, 'other', 'other', 'other@example.org', 'other@example.org', '', 'author', 'hash');
		        IF n % 5 = 0 THEN
		            INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role, password_hash, created_at)
		            VALUES (one, 2, 'me', 'me', 'Me@example.org', 'me@example.org', '', 'author',
		                CASE WHEN n % 10 = 0 THEN 'hash ' || n ELSE '' END, '2027-01-01'::timestamptz + n * interval '1 minute');
		        END IF;
		    END LOOP;
		END
		$$`)
}

func TestLobbyFindsAccounts(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.crowd("510")
	desk, err := k.db.Lobby().Desk(t.Context())
	k.must(err)
	k.equal("the oldest site", desk, k.site)
	find := func(email string, most int) (slugs []string) {
		t.Helper()
		list, err := k.db.Lobby().Accounts(t.Context(), email, most)
		k.must(err)
		for _, a := range list {
			slugs = append(slugs, a.Slug)
			k.equal("whose it is", a.User.Login+" "+a.User.PasswordHash, "me hash "+a.Slug[len("crowd-"):])
		}
		return slugs
	}
	all := find("me@example.org", 1000)
	k.equal("accounts with a password", len(all), 51)
	k.equal("the newest first", all[:2], []string{"crowd-510", "crowd-500"})
	k.equal("not more than asked for", find("me@example.org", 2), all[:2])
	k.equal("nobody", len(find("nobody@example.org", 8)), 0)
	last := all[50]
	list, err := k.db.Lobby().Accounts(t.Context(), "me@example.org", 1000)
	k.must(err)
	site := list[slices.IndexFunc(list, func(a accounts.Account) bool { return a.Slug == last })].SiteID
	k.must(k.db.Sessions().Create(k.as(site, 2), &accounts.Session{Hash: []byte("x"), UserID: 2, Created: monday, LastSeen: monday,
		Expires: monday.Add(time.Hour)}))
	k.equal("that used last", find("me@example.org", 1), []string{last})
}

// What looking costs where an installation has many sites.
func BenchmarkLobby(b *testing.B) {
	k := newKit(b)
	k.crowd("2000")
	for b.Loop() {
		_, err := k.db.Lobby().Accounts(b.Context(), "me@example.org", 8)
		k.must(err)
	}
}
