package storage

import (
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/eventtest"
)

// crowd makes sites beside the kit's; somebody has an account on each fifth, and
// a password on each tenth.
func (k *kit) crowd(sites string) {
	k.Helper()
	k.Outside(`
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
	k.Must(err)
	k.Equal("the oldest site", desk, k.Site)
	find := func(email string, most int) (slugs []string) {
		t.Helper()
		list, err := k.db.Lobby().Accounts(t.Context(), email, most)
		k.Must(err)
		for _, a := range list {
			slugs = append(slugs, a.Slug)
			k.Equal("whose it is", a.User.Login+" "+a.User.PasswordHash, "me hash "+a.Slug[len("crowd-"):])
		}
		return slugs
	}
	all := find("me@example.org", 1000)
	k.Equal("accounts with a password", len(all), 51)
	k.Equal("the newest first", all[:2], []string{"crowd-510", "crowd-500"})
	k.Equal("not more than asked for", find("me@example.org", 2), all[:2])
	k.Equal("nobody", len(find("nobody@example.org", 8)), 0)
	last := all[50]
	list, err := k.db.Lobby().Accounts(t.Context(), "me@example.org", 1000)
	k.Must(err)
	site := list[slices.IndexFunc(list, func(a accounts.Account) bool { return a.Slug == last })].SiteID
	k.Must(k.db.Sessions().Create(k.As(site, 2), &accounts.Session{Hash: []byte("x"), UserID: 2, Created: eventtest.Monday, LastSeen: eventtest.Monday,
		Expires: eventtest.Monday.Add(time.Hour)}))
	k.Equal("that used last", find("me@example.org", 1), []string{last})
}

// Only sites that have an account of the address are asked: triggers follow changes of addresses, and what isn't noted isn't found.
func TestLobbyFollowsAddresses(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	two := k.NewSite("two")
	k.Exec(two, `UPDATE users SET password_hash = 'hash', email = 'Ann@x.org', email_key = 'ann@x.org' WHERE site_id = $1 AND id = 2`, two)
	found := func(email string) int {
		t.Helper()
		list, err := k.db.Lobby().Accounts(t.Context(), email, 9)
		k.Must(err)
		return len(list)
	}
	k.Equal("a changed address", []int{found("2"), found("ann@x.org")}, []int{0, 1})
	k.Exec(two, `DELETE FROM user_addresses WHERE site_id = $1 AND user_id = 2`, two)
	k.Equal("on a site that isn't asked", found("ann@x.org"), 0)
	k.Exec(two, `UPDATE users SET name = 'Ann' WHERE site_id = $1 AND id = 2`, two)
	k.Equal("noted with the next change", found("ann@x.org"), 1)
	k.Exec(two, `DELETE FROM users WHERE site_id = $1 AND id = 2`, two)
	k.In(two, func(tx pgx.Tx) error {
		sql, err := storagetest.Placed(k.Context(), tx, two, `SELECT count(*) FROM user_addresses WHERE site_id = $1`)
		k.Must(err)
		var left int
		k.Must(tx.QueryRow(k.Context(), sql, two).Scan(&left))
		k.Equal("addresses left", left, 2)
		return nil
	})
	k.Equal("deleted", found("ann@x.org"), 0)
}

// What looking costs where an installation has many sites.
func BenchmarkLobby(b *testing.B) {
	k := newKit(b)
	k.crowd("2000")
	for b.Loop() {
		_, err := k.db.Lobby().Accounts(b.Context(), "me@example.org", 8)
		k.Must(err)
	}
}
