package console

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/platform"
	traffic "github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// The console lists the requests of all sites, sorted by its headings.
func TestConsoleRequests(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("two")
	b := k.Console()
	const path = "/admin/provider/requests"
	k.Must(platform.AddTraffic(t.Context(), k.DB.Engine(), map[string]traffic.Traffic{"demo": {Requests: 1234, Limited: 7}, "two": {Requests: 5, Errors: 2}}))
	row := func(p kit.Page, slug string) int { return strings.Index(p.Body, `/admin/provider/sites/`+slug) }
	p := b.Get(path)
	if p.Status != 200 || !p.Shows(">1,234<") || !p.Shows(`aria-sort="descending"`) || row(p, "demo") > row(p, "two") {
		t.Errorf("%d: not sorted by requests", p.Status)
	}
	if p = b.Get(path + "?sort=errors&period=month"); row(p, "two") > row(p, "demo") || !p.Shows(path+"?period=month&sort=limited") {
		t.Error("not sorted by errors")
	}
	if p = b.Get(path + "?search=two&sort=nonsense&page=3"); p.Status != 303 || p.Header.Get("Location") != path+"?search=two&sort=name" {
		t.Errorf("a page that is not there: %d %s", p.Status, p.Header.Get("Location"))
	}
	if p = b.Get(path + "?" + url.Values{"search": {"nobody"}}.Encode()); !p.Shows("No matching") && !p.Shows("nothing") {
		t.Error("an empty list doesn't say so")
	}
}
