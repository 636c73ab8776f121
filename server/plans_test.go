package server_test

import (
	"net/http"
	"strings"
	"testing"
)

// plan sets a plan as the provider.
func (k *kit) plan(name string, body map[string]any) answer {
	k.t.Helper()
	return k.provider("PUT", "/plans/"+name, body)
}

// What a plan says holds for its sites from then on, but where they have limits of
// their own.
func TestPlansHoldForTheirSites(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.plan("small", map[string]any{"limits": map[string]any{"events": 1}}).want(t, 201, "")
	k.provider("PATCH", "/sites/demo", map[string]any{"plan": "small"}).want(t, 200, "")
	k.post("/events", "administrator", newEvent("First")).want(t, 201, "")
	k.post("/events", "administrator", newEvent("Second")).want(t, 403, "limit_reached")
	k.plan("small", map[string]any{"limits": map[string]any{"events": 2}}).want(t, 200, "")
	k.post("/events", "administrator", newEvent("Second")).want(t, 201, "")
	k.limit(map[string]any{"events": 3})
	k.plan("small", map[string]any{"limits": map[string]any{"events": 0}}).want(t, 200, "")
	k.post("/events", "administrator", newEvent("Third")).want(t, 201, "")
	a := k.provider("GET", "/plans/small", nil).want(t, 200, "")
	if a.Body["sites"] != 1.0 {
		t.Errorf("%s", a)
	}
	k.provider("DELETE", "/plans/small", nil).want(t, 409, "plan_in_use")
	k.provider("DELETE", "/plans/unlimited", nil).want(t, 409, "plan_is_default")
	k.provider("GET", "/plans/none", nil).want(t, 404, "rest_plan_not_found")
	wrong := k.plan("small", map[string]any{"limits": map[string]any{"users": -1}}).want(t, 400, "rest_invalid_param")
	if !strings.Contains(string(wrong.Raw), "limits") {
		t.Errorf("%s", wrong)
	}
	for method, path := range map[string]string{"PUT": "/plans/small", "PATCH": "/sites/demo"} {
		wrong = k.provider(method, path, map[string]any{"limits": map[string]any{"event": 5, "users": 3}}).want(t, 400, "rest_invalid_param")
		if !strings.Contains(string(wrong.Raw), `"limits":"There is no field event."`) {
			t.Errorf("%s %s: %s", method, path, wrong)
		}
	}
	german := k.send(request{Method: "DELETE", Path: "//platform/v1/plans/small", As: "Bearer " + providerToken,
		Headers: map[string]string{"Accept-Language": "de"}})
	if text, _ := german.Body["message"].(string); !strings.Contains(text, "Tarif") {
		t.Errorf("%s", german)
	}
	k.provider("PATCH", "/sites/demo", map[string]any{"plan": "unlimited"}).want(t, 200, "")
	k.provider("DELETE", "/plans/small", nil).want(t, 200, "")
}

// What a plan switches off is off although answers are kept and no site changed.
func TestPlansAreFeltThroughKeptAnswers(t *testing.T) {
	t.Parallel()
	_, kept := cachedKit(t)
	kept.plan("near", map[string]any{}).want(t, 201, "")
	kept.provider("PATCH", "/sites/demo", map[string]any{"plan": "near"}).want(t, 200, "")
	const near = "/events?geoloc=true"
	for range 2 {
		kept.get(near, "").want(t, http.StatusOK, "")
	}
	kept.plan("near", map[string]any{"geo": false}).want(t, 200, "")
	kept.get(near, "").want(t, http.StatusBadRequest, "rest_invalid_param")
	kept.plan("near", map[string]any{}).want(t, 200, "")
	kept.get(near, "").want(t, http.StatusOK, "")
}
