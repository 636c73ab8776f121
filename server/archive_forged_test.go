package server_test

import (
	"errors"
	"testing"

	"github.com/kalends/kalends/archive"
	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// An archive brings no address but those that its manifest names, and of these none
// that is the platform's here: it would be found in another site's place.
func TestImportTakesNobodysAddress(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	_, err := v.platform.Sites.Update(v.ctx, "demo", &tenancy.SiteFields{Domains: args.Some(args.Texts{"fest.example"})})
	v.must(err)
	data := v.export("demo")
	w := newVaultOn(t, storagetest.Database(t))
	w.site("club")
	untouched := w.untouched()
	for _, domain := range []string{"club.localhost", "localhost", "*.example", "other.example"} {
		forged := retell(t, data, "domains", nil, func(r map[string]any) { r["domain"] = domain })
		if _, err := w.bring(forged, &tenancy.SiteFields{}); !errors.Is(err, archive.ErrDamaged) {
			t.Errorf("%s: %v", domain, err)
		}
		untouched(domain)
	}
	_, err = v.platform.Sites.Update(v.ctx, "demo", &tenancy.SiteFields{Domains: args.Some(args.Texts{"fest.example", "bücher.example"})})
	v.must(err)
	made, err := w.bring(v.export("demo"), &tenancy.SiteFields{})
	if err != nil || len(made.Domains) != 2 {
		t.Fatalf("what the manifest names: %v, %v", made, err)
	}
	elsewhere := tenancy.NewPlatform(w.db, tenancy.Options{Domain: "example"})
	_, err = w.platform.Sites.Delete(w.ctx, "demo", atOnce())
	w.must(err)
	w.archives = archive.New(w.db, w.pictures, elsewhere.Sites, nil)
	var problems *args.Problems
	if _, err := w.bring(v.export("demo"), &tenancy.SiteFields{}); !errors.As(err, &problems) || problems.Broken()[0].Arg != "domains" {
		t.Errorf("a domain below the platform's: %v", err)
	}
	untouched("a domain below the platform's")
}

// What the row of a site says of the rest isn't believed: the site can be written
// to, and its plan holds.
func TestImportCountsAnew(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.fill("demo")
	now, err := v.platform.Sites.Get(v.ctx, "demo")
	v.must(err)
	forged := retell(t, v.export("demo"), "sites", nil, func(r map[string]any) {
		r["last_post_id"], r["last_term_id"], r["last_user_id"] = 1, 0, 0
		r["used_events"], r["used_users"], r["used_media_bytes"] = -100, -100, -100
	})
	made, err := v.bring(forged, &tenancy.SiteFields{Slug: args.Some("copy")})
	v.must(err)
	if made.Usage != now.Usage {
		t.Errorf("in use: %+v, want %+v", made.Usage, now.Usage)
	}
	v.sites["copy"], v.secrets["copy/administrator"] = made, v.secrets["demo/administrator"]
	for path, body := range map[string]map[string]any{"/events": newEvent("New"), "/categories": {"name": "Altogether new"}} {
		v.send(request{Method: "POST", Site: "copy", Path: path, As: "administrator", JSON: body}).want(t, 201, "")
	}
	v.provider("POST", "/sites/copy/users", map[string]any{"login": "fresh", "email": "fresh@example.org", "role": "editor"}).want(t, 201, "")
}
