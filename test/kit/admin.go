package kit

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"image"
	"image/png"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Browser is a person using the administration of site demo. It keeps cookies and submits forms as rendered.
type Browser struct {
	K       *Kit
	Host    string
	Cookies map[string]string
	Page    Page // the last page

	seen url.Values // what the last form said of what its page has shown
}

// Page is a response to a browser.
type Page struct {
	Status  int
	Header  http.Header
	Cookies []*http.Cookie
	Body    string
}

// AdminPassword is the password of all users in tests.
const AdminPassword = "correct horse battery"

// Person creates a user named after the role, with a password, and returns a browser in which they are signed in.
func (k *Kit) Person(role string) *Browser {
	k.T.Helper()
	k.Password(role)
	b := k.Browser()
	if p := b.SignIn(role, AdminPassword); p.Status != http.StatusSeeOther {
		k.T.Fatalf("sign in: %d %s", p.Status, p.Body)
	}
	return b
}

// Password sets the test password of the user with a role on site demo.
func (k *Kit) Password(role string) { k.PasswordOn("demo", role) }

// PasswordOn sets the test password of the user with a role on a site.
func (k *Kit) PasswordOn(site, role string) {
	k.T.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(k.T.Context(), tenancy.Provider{}), k.Sites[site])
	k.Must(err)
	page, err := k.Platform.Users.List(ctx, &accounts.UserFilter{Filter: tenancy.Filter{Search: args.Some(role + "@")}})
	k.Must(err)
	_, err = k.Platform.Users.Update(ctx, page.Items[0].ID, &accounts.UserFields{Password: args.Some(AdminPassword)})
	k.Must(err)
}

// Browser returns a browser without cookies at the address of site demo.
func (k *Kit) Browser() *Browser {
	return &Browser{K: k, Host: "localhost", Cookies: map[string]string{}}
}

// SignIn submits the sign-in form and returns the page it leads to.
func (b *Browser) SignIn(login, password string) Page {
	return b.Post("/admin/login", url.Values{"login": {login}, "password": {password}})
}

// Get opens a page.
func (b *Browser) Get(path string) Page { return b.Do("GET", path, nil, nil) }

// Post submits a form with the CSRF token of the session, and with what the last page said that it has shown.
func (b *Browser) Post(path string, form url.Values, headers ...string) Page {
	if form.Get("csrf") == "" && b.Cookies["csrf"] != "" {
		form = Clone(form) // tests share forms
		form.Set("csrf", b.Cookies["csrf"])
	}
	if strings.HasPrefix(path, "/admin/") && !strings.Contains(form.Encode(), "seen") {
		form = Clone(form)
		maps.Copy(form, b.seen)
	}
	return b.Do("POST", path, form, headers)
}

// AllSeen is the field "seen" of a form whose page has shown everything as it is, however late.
const AllSeen = "9223372036854775807"

var seenFields = regexp.MustCompile(`name="(seen[.0-9]*|uses)" value="([^"]*)"`)

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// Do sends a request, with a form if not nil, as the page that was shown last does. It does so as browsers that do not know
// Sec-Fetch-Site, which have nothing but Origin to tell where a form comes from.
func (b *Browser) Do(method, path string, form url.Values, headers []string) Page {
	b.K.T.Helper()
	if form == nil {
		return b.Send(httptest.NewRequest(method, path, nil), headers)
	}
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "http://"+b.Host)
	if b.Page.Header.Get("Referrer-Policy") == "no-referrer" {
		r.Header.Set("Origin", "null")
	}
	return b.Send(r, headers)
}

// Raw posts a body unchanged.
func (b *Browser) Raw(path, kind string, body io.Reader) Page {
	b.K.T.Helper()
	r := httptest.NewRequest(http.MethodPost, path, body)
	r.Header.Set("Content-Type", kind)
	return b.Send(r, nil)
}

// Send sends a request with the browser's cookies and stores those of the response. It does not follow redirects.
func (b *Browser) Send(r *http.Request, headers []string) Page {
	b.K.T.Helper()
	r.Host = b.Host
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for name, value := range b.Cookies {
		if name != "csrf" {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
	}
	res, err := b.K.App.Test(r, -1)
	b.K.Must(err)
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	b.K.Must(err)
	b.Page = Page{Status: res.StatusCode, Header: res.Header, Cookies: res.Cookies(), Body: string(raw)}
	b.K.spoken(raw)
	for _, c := range b.Page.Cookies {
		if b.Cookies[c.Name] = c.Value; c.MaxAge < 0 || c.Value == "" {
			delete(b.Cookies, c.Name)
		}
	}
	if fields := seenFields.FindAllStringSubmatch(b.Page.Body, -1); fields != nil {
		b.seen = url.Values{}
		for _, f := range fields {
			b.seen.Set(f[1], Unescape(f[2]))
		}
	}
	if m := csrfField.FindStringSubmatch(b.Page.Body); m != nil {
		b.Cookies["csrf"] = m[1]
	}
	return b.Page
}

// Follow opens the target of the last redirect.
func (b *Browser) Follow() Page {
	b.K.T.Helper()
	to := b.Page.Header.Get("Location")
	if to == "" {
		b.K.T.Fatalf("leads nowhere: %d %s", b.Page.Status, b.Page.Body)
	}
	return b.Get(to)
}

// Shows reports whether the page contains a text, ignoring HTML escaping.
func (p Page) Shows(text string) bool { return strings.Contains(Unescape(p.Body), text) }

// Unescape decodes HTML entities.
func Unescape(text string) string { return html.UnescapeString(text) }

// AdminEvent matches the address of an event's form.
var AdminEvent = regexp.MustCompile(`^/admin/events/(\d+)$`)

// Attribute matches the attributes of a tag with their values.
var Attribute = regexp.MustCompile(`([a-z-]+)(?:="([^"]*)")?`)

var (
	inputs  = regexp.MustCompile(`<input ([^>]*)>`)
	areas   = regexp.MustCompile(`(?s)<textarea [^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>`)
	selects = regexp.MustCompile(`(?s)<select [^>]*name="([^"]+)"[^>]*>(.*?)</select>`)
	option  = regexp.MustCompile(`<option value="([^"]*)"([^>]*)>`)
)

// FormIn returns the first editor form of a page as a browser would submit it.
func FormIn(p Page) url.Values { return FormAt(p, `<form class="editor"`) }

// FormAt returns the form that begins with a text as a browser would submit it.
func FormAt(p Page, begins string) url.Values {
	_, body, _ := strings.Cut(p.Body, begins)
	body, _, _ = strings.Cut(body, "</form>")
	form := url.Values{}
	for _, m := range inputs.FindAllStringSubmatch(body, -1) {
		a := map[string]string{}
		for _, pair := range Attribute.FindAllStringSubmatch(m[1], -1) {
			a[pair[1]] = pair[2]
		}
		_, checked := a["checked"]
		if name := a["name"]; name != "" && a["type"] != "file" && (a["type"] != "checkbox" && a["type"] != "radio" || checked) {
			form.Add(name, Unescape(a["value"]))
		}
	}
	for _, m := range areas.FindAllStringSubmatch(body, -1) {
		form.Add(m[1], strings.ReplaceAll(Unescape(m[2]), "\n", "\r\n"))
	}
	for _, m := range selects.FindAllStringSubmatch(body, -1) {
		options := option.FindAllStringSubmatch(m[2], -1)
		value := options[0][1]
		for _, o := range options {
			if strings.Contains(o[2], "selected") {
				value = o[1]
			}
		}
		form.Add(m[1], value)
	}
	form.Set("do", "save")
	return form
}

// SettingsForm begins the form of a site's settings.
const SettingsForm = `<form class="settings"`

// Answered returns the form that asks which dates a change applies to, with an answer.
func Answered(p Page, scope string) url.Values {
	form := FormAt(p, `<form class="stack narrow which"`)
	form.Set("applies_to", scope)
	return form
}

// MergeForm returns the form of the merge page.
func MergeForm(p Page) url.Values { return FormAt(p, `<form class="conflict"`) }

// Make creates an item of a section in the administration.
func (b *Browser) Make(section string, form url.Values) {
	b.K.T.Helper()
	form.Set("do", "save")
	path := "/admin/" + section
	if section != "categories" && section != "tags" {
		path += "/new"
	}
	b.Get(path)
	if p := b.Post(path, form); p.Status != 303 {
		b.K.T.Fatalf("%s: %d %s", section, p.Status, p.Body)
	}
}

// Clone returns a copy of a form.
func Clone(form url.Values) url.Values {
	other := url.Values{}
	for name, values := range form {
		other[name] = append([]string(nil), values...)
	}
	return other
}

// Hidden returns the value of a hidden field on the page.
func (p Page) Hidden(name string) string {
	if m := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(p.Body); m != nil {
		return Unescape(m[1])
	}
	return ""
}

// Mailed starts a server that sends email.
func Mailed(t *testing.T, options ...func(*server.Config)) (*Kit, *mailtest.Server) {
	t.Helper()
	post := mailtest.New(t)
	sender, err := mail.New(post.URL, "calendar@example.org")
	if err != nil {
		t.Fatal(err)
	}
	return New(t, append(options, func(c *server.Config) { c.Post = sender })...), post
}

// Entries returns the newest entries of a site's history, up to n.
func (k *Kit) Entries(slug string, n int) []tenancy.Entry {
	k.T.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(k.T.Context(), tenancy.Provider{}), k.Sites[slug])
	k.Must(err)
	list, err := k.DB.History().List(ctx, tenancy.HistoryQuery{Limit: n})
	k.Must(err)
	return list
}

// Version returns the committed version of a site.
func (k *Kit) Version(slug string) int64 {
	k.T.Helper()
	v, err := strconv.ParseInt(k.Across("SELECT version::text FROM sites WHERE slug = '"+slug+"'"), 10, 64)
	k.Must(err)
	return v
}

// Ask sends a request for a full path.
func (k *Kit) Ask(r Request) Page {
	k.T.Helper()
	r.Path = "/" + r.Path
	a := k.Send(r)
	return Page{Status: a.Status, Header: a.Header, Body: string(a.Raw)}
}

// Fill returns a form of a page with some fields changed.
func (b *Browser) Fill(path, begins string, typed url.Values) url.Values {
	form := FormAt(b.Get(path), begins)
	maps.Copy(form, typed)
	return form
}

// Beginnings of forms: those of events, venues and organizers, and narrow ones.
const (
	EveryEditor = `<form class="editor"`
	NarrowForm  = `<form class="stack narrow"`
)

// Stripes returns an image file.
func Stripes(k *Kit) []byte {
	var b bytes.Buffer
	k.Must(png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 40, 30))))
	return b.Bytes()
}

// InLibrary uploads an image to the library and returns the address of its page.
func InLibrary(k *Kit, b *Browser) string {
	_, err := k.Calendar.Images().Upload(k.inside("editor"), "stripes.png", bytes.NewReader(Stripes(k)))
	k.Must(err)
	_, rest, _ := strings.Cut(b.Get("/admin/media").Body, `href="/admin/media/`)
	id, _, _ := strings.Cut(rest, `"`)
	path := "/admin/media/" + id
	b.Get(path)
	return path
}

// inside returns a context in which the user with a role acts on the site.
func (k *Kit) inside(role string) context.Context {
	ctx, err := tenancy.Enter(tenancy.AsProvider(k.T.Context(), tenancy.Provider{Name: role}), k.Sites["demo"])
	k.Must(err)
	return ctx
}

// Letters returns a text of n letters, for names that are too long.
func Letters(n int) string { return strings.Repeat("x", n) }

// HistoryEntry is an entry of the history as returned and exported.
type HistoryEntry struct {
	Place, Action, Kind, Who string
	ID                       int64
	At                       time.Time
}

// Audit returns the entries of a history from the provider's interface.
func (k *Kit) Audit(path string, q url.Values) (list []HistoryEntry) {
	k.T.Helper()
	q.Set("per_page", "200")
	a := k.Provider("GET", path+"?"+q.Encode(), nil).Want(k.T, 200, "")
	var page struct{ Entries []HistoryEntry }
	k.Must(json.Unmarshal(a.Raw, &page))
	return page.Entries
}
