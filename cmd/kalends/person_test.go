package main

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestPerson shows what a site holds of somebody, says what it would erase, and erases it; the last administrator stays.
func TestPerson(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var ignored any
	s.must(&ignored, "site", "create", "club", "--name", "Club")
	for _, one := range []string{"ann", "bob"} {
		s.must(&ignored, "user", "create", one, "--site", "club", "--email", one+"@example.org", "--role", "administrator")
	}
	var held map[string][]map[string]any
	if s.must(&held, "user", "export", "Bob@example.org", "--site", "club"); len(held["accounts"]) != 1 || held["accounts"][0]["username"] != "bob" ||
		len(held["keys"]) != 1 || len(held["history"]) == 0 {
		t.Errorf("%v", held)
	}
	if out, err := s.run("user", "export", "bob@example.org", "--site", "club"); err != nil || strings.Contains(out, "hash") || strings.Contains(out, "ann") {
		t.Errorf("%v %s", err, out)
	}
	s.fails("accounts: 1", "user", "erase", "bob@example.org", "--site", "club")
	var done map[string]any
	if s.must(&done, "user", "erase", "bob@example.org", "--site", "club", "--yes"); done["account_deleted"] != true {
		t.Errorf("%v", done)
	}
	if out, err := s.run("user", "export", "bob@example.org", "--site", "club"); err != nil || strings.TrimSpace(out) != "{}" {
		t.Errorf("%v: left are %s", err, out)
	}
	if s.must(&done, "user", "erase", "bob@example.org", "--site", "club", "--yes"); done["account_deleted"] != false {
		t.Errorf("%v", done)
	}
	if _, err := s.run("user", "erase", "ann@example.org", "--site", "club", "--yes"); err == nil {
		t.Error("the last administrator was erased")
	}
}
