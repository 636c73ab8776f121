package pg

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"
)

// TestRoles: connections are those of the service's role where theirs may take it,
// and of a role that row-level security binds in any case.
func TestRoles(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	owner := k.owner()
	word := strings.ToLower(rand.Text())
	own := "own_" + word
	_, err := owner.Exec(t.Context(), "CREATE ROLE "+own+" LOGIN PASSWORD '"+word+"'")
	k.must(err)
	t.Cleanup(func() {
		if _, err := owner.Exec(context.WithoutCancel(t.Context()), "DROP ROLE "+own); err != nil {
			t.Error(err)
		}
	})
	as, err := url.Parse(k.url)
	k.must(err)
	as.User = url.UserPassword(own, word)
	for address, want := range map[string]string{k.url: ServiceRole, as.String(): own} {
		db, err := Open(t.Context(), address, Options{MaxConns: 1, Failure: plainly})
		k.must(err)
		var role string
		var bound bool
		k.must(db.pool.QueryRow(t.Context(), `SELECT rolname::text, NOT rolsuper AND NOT rolbypassrls FROM pg_roles WHERE rolname = current_user`).
			Scan(&role, &bound))
		db.Close()
		k.equal("role", role, want)
		k.equal("is bound", bound, true)
	}
}
