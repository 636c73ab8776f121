package accounts_test

import (
	"fmt"
	"testing"

	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/test/sitetest"
)

// Of two who use a passkey with the same count one gets in: a copy of it is noticed. One that doesn't count is used again and again.
func TestPasskeyCounts(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t).Site(t, "one")
	keys := s.DB.Passkeys()
	for _, c := range []struct {
		stored, sent uint32
		want         bool
	}{{0, 0, true}, {0, 1, true}, {5, 6, true}, {5, 5, false}, {5, 4, false}, {5, 0, false}, {0, 4294967295, true}, {4294967295, 4294967295, false}} {
		p := &accounts.Passkey{ID: hash(fmt.Sprint(c.stored, "-", c.sent)), UserID: 1, Name: "p", SignCount: c.stored, Data: []byte("{}"), Created: sitetest.Noon}
		_, err := keys.Create(s.Ctx, p)
		s.Must(err)
		p.SignCount, p.LastUsed = c.sent, sitetest.Noon
		on, err := keys.Use(s.Ctx, p)
		s.Must(err)
		s.Equal(fmt.Sprint(c.sent, " after ", c.stored), on, c.want)
		got, _, err := keys.Find(s.Ctx, p.ID)
		s.Must(err)
		s.Equal("used", !got.LastUsed.IsZero(), c.want)
	}
	free, err := keys.Create(s.Ctx, &accounts.Passkey{ID: hash("0-0"), UserID: 2, Data: []byte("{}"), Created: sitetest.Noon})
	s.Must(err)
	s.Equal("a second of one ID", free, false)
	got, u, err := keys.Find(s.Ctx, hash("0-0"))
	s.Must(err)
	s.Equal("is whose it was", []any{got.UserID, u.ID}, []any{int64(1), int64(1)})
}

// The last passkey of somebody who can't do without is kept; another one, or that of somebody else, doesn't change that.
func TestLastPasskey(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t).Site(t, "one")
	keys := s.DB.Passkeys()
	add := func(user int64, name string) {
		s.Helper()
		_, err := keys.Create(s.Ctx, &accounts.Passkey{ID: hash(name), UserID: user, Name: name, Data: []byte("{}"), Created: sitetest.Noon})
		s.Must(err)
	}
	add(1, "a")
	add(2, "other")
	s.Refuses(keys.Delete(s.Ctx, 1, hash("a"), false), "passkey", "problem.passkey.last")
	s.Wants(keys.Delete(s.Ctx, 1, hash("other"), false), accounts.ErrNoPasskey)
	s.Wants(keys.Delete(s.Ctx, 3, hash("none"), false), accounts.ErrNoPasskey)
	add(1, "b")
	s.Must(keys.Delete(s.Ctx, 1, hash("a"), false))
	s.Refuses(keys.Delete(s.Ctx, 1, hash("b"), false), "passkey", "problem.passkey.last")
	s.Must(keys.Delete(s.Ctx, 1, hash("b"), true))
	s.Wants(keys.Delete(s.Ctx, 1, hash("b"), true), accounts.ErrNoPasskey)
	s.Must(keys.Rename(s.Ctx, 2, hash("other"), "other"))
	s.Equal("named as it is", s.Rows(`SELECT count(*)::text FROM changes WHERE kind = 'passkey' AND action = 'update'`), []string{"0"})
	s.Wants(keys.Rename(s.Ctx, 1, hash("other"), "mine"), accounts.ErrNoPasskey)
	s.Must(keys.Rename(s.Ctx, 2, hash("other"), "new"))
	s.Equal("told", s.Rows(`SELECT before::text FROM changes WHERE kind = 'passkey' AND action = 'update'`), []string{`{"name": "other"}`})
}
