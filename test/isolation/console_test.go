package isolation

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/kalends/kalends/test/kit"

	"github.com/google/go-cmp/cmp"
)

// visitConsole visits a page of the console as the provider, who may see and change every site: actions on the page
// of the first site must not show, find or change anything of the second. Forms that concern the installation are
// exempt.
func (w *tour) visitConsole(row *tourRow, b *kit.Browser) {
	switch row.path {
	case "/admin/provider/sharing": // which lists what all sites give each other
		return
	case "/admin/provider/copies/:slug": // a file, by the number of its job
		return
	}
	path := slot.ReplaceAllString(row.path, "demo")
	if strings.Contains(path, "/plans/") {
		path = slot.ReplaceAllString(row.path, "unlimited")
	}
	forms := []url.Values{nil}
	if row.method == http.MethodPost {
		if !strings.Contains(path, "/sites/") {
			return
		}
		forms = []url.Values{{"do": {"voucher"}}, {"do": {"check"}}, {"do": {"point"}}, {"do": {"remove"}, "sure": {"1"}}}
	}
	about := func(id int64, domain string, form url.Values) kit.Page {
		if row.method == http.MethodGet {
			return b.Get(path + fmt.Sprintf("?id=%d&open=1.0.user.%d&search=%s", id, id, domain))
		}
		filled := url.Values{"csrf": {b.Cookies["csrf"]}, "id": {fmt.Sprint(id)}, "domain": {domain}}
		maps.Copy(filled, form)
		return b.Post(path, filled)
	}
	for _, form := range forms {
		unknown := about(w.nowhere.IDs["user"], "nowhere.example.org", form)
		for _, domain := range []string{"zwilling.example.org", "zwilling.example.net"} { // proved, and asked for
			foreign := about(w.two.IDs["user"], domain, form)
			w.asked(row, "provider", foreign.Status, []byte(foreign.Body))
			if form == nil && foreign.Status != http.StatusOK {
				w.k.T.Errorf("GET %s as the provider: %d", path, foreign.Status)
			}
			if row.path == "/admin/provider" || row.path == "/admin/provider/requests" {
				continue // which find every site by its domains
			}
			is, want := strings.ReplaceAll(w.plain(foreign), domain, "DOMAIN"), strings.ReplaceAll(w.plain(unknown), "nowhere.example.org", "DOMAIN")
			if foreign.Status != unknown.Status || is != want {
				w.leaks++
				w.k.T.Errorf("%s %s %v as the provider: foreign %d, nowhere %d\n%s", row.method, path, form, foreign.Status, unknown.Status,
					cmp.Diff(strings.SplitAfter(want, ">"), strings.SplitAfter(is, ">")))
			}
		}
	}
	b.Get("/admin/provider") // which says what the last form came to, once
}
