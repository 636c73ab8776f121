package admin

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// A page of a list that is no more, because its last entry has gone meanwhile, leads to the first one with the same filter.
func TestPagesThatAreNoMore(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Submitted()
	b := k.Person("administrator")
	for _, path := range [][2]string{
		{"/admin/submissions?page=2", "/admin/submissions?status=waiting"},
		{"/admin/submissions?page=9&status=decided", "/admin/submissions?status=decided"},
		{"/admin/users?page=2&search=a%26b", "/admin/users?search=a%26b"},
		{"/admin/keys?page=2", "/admin/keys"},
		{"/admin/media?page=2&unused=1", "/admin/media?unused=1"},
		{"/admin/venues?page=2&search=hall", "/admin/venues?search=hall"},
		{"/admin/organizers?page=3", "/admin/organizers"},
	} {
		if p := b.Get(path[0]); p.Status != 303 || p.Header.Get("Location") != path[1] {
			t.Errorf("%s: %d, leads to %s, want %s", path[0], p.Status, p.Header.Get("Location"), path[1])
		}
		if p := b.Follow(); p.Status != 200 {
			t.Errorf("%s: then %d", path[0], p.Status)
		}
	}
	for _, page := range []string{"0", "-1", "x", "99999999999999999999", "1.5"} {
		for _, path := range []string{"/admin/submissions?page=", "/admin/users?page=", "/admin/keys?page=", "/admin/media?page=", "/admin/venues?page="} {
			if p := b.Get(path + page); p.Status != 200 && (p.Status != 303 || b.Follow().Status != 200) {
				t.Errorf("%s%s: %d", path, page, p.Status)
			}
		}
	}
}

// A search that stands twice in an address is the one that the page shows in its field.
func TestSearchIsTheOneShown(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	if p := b.Get("/admin/users?search=editor&search=author"); !p.Shows(`value="author"`) || !p.Shows("author@example.org") || p.Shows("editor@example.org") {
		t.Errorf("users: %s", p.Body)
	}
	if p := b.Get("/admin/keys?search=editor&search=author"); !p.Shows(`value="author"`) || p.Shows(">editor<") || !p.Shows(">author<") {
		t.Errorf("keys: %s", p.Body)
	}
}
