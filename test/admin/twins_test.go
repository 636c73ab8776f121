package admin

import (
	"fmt"
	"net/url"
	"sync"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Venues that may be the same are counted in the list, named with the reason, lead to the form of merging with one click, and are not named
// again once somebody has said that they are different.
func TestPossibleDuplicates(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	made := func(section string, fields kit.Object) string { return fmt.Sprint(k.Made("/"+section, fields)) }
	hall, same := made("venues", kit.Object{"venue": "Town Hall", "city": "Bonn"}), made("venues", kit.Object{"venue": "Town hall Bonn", "city": "Bonn", "zip": "53111"})
	mill := made("venues", kit.Object{"venue": "Old Windmill", "city": "Bonn"})
	made("venues", kit.Object{"venue": "Old Winmill", "city": "Bonn"})
	made("venues", kit.Object{"venue": "Town Hall", "city": "Köln"})
	const page = "/admin/venues/twins"
	e := k.Person("editor")
	if p := e.Get("/admin/venues"); !p.Shows(`<a href="` + page + `">2 possible duplicates</a>`) {
		t.Error("the list doesn't count them")
	}
	p := e.Get(page)
	for _, want := range []string{"Similar names", "53111 Bonn", "Old Winmill", `value="` + hall + `" checked`, `value="apart"`} {
		if !p.Shows(want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if p.Shows("Same name") {
		t.Error("the page says that two names are the same, of which one has the city")
	}
	if p.Shows("Köln") {
		t.Error("the page names what is elsewhere")
	}
	if p := e.Post(page, url.Values{"id": {hall, same}, "do": {"merge"}}); p.Status != 303 || p.Header.Get("Location") != "/admin/venues/merge?id="+hall+"&id="+same {
		t.Errorf("to the form of merging: %d %s", p.Status, p.Header.Get("Location"))
	}
	for _, one := range []url.Values{{"do": {"apart"}}, {"do": {"apart"}, "id": {hall}}, {"do": {"x"}, "id": {hall, same}}, {"do": {"apart"}, "id": {"x", "-1", "99999999999999999999"}}} {
		if p := e.Post(page, one); p.Status != 303 {
			t.Errorf("%v: %d", one, p.Status)
		}
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if p := e.Post(page, url.Values{"id": {hall, same}, "do": {"apart"}}); p.Status != 303 {
				t.Errorf("told apart: %d", p.Status)
			}
		})
	}
	all.Wait()
	if p := e.Get(page); p.Shows("Same name") || !p.Shows("Similar names") || !p.Shows("1 possible duplicate") {
		t.Error("what was told apart is named again")
	}
	if p := e.Get("/admin/venues/" + mill); !p.Shows("Old Winmill") {
		t.Error("the form of a venue doesn't name its double")
	}
	if p := e.Get("/admin/venues/" + hall); p.Shows(`class="twins"`) {
		t.Error("the form of a venue names what was told apart")
	}
	if got := k.Peek("demo", `SELECT apart::text FROM venues WHERE id = `+hall); got != "{"+same+"}" {
		t.Errorf("stored: %s", got)
	}
	many := url.Values{"do": {"apart"}}
	for i := range 60 {
		many.Add("id", fmt.Sprint(i+1))
	}
	if p := e.Post(page, many); p.Status < 400 || p.Status >= 500 {
		t.Errorf("too many at once: %d", p.Status)
	}
	for _, role := range []string{"author", "contributor"} {
		o := k.Person(role)
		if p := o.Get(page); p.Status != 403 {
			t.Errorf("shown to an %s: %d", role, p.Status)
		}
		o.Get("/admin/venues")
		if p := o.Post(page, url.Values{"id": {hall, mill}, "do": {"apart"}}); p.Status != 403 {
			t.Errorf("told apart by an %s: %d", role, p.Status)
		}
	}
	k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"venues": []string{hall}}).Want(t, 200, "")
	if p := e.Get(page); p.Status != 200 || p.Shows(`value="apart"`) {
		t.Errorf("an editor of a part is offered to decide for everybody: %d", p.Status)
	}
	if p := e.Post(page, url.Values{"id": {hall, mill}, "do": {"apart"}}); p.Status != 403 {
		t.Errorf("told apart by an editor of a part: %d", p.Status)
	}
	made("organizers", kit.Object{"organizer": "Choir"})
	made("organizers", kit.Object{"organizer": "choir", "phone": "1"})
	if p := k.Person("administrator").Get("/admin/organizers/twins"); !p.Shows("1 possible duplicate") || !p.Shows("Same name") {
		t.Error("organizers aren't compared")
	}
}
