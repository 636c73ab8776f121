package main

import (
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestUsers lists, shows, promotes and deletes the users of a site.
func TestUsers(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var ignored any
	s.must(&ignored, "site", "create", "club", "--name", "Club")
	for _, one := range []string{"ann", "bob"} {
		s.must(&ignored, "user", "create", one, "--site", "club", "--email", one+"@example.org", "--role", "administrator")
	}
	var list []map[string]any
	if s.must(&list, "user", "list", "--site", "club"); len(list) != 2 || list[0]["login"] != "ann" || list[0]["password"] != false {
		t.Errorf("%v", list)
	}
	if s.must(&list, "user", "list", "--site", "club", "--search", "bob@"); len(list) != 1 || list[0]["login"] != "bob" {
		t.Errorf("%v", list)
	}
	var user map[string]any
	if s.must(&user, "user", "role", "bob@example.org", "editor", "--site", "club"); user["role"] != "editor" {
		t.Errorf("%v", user)
	}
	if s.must(&user, "user", "show", "bob", "--site", "club"); user["role"] != "editor" || user["email"] != "bob@example.org" {
		t.Errorf("%v", user)
	}
	s.fails("no code is asked for", "user", "codes-off", "bob", "--site", "club")
	s.appOf("club", "bob")
	if s.must(&user, "user", "show", "bob", "--site", "club"); user["codes"] != true {
		t.Errorf("%v", user)
	}
	if s.must(&user, "user", "codes-off", "bob@example.org", "--site", "club"); user["codes"] != false {
		t.Errorf("%v", user)
	}
	s.fails("no code is asked for", "user", "codes-off", "bob", "--site", "club")
	s.fails("repeat it with --yes", "user", "delete", "bob", "--site", "club")
	s.must(&ignored, "user", "delete", "bob", "--site", "club", "--yes")
	s.fails(`user "bob" of club`, "user", "show", "bob", "--site", "club")
	if _, err := s.run("user", "delete", "ann", "--site", "club", "--yes"); err == nil {
		t.Error("the last administrator was deleted")
	}
	out, err := s.run("user", "list", "--site", "club", "--output", "table")
	if err != nil || !strings.Contains(out, "LOGIN") || !strings.Contains(out, "ann@example.org") || strings.Contains(out, "{") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err = s.run("site", "list", "--output", "table"); err != nil || !strings.Contains(out, "SLUG") || !strings.Contains(out, "club") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err = s.run("completion", "bash"); err != nil || !strings.Contains(out, "complete -o default -F _kalends kalends") ||
		!strings.Contains(out, `"user")`) || !strings.Contains(out, "--platform-domain") {
		t.Errorf("%v\n%s", err, out)
	}
}

// appOf has codes of an app asked for of a user.
func (s *terminal) appOf(site, login string) {
	s.t.Helper()
	db, err := storage.Open(s.t.Context(), s.env["DATABASE_URL"], storage.Options{MaxConns: 1})
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	found, err := db.Sites().BySlug(s.t.Context(), site)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx := tenancy.With(s.t.Context(), tenancy.Scope{Site: found})
	user, err := db.Users().ByLogin(ctx, login)
	if err != nil {
		s.t.Fatal(err)
	}
	if free, err := db.SecondFactors().Create(ctx, &accounts.SecondFactor{UserID: user.ID, Secret: []byte("x"), Codes: [][]byte{}, Created: time.Now()}, []byte{}); err != nil || !free {
		s.t.Fatal(free, err)
	}
}
