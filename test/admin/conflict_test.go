package admin

import (
	"maps"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// contested are the kinds of things that two people can change at once, with a field that both change, one that only
// the first changes, and one that only the second changes.
var contested = map[string]struct {
	create             url.Values
	both, first, other string
	path, form         string
}{
	"venues":     {url.Values{"venue": {"Hall"}, "status": {"publish"}}, "venue", "city", "zip", "/venues", `<form class="editor"`},
	"organizers": {url.Values{"organizer": {"Choir"}, "status": {"publish"}}, "organizer", "phone", "excerpt", "/organizers", `<form class="editor"`},
	"categories": {url.Values{"name": {"Music"}}, "name", "color", "description", "/categories", `<form class="stack narrow"`},
	"tags":       {url.Values{"name": {"open"}}, "name", "slug", "description", "/tags", `<form class="stack narrow"`},
}

// The second of two people who save sees both versions of what both have changed and chooses; what only one has changed is kept.
func TestAdminConflictsOfEveryKind(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	one, two := k.Person("editor"), k.Browser()
	two.SignIn("editor", kit.AdminPassword)
	for section, c := range contested {
		one.Make(section, c.create)
		list := k.Get(c.path+"?hide_empty=0", "editor")
		items, _ := list.Body[section].([]any)
		item, _ := items[0].(map[string]any)
		number, _ := item["id"].(float64)
		address := "/admin/" + section + "/" + strconv.FormatInt(int64(number), 10)
		a, b := kit.FormAt(one.Get(address), c.form), kit.FormAt(two.Get(address), c.form)
		for name, text := range map[string]string{c.both: "By the first", c.first: "#112233"} {
			a.Set(name, text)
		}
		a.Del("color_none")
		if c.first != "color" {
			a.Set(c.first, "first")
		}
		if p := one.Post(address, a); p.Status != 303 {
			t.Fatalf("%s: first %d %s", section, p.Status, p.Body)
		}
		if p := one.Post(address, a); p.Status != 303 {
			t.Errorf("%s: the same twice %d", section, p.Status)
		}
		b.Set(c.both, "By the second")
		b.Set(c.other, "second")
		p := two.Post(address, b)
		for _, want := range []string{"Someone else made changes as well", "By the first", "By the second", `name="choose.` + c.both + `"`} {
			if p.Status != 409 || !p.Shows(want) {
				t.Fatalf("%s: second %d has no %s: %s", section, p.Status, want, p.Body)
			}
		}
		if p.Shows(`name="choose.`+c.first+`"`) || p.Shows(`name="choose.`+c.other+`"`) || !strings.Contains(p.Body, `name="choose.`+c.both+`" value="mine" checked`) {
			t.Errorf("%s: something else is asked", section)
		}
		chosen := kit.FormAt(p, `<form class="conflict"`)
		chosen.Set("do", "resolve")
		chosen.Set("choose."+c.both, "mine")
		if p := two.Post(address, chosen); p.Status != 303 {
			t.Fatalf("%s: resolved %d %s", section, p.Status, p.Body)
		}
		now := kit.FormAt(two.Get(address), c.form)
		if now.Get(c.both) != "By the second" || now.Get(c.first) != a.Get(c.first) || !strings.Contains(now.Get(c.other), "second") {
			t.Errorf("%s: %v", section, now)
		}
	}
}

// A form that creates something creates it once, however often and quickly it is sent, and after going back to it.
func TestAdminFormsMakeOne(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	for section, c := range contested {
		path, begins := "/admin/"+section+"/new", c.form
		if section == "categories" || section == "tags" {
			path, begins = "/admin/"+section, `<form class="stack"`
		}
		form := kit.FormAt(b.Get(path), begins)
		maps.Copy(form, c.create)
		if form.Get("once") == "" {
			t.Fatalf("%s: the form has no name", section)
		}
		var all sync.WaitGroup
		for range 4 {
			copied := &kit.Browser{K: k, Host: b.Host, Cookies: map[string]string{}}
			maps.Copy(copied.Cookies, b.Cookies)
			all.Go(func() {
				if p := copied.Post(path, kit.Clone(form)); p.Status != 303 {
					t.Errorf("%s: %d", section, p.Status)
				}
			})
		}
		all.Wait()
		if p := b.Post(path, form); p.Status != 303 { // back, and sent once more
			t.Errorf("%s: back %d", section, p.Status)
		}
		if a := k.Get(c.path+"?hide_empty=0", "editor"); a.Body["total"] != 1.0 {
			t.Errorf("%s: %s", section, a)
		}
	}
}
