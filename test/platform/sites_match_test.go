package platform

import (
	"fmt"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/google/go-cmp/cmp"
)

// A write to a site with If-Match changes nothing when the site isn't as it was seen.
func TestSiteIsChangedAsItWasSeen(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("other")
	send := func(method, path, tag string, body any) kit.Answer {
		return k.Send(kit.Request{Method: method, Path: "//platform/v1/sites/other" + path, As: "Bearer " + kit.ProviderToken, JSON: body,
			Headers: map[string]string{"If-Match": tag}})
	}
	seen := k.Provider("GET", "/sites/other", nil).Want(t, 200, "")
	first := seen.Header.Get("ETag")
	changed := send("PATCH", "", first, map[string]any{"name": "Mine"}).Want(t, 200, "")
	for method, path := range map[string]string{"PATCH": "", "DELETE": "", "POST": "/undelete"} {
		send(method, path, first, map[string]any{"name": "Theirs"}).Want(t, 412, "rest_precondition_failed")
		send(method, path, `"nonsense"`, map[string]any{"name": "Theirs"}).Want(t, 412, "rest_precondition_failed")
	}
	now := k.Provider("GET", "/sites/other", nil).Want(t, 200, "")
	if !cmp.Equal(now.Body, changed.Body) || now.Header.Get("ETag") != changed.Header.Get("ETag") {
		t.Errorf("changed all the same: %s", cmp.Diff(changed.Body, now.Body))
	}
	again := send("PATCH", "", `"x", `+now.Header.Get("ETag"), map[string]any{"name": "Mine, too"}).Want(t, 200, "")
	deleted := send("DELETE", "", again.Header.Get("ETag"), nil).Want(t, 200, "")
	send("POST", "/undelete", deleted.Header.Get("ETag"), nil).Want(t, 200, "")
	german := k.Send(kit.Request{Method: "PATCH", Path: "//platform/v1/sites/other", As: "Bearer " + kit.ProviderToken, JSON: map[string]any{},
		Headers: map[string]string{"If-Match": first, "Accept-Language": "de"}}).Want(t, 412, "rest_precondition_failed")
	if german.Header.Get("Content-Language") != "de" {
		t.Errorf("%s", german)
	}
	send("PATCH", "", "*", map[string]any{"name": "Anybody's"}).Want(t, 200, "")
}

// So are users and plans. A plan that isn't there is not as anybody has seen it.
func TestUsersAndPlansAreChangedAsTheyWereSeen(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	send := func(method, path, tag string, body any) kit.Answer {
		return k.Send(kit.Request{Method: method, Path: "//platform/v1" + path, As: "Bearer " + kit.ProviderToken, JSON: body,
			Headers: map[string]string{"If-Match": tag}})
	}
	user := map[string]any{"login": "ann", "email": "ann@example.org", "role": "editor"}
	ann := k.Provider("POST", "/sites/demo/users", user).Want(t, 201, "")
	k.Plan("small", map[string]any{"geo": true}).Want(t, 201, "")
	for path, c := range map[string]struct {
		method      string
		mine, other map[string]any
	}{
		"/sites/demo/users/" + fmt.Sprint(ann.Body["id"]): {"PATCH", map[string]any{"role": "author"}, map[string]any{"name": "Ann"}},
		"/plans/small": {"PUT", map[string]any{"limits": map[string]any{"events": 7}}, map[string]any{"limits": map[string]any{"users": 7}}},
	} {
		first := k.Provider("GET", path, nil).Want(t, 200, "").Header.Get("ETag")
		changed := send(c.method, path, first, c.mine).Want(t, 200, "")
		send(c.method, path, first, c.other).Want(t, 412, "rest_precondition_failed")
		send("DELETE", path, first, nil).Want(t, 412, "rest_precondition_failed")
		now := k.Provider("GET", path, nil).Want(t, 200, "")
		if !cmp.Equal(now.Body, changed.Body) || now.Header.Get("ETag") != changed.Header.Get("ETag") {
			t.Errorf("%s, changed all the same: %s", path, cmp.Diff(changed.Body, now.Body))
		}
		send(c.method, path, "*", c.other).Want(t, 200, "")
		last := send(c.method, path, `"x", `+k.Provider("GET", path, nil).Header.Get("ETag"), c.mine).Want(t, 200, "")
		send("DELETE", path, last.Header.Get("ETag"), nil).Want(t, 200, "")
	}
	for _, tag := range []string{"*", `"0-x"`, `"x"`} {
		send("PUT", "/plans/small", tag, map[string]any{}).Want(t, 412, "rest_precondition_failed")
	}
	k.Provider("GET", "/plans/small", nil).Want(t, 404, "rest_plan_not_found")
}
