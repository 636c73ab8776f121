package kit

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
)

// Console is a browser in which the provider has signed in to the console.
func (k *Kit) Console() *Browser {
	k.T.Helper()
	b := k.Browser()
	if p := b.Post("/admin/provider/login", url.Values{"password": {ProviderToken}}); p.Status != http.StatusSeeOther {
		k.T.Fatalf("sign in: %d %s", p.Status, p.Body)
	}
	b.Get("/admin/provider")
	return b
}

// InLobby is a browser in front of the platform, in which somebody has signed in
// with the password of the tests.
func (k *Kit) InLobby(email string) *Browser {
	k.T.Helper()
	b := k.Browser()
	if p := b.Post("/admin/sites", url.Values{"email": {email}, "password": {AdminPassword}}); p.Status != http.StatusOK {
		k.T.Fatalf("sign in: %d %s", p.Status, p.Body)
	}
	return b
}

// Pass is what the page of the lobby has for a site, "" for none.
func (p Page) Pass(site string) string {
	m := regexp.MustCompile(`name="site" value="` + site + `"> <input type="hidden" name="pass" value="([^"]+)"`).FindStringSubmatch(p.Body)
	if m == nil {
		return ""
	}
	return m[1]
}

// Choose sends the form of a site in the lobby.
func (b *Browser) Choose(site, pass string) Page {
	b.K.T.Helper()
	return b.Post("/admin/sites/go", url.Values{"site": {site}, "pass": {pass}})
}

// Arrive sends a pass to a site from a page of an origin, in a browser of its own.
func (k *Kit) Arrive(host, pass, origin string) *Browser {
	k.T.Helper()
	b := k.Browser()
	b.Host = host
	b.Post("/admin/arrive", url.Values{"pass": {pass}}, "Origin", origin, "Sec-Fetch-Site", "cross-site")
	return b
}

// Plan sets a plan as the provider.
func (k *Kit) Plan(name string, body map[string]any) Answer {
	k.T.Helper()
	return k.Provider("PUT", "/plans/"+name, body)
}

// Provider asks the provider's interface.
func (k *Kit) Provider(method, path string, body any) Answer {
	k.T.Helper()
	return k.Send(Request{Method: method, Path: "//platform/v1" + path, As: "Bearer " + ProviderToken, JSON: body})
}

// Limit gives the site demo limits of its own.
func (k *Kit) Limit(limits any) {
	k.T.Helper()
	if a := k.Provider("PATCH", "/sites/demo", map[string]any{"limits": limits}); a.Status != http.StatusOK {
		k.T.Fatalf("limit: %s", a)
	}
}

// Usage is what the provider sees in use on the site demo.
func (k *Kit) Usage(what string) int64 {
	k.T.Helper()
	a := k.Provider("GET", "/sites/demo", nil)
	usage, _ := a.Body["usage"].(map[string]any)
	n, ok := usage[what].(float64)
	if !ok {
		k.T.Fatalf("no usage of %s: %s", what, a)
	}
	return int64(n)
}

// NewEvent returns the smallest body that makes an event.
func NewEvent(title string) map[string]any {
	return map[string]any{"title": title, "start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00"}
}

// Stored reports how many occurrences of series the site demo has, as they are there.
func (k *Kit) Stored() int64 {
	k.T.Helper()
	n, err := strconv.ParseInt(k.Peek("demo", `
		SELECT ((SELECT count(*) FROM occurrences o WHERE o.site_id = $1 AND o.n <> 0)
		    + (SELECT count(*) FROM events e WHERE e.site_id = $1 AND e.series_id IS NOT NULL))::text`, k.Sites["demo"].ID), 10, 64)
	k.Must(err)
	return n
}

// Picture uploads one, with sizes.
func (k *Kit) Picture() Answer {
	k.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "picture.png")
	k.Must(err)
	k.Must(png.Encode(file, image.NewRGBA(image.Rect(0, 0, 400, 300))))
	k.Must(form.Close())
	return k.Send(Request{Method: "POST", Path: "/media", As: "administrator", Body: body.String(),
		Headers: map[string]string{"Content-Type": form.FormDataContentType()}})
}

// AtOnce deletes without days of grace.
func AtOnce() *platform.DeletionFields { return &platform.DeletionFields{Grace: args.Some(0)} }
