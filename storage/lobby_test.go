package storage

import (
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
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

// Only sites that have an account of the address are asked: triggers follow changes of addresses, and what isn't noted isn't found.
func TestLobbyFollowsAddresses(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	two := k.newSite("two")
	k.exec(two, `UPDATE users SET password_hash = 'hash', email = 'Ann@x.org', email_key = 'ann@x.org' WHERE site_id = $1 AND id = 2`, two)
	found := func(email string) int {
		t.Helper()
		list, err := k.db.Lobby().Accounts(t.Context(), email, 9)
		k.must(err)
		return len(list)
	}
	k.equal("a changed address", []int{found("2"), found("ann@x.org")}, []int{0, 1})
	k.exec(two, `DELETE FROM user_addresses WHERE site_id = $1 AND user_id = 2`, two)
	k.equal("on a site that isn't asked", found("ann@x.org"), 0)
	k.exec(two, `UPDATE users SET name = 'Ann' WHERE site_id = $1 AND id = 2`, two)
	k.equal("noted with the next change", found("ann@x.org"), 1)
	k.exec(two, `DELETE FROM users WHERE site_id = $1 AND id = 2`, two)
	k.in(two, func(tx pgx.Tx) error {
		sql, err := storagetest.Placed(k.Context(), tx, two, `SELECT count(*) FROM user_addresses WHERE site_id = $1`)
		k.must(err)
		var left int
		k.must(tx.QueryRow(k.Context(), sql, two).Scan(&left))
		k.equal("addresses left", left, 2)
		return nil
	})
	k.equal("deleted", found("ann@x.org"), 0)
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
