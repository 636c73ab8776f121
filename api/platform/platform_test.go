package platform

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/apitest"
)

const (
	providerToken = "a-token-of-the-provider"
	platformHost  = "kalends.example:8080"
)

// platformRefusals maps errors of the provider's interface to responses as the server would.
var platformRefusals = []struct {
	err    error
	status int
}{
	{tenancy.ErrCredentials, 401}, {tenancy.ErrUnauthenticated, 401}, {api.ErrNoRoute, 404}, {api.ErrMethod, 405},
	{tenancy.ErrNoSite, 404}, {accounts.ErrNoUser, 404}, {accounts.ErrLastAdministrator, 409},
	{platform.ErrNoDomain, 404}, {accounts.ErrNoKey, 404}, {platform.ErrNoPlan, 404}, {platform.ErrPlanInUse, 409}, {platform.ErrDefaultPlan, 409},
}

// aPlatform returns an app with the provider's interface for one site, demo, with one user, an administrator.
func aPlatform(options ...func(*platform.Options)) *fiber.App {
	app := fiber.New(fiber.Config{DisableStartupMessage: true, ErrorHandler: func(c *fiber.Ctx, err error) error {
		if p := (*args.Problems)(nil); errors.As(err, &p) {
			return c.Status(400).SendString(err.Error())
		}
		for _, r := range platformRefusals {
			if errors.Is(err, r.err) {
				return c.Status(r.status).SendString(err.Error())
			}
		}
		return c.Status(500).SendString(err.Error())
	}})
	app.Use(func(c *fiber.Ctx) error {
		scope := apitest.Scope("de")
		scope.Base.Origin = "http://" + c.Hostname()
		c.SetUserContext(tenancy.With(c.UserContext(), scope))
		return c.Next()
	})
	o := platform.Options{Domain: "kalends.example", ProviderToken: providerToken}
	for _, option := range options {
		option(&o)
	}
	t := platform.New(newFewSites(), o)
	New(t, nil, "kalends.example", func(host string) bool { return host == platformHost }).Mount(app)
	return app
}

// reply is the response of an app.
type reply struct {
	status int
	header http.Header
	body   string
}

// ask sends one request of the provider.
func ask(t *testing.T, app *fiber.App, method, path, body string, change ...func(*http.Request)) reply {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, api.PlatformNamespace+path, strings.NewReader(body))
	r.Host = platformHost
	r.Header.Set("Authorization", "Bearer "+providerToken)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, c := range change {
		c(r)
	}
	answer, err := app.Test(r, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{answer.StatusCode, answer.Header, string(content)}
}

func authorization(value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", value) }
}

func host(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }

func nothingElse(*http.Request) {}

func TestPlatformLetsTheProviderIn(t *testing.T) {
	t.Parallel()
	app := aPlatform()
	for name, c := range map[string]struct {
		path   string
		change func(*http.Request)
		status int
	}{
		"provider":             {"/sites", nothingElse, 200},
		"scheme in capitals":   {"/sites", authorization("BEARER " + providerToken), 200},
		"nobody":               {"/sites", authorization(""), 401},
		"wrong token":          {"/sites", authorization("Bearer wrong"), 401},
		"no token":             {"/sites", authorization("Bearer "), 401},
		"another scheme":       {"/sites", authorization("Basic " + providerToken), 401},
		"a site's host":        {"/sites", host("demo.kalends.example:8080"), 404},
		"document for all":     {"/doc", authorization(""), 200},
		"document, wrong":      {"/doc", authorization("Bearer wrong"), 401},
		"document, other host": {"/doc", host("club.example"), 404},
		"no route":             {"/nothing", nothingElse, 404},
		"letters for an id":    {"/sites/demo/users/me", nothingElse, 404},
		"nobody, no user":      {"/sites/demo/users/1", authorization(""), 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ask(t, app, "GET", c.path, "", c.change)
			if got.status != c.status {
				t.Errorf("%d", got.status)
			}
			if keep := got.header.Get("Cache-Control"); c.status == 200 && keep != "private, no-store" {
				t.Errorf("kept as %q", keep)
			}
		})
	}
}

func TestPlatformRefuses(t *testing.T) {
	t.Parallel()
	app := aPlatform()
	for name, c := range map[string]struct {
		method, path, body string
		status             int
	}{
		"unknown site":          {"GET", "/sites/none", "", 404},
		"change unknown site":   {"PATCH", "/sites/none", `{"name":"N"}`, 404},
		"users of unknown site": {"GET", "/sites/none/users", "", 404},
		"unknown user":          {"GET", "/sites/demo/users/99", "", 404},
		"id beyond all":         {"GET", "/sites/demo/users/99999999999999999999", "", 404},
		"last administrator":    {"DELETE", "/sites/demo/users/1", "", 409},
		"degraded to editor":    {"PATCH", "/sites/demo/users/1", `{"role":"editor"}`, 409},
		"site without a name":   {"POST", "/sites", `{"slug":"x"}`, 400},
		"user without a role":   {"POST", "/sites/demo/users", `{"login":"x","email":"x@x.example"}`, 400},
		"broken settings":       {"PATCH", "/sites/demo", `{"settings":{"per_page":0}}`, 400},
		"put":                   {"PUT", "/sites/demo", `{"name":"N"}`, 405},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := ask(t, app, c.method, c.path, c.body); got.status != c.status {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
}

// Responses of the provider's interface satisfy the schemas of its document.
func TestPlatformAnswersSatisfySchemas(t *testing.T) {
	t.Parallel()
	app := aPlatform()
	doc := apitest.Load(t, []byte(ask(t, app, "GET", "/doc", "").body))
	for _, c := range []struct {
		method, path, body string
		status             int
		schema             string
		contains           string
	}{
		{"POST", "/sites", `{"slug":"club","name":"Club","domains":["club.example"],"settings":{"per_page":20}}`, 201, "Site",
			`"api":"http://club.example:8080/calendar/events/v1"`},
		{"GET", "/sites?per_page=1&search=d", "", 200, "SiteList", `"total":1,"total_pages":1`},
		{"GET", "/sites?per_page=1", "", 200, "SiteList",
			`"next_rest_url":"http://kalends.example:8080/platform/v1/sites/?per_page=1&page=2"`},
		{"GET", "/sites/demo", "", 200, "Site", `"api":"http://demo.kalends.example:8080/calendar/events/v1"`},
		{"PATCH", "/sites/demo", `{"geo":false,"settings":{"currency_code":"EUR"}}`, 200, "Site",
			`"currency_code":"EUR","currency_position":"prefix","tagline":"","map_tiles":"","map_credit":"","share":["nobody"],"share_on":false,"listed":false},"plan":{"name":"","geo":false}`},
		{"POST", "/sites/demo/users", `{"login":"anna","email":"anna@demo.example","role":"administrator"}`, 201, "User",
			`"application_password":"`},
		{"GET", "/sites/demo/users", "", 200, "UserList", `"rest_url":"http://kalends.example:8080/platform/v1/sites/demo/users/?page=1`},
		{"GET", "/sites/demo/users/2?_fields=login,role", "", 200, "", `{"login":"anna","role":"administrator"}`},
		{"PATCH", "/sites/demo/users/2", `{"name":"Anna"}`, 200, "User", `"name":"Anna"`},
		{"DELETE", "/sites/demo/users/1", "", 200, "User", `"login":"root"`},
		{"DELETE", "/sites/club", "", 200, "Site", `"slug":"club"`},
		{"GET", "/doc", "", 200, "Document", `"url":"http://kalends.example:8080/platform/v1"`},
	} {
		got := ask(t, app, c.method, c.path, c.body)
		if got.status != c.status || !strings.Contains(got.body, c.contains) {
			t.Errorf("%s %s: %d %s", c.method, c.path, got.status, got.body)
			continue
		}
		if c.method != "POST" && strings.Contains(got.body, `"application_password":`) && c.schema != "Document" {
			t.Errorf("%s %s shows the password again", c.method, c.path)
		}
		if (c.method == "POST") != (got.header.Get("Location") != "") {
			t.Errorf("%s %s: location %q", c.method, c.path, got.header.Get("Location"))
		}
		if c.schema != "" {
			apitest.Satisfies(t, doc, c.schema, []byte(got.body))
		}
	}
	if allow := ask(t, app, "OPTIONS", "/sites/demo", "").header.Get("Allow"); allow != "GET, PATCH, DELETE" {
		t.Errorf("allowed: %s", allow)
	}
}

// Lists have their totals in headers, too, and unchanged responses are not sent again.
func TestPlatformHeaders(t *testing.T) {
	t.Parallel()
	app := aPlatform()
	first := ask(t, app, "GET", "/sites", "").header
	if first.Get("X-Tec-Total") != "1" || first.Get("X-Tec-Totalpages") != "1" || first.Get("Content-Language") != "de" {
		t.Errorf("%v", first)
	}
	again := ask(t, app, "GET", "/sites", "", func(r *http.Request) { r.Header.Set("If-None-Match", first.Get("ETag")) })
	if again.status != http.StatusNotModified {
		t.Errorf("%d", again.status)
	}
	var doc struct {
		Info struct {
			Title string `json:"title"`
		} `json:"info"`
	}
	german := ask(t, app, "GET", "/doc", "").body
	if err := json.Unmarshal([]byte(german), &doc); err != nil || doc.Info.Title != i18n.Text("de", "doc.platform.title", nil) {
		t.Errorf("%q, %v", doc.Info.Title, err)
	}
}
