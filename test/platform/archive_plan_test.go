package platform

import (
	"path/filepath"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// A site arrives with the plan it had when the installation has one of that name,
// else with the default one; with a backup come the plans themselves.
func TestArchiveNamesThePlan(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Plan("small", map[string]any{"limits": map[string]any{"events": 5}}).Want(t, 201, "")
	v.Provider("PATCH", "/sites/demo", map[string]any{"plan": "small", "limits": map[string]any{"users": 9}}).Want(t, 200, "")
	data := v.Export("demo")
	v.Plan("small", map[string]any{"limits": map[string]any{"events": 7}}).Want(t, 200, "")
	made, err := v.Import(data, &platform.SiteFields{Slug: args.Some("copy")})
	v.Must(err)
	if made.Plan.Name != "small" || *made.Plan.Events != 7 || *made.Plan.Users != 9 {
		t.Errorf("beside: %+v", made.Plan)
	}
	dir := filepath.Join(t.TempDir(), "backup")
	_, err = v.Archives.Backup(v.Ctx, dir, func(*archive.Saved) {})
	v.Must(err)

	w := kit.NewVaultOn(t, storagetest.Database(t))
	made, err = w.Import(data, &platform.SiteFields{Slug: args.Some("moved")})
	w.Must(err)
	if made.Plan.Name != tenancy.DefaultPlan || made.Plan.Events != nil || *made.Plan.Users != 9 {
		t.Errorf("where there is no such plan: %+v", made.Plan)
	}
	_, err = w.Archives.Restore(w.Ctx, dir, func(*archive.Saved) {})
	w.Must(err)
	w.Provider("GET", "/sites/demo", nil).Want(t, 200, "").Has(t, "plan.name", "small", "limits.events", 7, "limits.users", 9)
}
