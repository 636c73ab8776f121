package platform

import (
	"errors"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// An archive brings no address but those that its manifest names, and of these none
// that is the platform's here: it would be found in another site's place.
func TestImportTakesNobodysAddress(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	_, err := v.Platform.Sites.Update(v.Ctx, "demo", &platform.SiteFields{Domains: args.Some(args.Texts{"fest.example"})})
	v.Must(err)
	data := v.Export("demo")
	w := kit.NewVaultOn(t, storagetest.Database(t))
	w.Site("club")
	untouched := untouched(w)
	for _, domain := range []string{"club.localhost", "localhost", "*.example", "other.example"} {
		forged := retell(t, data, "domains", nil, func(r map[string]any) { r["domain"] = domain })
		if _, err := w.Import(forged, &platform.SiteFields{}); !errors.Is(err, archive.ErrDamaged) {
			t.Errorf("%s: %v", domain, err)
		}
		untouched(domain)
	}
	_, err = v.Platform.Sites.Update(v.Ctx, "demo", &platform.SiteFields{Domains: args.Some(args.Texts{"fest.example", "bücher.example"})})
	v.Must(err)
	made, err := w.Import(v.Export("demo"), &platform.SiteFields{})
	if err != nil || len(made.Domains) != 2 {
		t.Fatalf("what the manifest names: %v, %v", made, err)
	}
	elsewhere := platform.New(w.DB, platform.Options{Domain: "example"})
	_, err = w.Platform.Sites.Delete(w.Ctx, "demo", kit.AtOnce())
	w.Must(err)
	w.Archives = archive.New(w.DB.Archives(), w.Pictures, elsewhere.Sites, nil)
	var problems *args.Problems
	if _, err := w.Import(v.Export("demo"), &platform.SiteFields{}); !errors.As(err, &problems) || problems.Broken()[0].Arg != "domains" {
		t.Errorf("a domain below the platform's: %v", err)
	}
	untouched("a domain below the platform's")
}

// What the row of a site says of the rest isn't believed: the site can be written
// to, and its plan holds.
func TestImportCountsAnew(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	now, err := v.Platform.Sites.Get(v.Ctx, "demo")
	v.Must(err)
	forged := retell(t, v.Export("demo"), "sites", nil, func(r map[string]any) {
		r["last_post_id"], r["last_term_id"], r["last_user_id"] = 1, 0, 0
		r["used_events"], r["used_users"], r["used_media_bytes"] = -100, -100, -100
	})
	made, err := v.Import(forged, &platform.SiteFields{Slug: args.Some("copy")})
	v.Must(err)
	if made.Usage != now.Usage {
		t.Errorf("in use: %+v, want %+v", made.Usage, now.Usage)
	}
	v.Sites["copy"], v.Secrets["copy/administrator"] = made, v.Secrets["demo/administrator"]
	for path, body := range map[string]map[string]any{"/events": kit.NewEvent("New"), "/categories": {"name": "Altogether new"}} {
		v.Send(kit.Request{Method: "POST", Site: "copy", Path: path, As: "administrator", JSON: body}).Want(t, 201, "")
	}
	v.Provider("POST", "/sites/copy/users", map[string]any{"login": "fresh", "email": "fresh@example.org", "role": "editor"}).Want(t, 201, "")
}
