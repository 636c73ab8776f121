package server_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// browser is a person in front of the administration of the site demo: it keeps
// cookies and sends forms as they stand.
type browser struct {
	k       *kit
	host    string
	cookies map[string]string
	page    page // the last one
}

// page is an answer to a browser.
type page struct {
	Status  int
	Header  http.Header
	Cookies []*http.Cookie
	Body    string
}

const adminPassword = "correct horse battery"

// person makes a user with a password, named like the role, and a browser in
// which they have signed in.
func (k *kit) person(role string) *browser {
	k.t.Helper()
	k.password(role)
	b := k.browser()
	if p := b.signIn(role, adminPassword); p.Status != http.StatusSeeOther {
		k.t.Fatalf("sign in: %d %s", p.Status, p.Body)
	}
	return b
}

// password gives the user of a role on the site demo the password of the tests.
func (k *kit) password(role string) { k.passwordOn("demo", role) }

func (k *kit) passwordOn(site, role string) {
	k.t.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(k.t.Context(), tenancy.Provider{}), k.sites[site])
	k.must(err)
	page, err := k.platform.Users.List(ctx, &tenancy.UserFilter{Filter: tenancy.Filter{Search: args.Some(role + "@")}})
	k.must(err)
	_, err = k.platform.Users.Update(ctx, page.Items[0].ID, &tenancy.UserFields{Password: args.Some(adminPassword)})
	k.must(err)
}

func (k *kit) browser() *browser {
	return &browser{k: k, host: "localhost", cookies: map[string]string{}}
}

func (b *browser) signIn(login, password string) page {
	return b.post("/admin/login", url.Values{"login": {login}, "password": {password}})
}

func (b *browser) get(path string) page { return b.do("GET", path, nil, nil) }

// post sends a form with the token of the session.
func (b *browser) post(path string, form url.Values, headers ...string) page {
	if form.Get("csrf") == "" && b.cookies["csrf"] != "" {
		form = clone(form) // tests share what they post
		form.Set("csrf", b.cookies["csrf"])
	}
	return b.do("POST", path, form, headers)
}

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func (b *browser) do(method, path string, form url.Values, headers []string) page {
	b.k.t.Helper()
	if form == nil {
		return b.send(httptest.NewRequest(method, path, nil), headers)
	}
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "http://"+b.host)
	return b.send(r, headers)
}

// raw posts a body as it is.
func (b *browser) raw(path, kind string, body io.Reader) page {
	b.k.t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, body)
	r.Header.Set("Content-Type", kind)
	return b.send(r, nil)
}

func (b *browser) send(r *http.Request, headers []string) page {
	b.k.t.Helper()
	r.Host = b.host
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for name, value := range b.cookies {
		if name != "csrf" {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
	}
	res, err := b.k.app.Test(r, -1)
	b.k.must(err)
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	b.k.must(err)
	b.page = page{Status: res.StatusCode, Header: res.Header, Cookies: res.Cookies(), Body: string(raw)}
	b.k.spoken(raw)
	for _, c := range b.page.Cookies {
		if b.cookies[c.Name] = c.Value; c.MaxAge < 0 || c.Value == "" {
			delete(b.cookies, c.Name)
		}
	}
	if m := csrfField.FindStringSubmatch(b.page.Body); m != nil {
		b.cookies["csrf"] = m[1]
	}
	return b.page
}

// follow gets where the last answer leads.
func (b *browser) follow() page {
	b.k.t.Helper()
	to := b.page.Header.Get("Location")
	if to == "" {
		b.k.t.Fatalf("leads nowhere: %d %s", b.page.Status, b.page.Body)
	}
	return b.get(to)
}

// shows reports whether the page holds a text, as people read it.
func (p page) shows(text string) bool { return strings.Contains(unescape(p.Body), text) }

func unescape(text string) string { return html.UnescapeString(text) }
