package platform

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// What a plan says holds for its sites from then on, but where they have limits of
// their own.
func TestPlansHoldForTheirSites(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Plan("small", map[string]any{"limits": map[string]any{"events": 1}}).Want(t, 201, "")
	k.Provider("PATCH", "/sites/demo", map[string]any{"plan": "small"}).Want(t, 200, "")
	k.Post("/events", "administrator", kit.NewEvent("First")).Want(t, 201, "")
	k.Post("/events", "administrator", kit.NewEvent("Second")).Want(t, 403, "limit_reached")
	k.Plan("small", map[string]any{"limits": map[string]any{"events": 2}}).Want(t, 200, "")
	k.Post("/events", "administrator", kit.NewEvent("Second")).Want(t, 201, "")
	k.Limit(map[string]any{"events": 3})
	k.Plan("small", map[string]any{"limits": map[string]any{"events": 0}}).Want(t, 200, "")
	k.Post("/events", "administrator", kit.NewEvent("Third")).Want(t, 201, "")
	a := k.Provider("GET", "/plans/small", nil).Want(t, 200, "")
	if a.Body["sites"] != 1.0 {
		t.Errorf("%s", a)
	}
	k.Provider("DELETE", "/plans/small", nil).Want(t, 409, "plan_in_use")
	k.Provider("DELETE", "/plans/unlimited", nil).Want(t, 409, "plan_is_default")
	k.Provider("GET", "/plans/none", nil).Want(t, 404, "rest_plan_not_found")
	wrong := k.Plan("small", map[string]any{"limits": map[string]any{"users": -1}}).Want(t, 400, "rest_invalid_param")
	if !strings.Contains(string(wrong.Raw), "limits") {
		t.Errorf("%s", wrong)
	}
	for method, path := range map[string]string{"PUT": "/plans/small", "PATCH": "/sites/demo"} {
		wrong = k.Provider(method, path, map[string]any{"limits": map[string]any{"event": 5, "users": 3}}).Want(t, 400, "rest_invalid_param")
		if !strings.Contains(string(wrong.Raw), `"limits":"There is no field event."`) {
			t.Errorf("%s %s: %s", method, path, wrong)
		}
	}
	german := k.Send(kit.Request{Method: "DELETE", Path: "//platform/v1/plans/small", As: "Bearer " + kit.ProviderToken,
		Headers: map[string]string{"Accept-Language": "de"}})
	if text, _ := german.Body["message"].(string); !strings.Contains(text, "Tarif") {
		t.Errorf("%s", german)
	}
	k.Provider("PATCH", "/sites/demo", map[string]any{"plan": "unlimited"}).Want(t, 200, "")
	k.Provider("DELETE", "/plans/small", nil).Want(t, 200, "")
}

// What a plan switches off is off although answers are kept and no site changed.
func TestPlansAreFeltThroughKeptAnswers(t *testing.T) {
	t.Parallel()
	_, kept := kit.CachedKit(t)
	kept.Plan("near", map[string]any{}).Want(t, 201, "")
	kept.Provider("PATCH", "/sites/demo", map[string]any{"plan": "near"}).Want(t, 200, "")
	const near = "/events?geoloc=true"
	for range 2 {
		kept.Get(near, "").Want(t, http.StatusOK, "")
	}
	kept.Plan("near", map[string]any{"geo": false}).Want(t, 200, "")
	kept.Get(near, "").Want(t, http.StatusBadRequest, "rest_invalid_param")
	kept.Plan("near", map[string]any{}).Want(t, 200, "")
	kept.Get(near, "").Want(t, http.StatusOK, "")
}
