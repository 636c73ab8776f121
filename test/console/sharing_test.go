package console

import (
	"net/http"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// The console shows who gathers from whom, on a page of its own and on those of the sites.
func TestConsoleSharing(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Console()
	const path, demo, alpha = "/admin/provider/sharing", "/admin/provider/sites/demo", "/admin/provider/sites/alpha"
	shows := func(at string, texts ...string) {
		t.Helper()
		p := b.Get(at)
		for _, text := range texts {
			if p.Status != http.StatusOK || !p.Shows(text) {
				t.Errorf("%s: %d without %q: %s", at, p.Status, text, p.Body)
			}
		}
	}
	shows(path, "No site shows events from another one yet.", `aria-current="page"`)
	if p := b.Get(demo); p.Shows("Shows events from") || p.Shows("Gives its events to") {
		t.Errorf("%s", p.Body)
	}
	k.Site("alpha")
	k.Site("beta")
	k.Provider("PATCH", "/sites/alpha", kit.Object{"name": "Alpha & Co", "settings": kit.Object{"share": []string{"demo", "beta"}}}).Want(t, 200, "")
	k.Send(kit.Request{Method: "POST", Path: "/events", Site: "alpha", As: "editor", JSON: kit.Object{"title": "Fair",
		"start_date": "2030-06-01 19:30", "end_date": "2030-06-01 22:00"}}).Want(t, 201, "")
	for _, receiver := range []string{"demo", "beta"} {
		k.Send(kit.Request{Method: "POST", Path: "/sources", Site: receiver, As: "administrator",
			JSON: kit.Object{"name": "From alpha & co", "kind": "site", "url": "alpha"}}).Want(t, 201, "")
	}
	k.ReadSources()
	shows(path, `href="`+demo+`"`, `href="`+alpha+`"`, "Alpha & Co", "From alpha & co", "<td>1</td>", "<time")
	shows(path+"?site=demo", `href="`+demo+`"`)
	if p := b.Get(path + "?site=demo"); p.Shows("sites/beta") {
		t.Errorf("beta is there, too: %s", p.Body)
	}
	shows(path+"?site=nobody", "This site neither gives its events to another site nor shows events from one.")
	if p := b.Get(path + "?page=7"); p.Status != http.StatusSeeOther || p.Header.Get("Location") != path {
		t.Errorf("page 7: %d %s", p.Status, p.Header.Get("Location"))
	}
	shows(demo, "Shows events from", `href="`+alpha+`"`, `href="`+path+`?site=demo"`)
	shows(alpha, "Gives its events to", `href="`+demo+`"`, `href="/admin/provider/sites/beta"`)

	k.Provider("PATCH", "/sites/alpha", kit.Object{"settings": kit.Object{"share": []string{"beta"}}}).Want(t, 200, "")
	k.Platform.Forget(k.Sites["alpha"].ID)
	k.ReadSources()
	k.Provider("PATCH", "/sites/beta", kit.Object{"state": "closed"}).Want(t, 200, "")
	shows(path+"?site=demo", "There is no site at this address.", "<td>0</td>")
	shows(path+"?site=beta", "Closed")
	k.Provider("DELETE", "/sites/alpha", nil).Want(t, 200, "")
	shows(path, "Deleted")
	shows(demo, "Shows events from", "Deleted")
}
