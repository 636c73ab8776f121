package server_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A write to a site with If-Match changes nothing when the site isn't as it was seen.
func TestSiteIsChangedAsItWasSeen(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.site("other")
	send := func(method, path, tag string, body any) answer {
		return k.send(request{Method: method, Path: "//platform/v1/sites/other" + path, As: "Bearer " + providerToken, JSON: body,
			Headers: map[string]string{"If-Match": tag}})
	}
	seen := k.provider("GET", "/sites/other", nil).want(t, 200, "")
	first := seen.Header.Get("ETag")
	changed := send("PATCH", "", first, map[string]any{"name": "Mine"}).want(t, 200, "")
	for method, path := range map[string]string{"PATCH": "", "DELETE": "", "POST": "/undelete"} {
		send(method, path, first, map[string]any{"name": "Theirs"}).want(t, 412, "rest_precondition_failed")
		send(method, path, `"nonsense"`, map[string]any{"name": "Theirs"}).want(t, 412, "rest_precondition_failed")
	}
	now := k.provider("GET", "/sites/other", nil).want(t, 200, "")
	if !cmp.Equal(now.Body, changed.Body) || now.Header.Get("ETag") != changed.Header.Get("ETag") {
		t.Errorf("changed all the same: %s", cmp.Diff(changed.Body, now.Body))
	}
	again := send("PATCH", "", `"x", `+now.Header.Get("ETag"), map[string]any{"name": "Mine, too"}).want(t, 200, "")
	deleted := send("DELETE", "", again.Header.Get("ETag"), nil).want(t, 200, "")
	send("POST", "/undelete", deleted.Header.Get("ETag"), nil).want(t, 200, "")
	german := k.send(request{Method: "PATCH", Path: "//platform/v1/sites/other", As: "Bearer " + providerToken, JSON: map[string]any{},
		Headers: map[string]string{"If-Match": first, "Accept-Language": "de"}}).want(t, 412, "rest_precondition_failed")
	if german.Header.Get("Content-Language") != "de" {
		t.Errorf("%s", german)
	}
	send("PATCH", "", "*", map[string]any{"name": "Anybody's"}).want(t, 200, "")
}

// So are users and plans. A plan that isn't there is not as anybody has seen it.
func TestUsersAndPlansAreChangedAsTheyWereSeen(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	send := func(method, path, tag string, body any) answer {
		return k.send(request{Method: method, Path: "//platform/v1" + path, As: "Bearer " + providerToken, JSON: body,
			Headers: map[string]string{"If-Match": tag}})
	}
	user := map[string]any{"login": "ann", "email": "ann@example.org", "role": "editor"}
	ann := k.provider("POST", "/sites/demo/users", user).want(t, 201, "")
	k.plan("small", map[string]any{"geo": true}).want(t, 201, "")
	for path, c := range map[string]struct {
		method      string
		mine, other map[string]any
	}{
		"/sites/demo/users/" + fmt.Sprint(ann.Body["id"]): {"PATCH", map[string]any{"role": "author"}, map[string]any{"name": "Ann"}},
		"/plans/small": {"PUT", map[string]any{"limits": map[string]any{"events": 7}}, map[string]any{"limits": map[string]any{"users": 7}}},
	} {
		first := k.provider("GET", path, nil).want(t, 200, "").Header.Get("ETag")
		changed := send(c.method, path, first, c.mine).want(t, 200, "")
		send(c.method, path, first, c.other).want(t, 412, "rest_precondition_failed")
		send("DELETE", path, first, nil).want(t, 412, "rest_precondition_failed")
		now := k.provider("GET", path, nil).want(t, 200, "")
		if !cmp.Equal(now.Body, changed.Body) || now.Header.Get("ETag") != changed.Header.Get("ETag") {
			t.Errorf("%s, changed all the same: %s", path, cmp.Diff(changed.Body, now.Body))
		}
		send(c.method, path, "*", c.other).want(t, 200, "")
		last := send(c.method, path, `"x", `+k.provider("GET", path, nil).Header.Get("ETag"), c.mine).want(t, 200, "")
		send("DELETE", path, last.Header.Get("ETag"), nil).want(t, 200, "")
	}
	for _, tag := range []string{"*", `"0-x"`, `"x"`} {
		send("PUT", "/plans/small", tag, map[string]any{}).want(t, 412, "rest_precondition_failed")
	}
	k.provider("GET", "/plans/small", nil).want(t, 404, "rest_plan_not_found")
}
