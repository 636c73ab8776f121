package kit

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
)

// Vault is a kit with archives.
type Vault struct {
	*Kit
	Archives *archive.Archives
	Pictures *media.Pictures
	Dir      string // of the blobs
	Ctx      context.Context
}

// NewVault returns a vault with site demo on its own database.
func NewVault(t testing.TB) *Vault { return NewVaultOn(t, storagetest.Database(t), "demo") }

// NewVaultOn starts a server on a database and creates the given sites.
func NewVaultOn(t testing.TB, database string, sites ...string) *Vault {
	t.Helper()
	v := &Vault{Dir: t.TempDir(), Ctx: tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "test"})}
	v.Pictures = Pictures(t, v.Dir)
	v.Kit = NewOn(t, database, func(c *server.Config) { c.Pictures = v.Pictures })
	v.Clock = time.Date(2029, 5, 1, 12, 0, 0, 0, time.UTC)
	if len(sites) == 0 {
		_, err := v.Platform.Sites.Delete(v.Ctx, "demo", AtOnce())
		v.Must(err)
	}
	v.Archives = archive.New(v.DB.Archives(), v.Pictures, v.Platform.Sites, func() time.Time { return v.Clock })
	return v
}

// View returns everything that a site shows to the public and to its administrator.
func (v *Vault) View(site string, paths []string) map[string]string {
	v.T.Helper()
	seen := map[string]string{}
	at := site
	if site == "demo" {
		at = ""
	}
	for _, as := range []string{"", "administrator"} {
		for _, path := range paths {
			a := v.Send(Request{Method: "GET", Path: path, As: as, Site: at})
			if a.Status != http.StatusOK && (as != "" || a.Status >= 500) && a.Code() != "event-no-longer-available" {
				v.T.Fatalf("%s: %s", path, a)
			}
			seen[as+" "+path] = fmt.Sprintf("%d %s %s %s", a.Status, a.Header.Get("ETag"), a.Header.Get("X-TEC-Total"), a.Raw)
		}
	}
	return seen
}

// Export returns the archive of a site.
func (v *Vault) Export(site string) []byte {
	v.T.Helper()
	var b bytes.Buffer
	_, err := v.Archives.Export(v.Ctx, site, &b, nil)
	v.Must(err)
	return b.Bytes()
}

// Import imports an archive with the changes in become.
func (v *Vault) Import(data []byte, become *platform.SiteFields) (*tenancy.Site, error) {
	return v.Archives.Import(v.Ctx, bytes.NewReader(data), int64(len(data)), become, nil)
}

// idle are the keys of a response that identify the site or the time of writing.
var idle = []string{"id", "global_id", "global_id_lineage", "author", "rest_url", "url", "modified", "modified_utc", "urls", "next_rest_url",
	"json_ld", "next", "parent"}

// WithoutIdentity removes what differs between two copies of a site from a response.
func WithoutIdentity(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range idle {
			delete(v, name)
		}
		if v["status"] == "draft" {
			delete(v, "date")
			delete(v, "date_utc")
			delete(v, "website") // its address contains the id
		}
		for name, value := range v {
			v[name] = WithoutIdentity(value)
		}
	case []any:
		for i := range v {
			v[i] = WithoutIdentity(v[i])
		}
	case string:
		return strings.Replace(v, "http://copy.", "http://demo.", 1)
	}
	return v
}

// EventSnapshot returns everything a site shows about its events: the occurrences of some years, and each series with its
// rule.
func (k *Kit) EventSnapshot(slug string) (list []any) {
	k.T.Helper()
	seen := map[any]bool{}
	for _, status := range []string{"publish", "future", "draft", "private"} {
		for page := 1; ; page++ {
			a := k.Send(Request{Method: "GET", As: "administrator", Site: slug,
				Path: fmt.Sprintf("/events?status=%s&start_date=2029-01-01&end_date=2033-01-01&per_page=50&page=%d", status, page)})
			if a.Status == http.StatusNotFound {
				break
			}
			for _, e := range ListOf(a.Body["events"]) {
				event, _ := e.(map[string]any)
				series, _ := event["series"].(map[string]any)
				if id := series["id"]; id != nil && !seen[id] {
					seen[id] = true
					whole := k.Send(Request{Method: "GET", As: "administrator", Site: slug, Path: fmt.Sprintf("/events/%.0f", id)})
					list = append(list, WithoutIdentity(whole.Body))
				}
				list = append(list, WithoutIdentity(event))
			}
		}
	}
	return list
}

// ListOf returns a JSON list, or nil if the value is not one.
func ListOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// TextSnapshot returns a site's events, venues and organizers in all languages.
func (k *Kit) TextSnapshot(slug string) (list []any) {
	k.T.Helper()
	for _, path := range []string{"/events?start_date=2029-01-01&end_date=2033-01-01&per_page=50&", "/venues?", "/organizers?", "/categories?", "/tags?"} {
		a := k.Send(Request{Method: "GET", As: "administrator", Site: slug, Path: path + "translations=full"})
		list = append(list, unstamped(WithoutIdentity(a.Want(k.T, http.StatusOK, "").Body)))
	}
	return list
}

// unstamped removes the versions of texts from a response.
func unstamped(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "made_from")
		for name, value := range v {
			v[name] = unstamped(value)
		}
	case []any:
		for i := range v {
			v[i] = unstamped(v[i])
		}
	}
	return v
}
