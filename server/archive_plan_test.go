package server_test

import (
	"path/filepath"
	"testing"

	"github.com/kalends/kalends/archive"
	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// A site arrives with the plan it had when the installation has one of that name,
// else with the default one; with a backup come the plans themselves.
func TestArchiveNamesThePlan(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.plan("small", map[string]any{"limits": map[string]any{"events": 5}}).want(t, 201, "")
	v.provider("PATCH", "/sites/demo", map[string]any{"plan": "small", "limits": map[string]any{"users": 9}}).want(t, 200, "")
	data := v.export("demo")
	v.plan("small", map[string]any{"limits": map[string]any{"events": 7}}).want(t, 200, "")
	made, err := v.bring(data, &tenancy.SiteFields{Slug: args.Some("copy")})
	v.must(err)
	if made.Plan.Name != "small" || *made.Plan.Events != 7 || *made.Plan.Users != 9 {
		t.Errorf("beside: %+v", made.Plan)
	}
	dir := filepath.Join(t.TempDir(), "backup")
	_, err = v.archives.Backup(v.ctx, dir, func(*archive.Saved) {})
	v.must(err)

	w := newVaultOn(t, storagetest.Database(t))
	made, err = w.bring(data, &tenancy.SiteFields{Slug: args.Some("moved")})
	w.must(err)
	if made.Plan.Name != tenancy.DefaultPlan || made.Plan.Events != nil || *made.Plan.Users != 9 {
		t.Errorf("where there is no such plan: %+v", made.Plan)
	}
	_, err = w.archives.Restore(w.ctx, dir, func(*archive.Saved) {})
	w.must(err)
	w.provider("GET", "/sites/demo", nil).want(t, 200, "").has(t, "plan.name", "small", "limits.events", 7, "limits.users", 9)
}
