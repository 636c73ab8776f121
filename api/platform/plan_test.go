package platform

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/apitest"
)

// A plan is replaced as a whole; sending back what was read changes nothing.
func TestPlatformPlans(t *testing.T) {
	t.Parallel()
	app := aPlatform()
	doc := apitest.Load(t, []byte(ask(t, app, "GET", "/doc", "").body))
	for _, c := range []struct {
		method, path, body string
		status             int
		schema, contains   string
	}{
		{"PUT", "/plans/small", `{"limits":{"events":5,"media_bytes":0,"requests_per_minute":60},"geo":false}`, 201, "Plan",
			`"geo":false,"limits":{"events":5,"occurrences":2000000,"users":null,"media_bytes":0,"webhooks":null,"letters":null,"requests_per_minute":60},"sites":0`},
		{"GET", "/plans/small", "", 200, "Plan", `"name":"small"`},
		{"GET", "/plans", "", 200, "PlanList", `"name":"small"`},
		{"PUT", "/plans/small", `{"name":"other","limits":{"events":null,"users":7}}`, 200, "Plan",
			`{"name":"small","geo":true,"limits":{"events":null,"occurrences":null,"users":7,"media_bytes":null,"webhooks":null,"letters":null,"requests_per_minute":null}`},
		{"PUT", "/plans/small", `{"limits":{"events":5,"occurrences":null}}`, 200, "Plan", `"events":5,"occurrences":null`},
		{"PUT", "/plans/small", `{"limits":{"events":5,"occurrences":70}}`, 200, "Plan", `"events":5,"occurrences":70`},
		{"PUT", "/plans/small", `{"limits":null}`, 200, "Plan", `"users":null`},
		{"DELETE", "/plans/small", "", 200, "Plan", `"name":"small"`},
		{"DELETE", "/plans/small", "", 404, "", ``},
		{"DELETE", "/plans/taken", "", 409, "", ``},
		{"DELETE", "/plans/unlimited", "", 409, "", ``},
		{"GET", "/plans/none", "", 404, "", ``},
		{"PUT", "/plans/No%20name", `{}`, 400, "", `problem.site.slug`},
		{"PUT", "/plans/small", `{"limits":{"events":-1}}`, 400, "", `limits`},
		{"PUT", "/plans/small", `{"limits":{"occurrences":-1}}`, 400, "", `limits`},
		{"PUT", "/plans/small", `{"limits":{"requests_per_minute":0}}`, 400, "", `limits`},
		{"PUT", "/plans/small", `{"limits":{"users":"many"}}`, 400, "", `limits`},
		{"PUT", "/plans/small", `{"limits":5}`, 400, "", `limits`},
		{"PUT", "/plans/small", `{"geo":null}`, 400, "", `geo`},
		{"GET", "/plans/small", "", 404, "", ``},
		{"POST", "/plans/small", `{}`, 405, "", ``},
	} {
		got := ask(t, app, c.method, c.path, c.body)
		if got.status != c.status || !strings.Contains(got.body, c.contains) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, got.status, got.body)
			continue
		}
		if c.schema != "" {
			apitest.Satisfies(t, doc, c.schema, []byte(got.body))
		}
		if at := got.header.Get("Location"); (c.status == http.StatusCreated) != strings.HasSuffix(at, "/platform/v1/plans/small") {
			t.Errorf("%s %s: at %q", c.method, c.path, at)
		}
	}
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		if got := ask(t, app, method, "/plans/small", "", authorization("")); got.status != http.StatusUnauthorized {
			t.Errorf("%s as nobody: %d", method, got.status)
		}
	}
}
