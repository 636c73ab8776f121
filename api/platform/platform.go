// Package platform is the provider's interface: its routes about sites, their users, keys, domains and plans, and about work in the
// background. Handlers map arguments to an answer and know no HTTP.
package platform

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/doc"
	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// API is the provider's interface to sites and their users.
type API struct {
	platform *platform.Platform
	jobs     *jobs.Jobs
	domain   string
	here     func(host string) bool
	routes   []api.Route
	repeats  *api.Repeats // nil: answers are not kept
}

// New returns the provider's interface. Sites without a domain of their own are below domain. here decides by
// the Host header where the interface is available.
func New(t *platform.Platform, j *jobs.Jobs, domain string, here func(host string) bool) *API {
	p := &API{platform: t, jobs: j, domain: domain, here: here}
	p.routes = p.Routes()
	return p
}

// The arguments in paths.
type (
	ofSite  = api.BySlug
	ofEntry struct {
		api.BySlug
		api.ByID
	}
	ofPlan struct {
		Name args.Opt[string] `arg:"name,path"`
	}
	ofDomain struct {
		api.BySlug
		Domain args.Opt[string] `arg:"domain,path"`
	}
)

// The paths for uploading archives: of new sites, and below a site.
const (
	importPath  = "/imports"
	restorePath = "/restore"
)

// Routes returns the route table of the provider's interface.
func (p *API) Routes() []api.Route {
	const (
		get, post, del       = "GET", "POST", "DELETE"
		read, create, update = args.Reading, args.Creating, args.Updating
		site, user           = "site", "user"
		sites, siteSlug      = "/sites", "/sites/{slug}"
		users, userID        = "/sites/{slug}/users", "/sites/{slug}/users/{id}"
		domain, plan         = "domain", "plan"
		domains, oneDomain   = "/sites/{slug}/domains", "/sites/{slug}/domains/{domain}"
		plans, planName      = "/plans", "/plans/{name}"
		job, key             = "job", "key"
		keys, keyID          = "/sites/{slug}/keys", "/sites/{slug}/keys/{id}"
	)
	list := []api.Route{
		api.On[api.Nothing](get, "/doc", "platform.doc", read, p.doc).Of("", "Document"),

		api.On[api.Nothing](get, sites, "platform.sites.list", read, p.listSites).Of(site, "SiteList"),
		api.On[api.Nothing](post, sites, "platform.sites.create", create, p.createSite).Of(site, "Site"),
		api.On[ofSite](get, siteSlug, "platform.sites.get", read, p.getSite).Of(site, "Site"),
		api.On[ofSite]("", siteSlug, "platform.sites.update", update, p.updateSite).Of(site, "Site"),
		api.On[ofSite](del, siteSlug, "platform.sites.delete", read, p.deleteSite).Of(site, "Site"),
		api.On[ofSite](post, siteSlug+"/undelete", "platform.sites.undelete", read, p.undeleteSite).Of(site, "Site"),

		api.On[ofSite](get, users, "platform.users.list", read, p.listUsers).Of(user, "UserList"),
		api.On[ofSite](post, users, "platform.users.create", create, p.createUser).Of(user, "User"),
		api.On[ofEntry](get, userID, "platform.users.get", read, p.getUser).Of(user, "User"),
		api.On[ofEntry]("", userID, "platform.users.update", update, p.updateUser).Of(user, "User"),
		api.On[ofEntry](del, userID, "platform.users.delete", read, p.deleteUser).Of(user, "User"),

		api.On[ofSite](get, keys, "platform.keys.list", read, p.listKeys).Of(key, "KeyList"),
		api.On[ofEntry](del, keyID, "platform.keys.revoke", read, p.revokeKey).Of(key, "Key"),

		api.On[ofSite](get, domains, "platform.domains.list", read, p.listDomains).Of(domain, "DomainList"),
		api.On[ofSite](post, domains, "platform.domains.create", create, p.claimDomain).Of(domain, "Domain"),
		api.On[ofDomain](del, oneDomain, "platform.domains.delete", read, p.deleteDomain).Of(domain, "Domain"),
		api.On[ofDomain](post, oneDomain+"/check", "platform.domains.check", read, p.checkDomain).Of(domain, "Domain"),
		api.On[api.Nothing](get, plans, "platform.plans.list", read, p.listPlans).Of(plan, "PlanList"),
		api.On[ofPlan](get, planName, "platform.plans.get", read, p.getPlan).Of(plan, "Plan"),
		api.On[ofPlan]("PUT", planName, "platform.plans.set", create, p.setPlan).Of(plan, "Plan"),
		api.On[ofPlan](del, planName, "platform.plans.delete", read, p.deletePlan).Of(plan, "Plan"),

		api.On[ofSite](get, "/sites/{slug}/audit", "platform.audit.site", read, p.siteAudit).Of("audit", "History"),
		api.On[api.Nothing](get, "/audit", "platform.audit.provider", read, p.audit).Of("audit", "History"),

		api.On[ofSite](post, siteSlug+"/exports", "platform.jobs.export", read, p.exportSite).Of(job, "Job").Later(),
		api.On[ofSite](post, siteSlug+restorePath, "platform.jobs.restore", read, p.restoreSite).Of(job, "Job").Later().
			TakingArchive(archiveSource),
		api.On[api.Nothing](post, importPath, "platform.jobs.import", read, p.importSite).Of(job, "Job").Later().
			TakingArchive(archiveSource),
		api.On[api.Nothing](get, "/gatherings", "platform.gatherings.list", read, p.listGatherings).Of("gathering", "GatheringList"),

		api.On[api.Nothing](get, "/requests", "platform.requests.list", read, p.listRequests).Of(site, "RequestsList"),

		api.On[api.Nothing](get, "/jobs", "platform.jobs.list", read, p.listJobs).Of(job, "JobList"),
		api.On[api.ByID](get, "/jobs/{id}", "platform.jobs.get", read, p.getJob).Of(job, "Job"),
		api.On[api.ByID](del, "/jobs/{id}", "platform.jobs.cancel", read, p.cancelJob).Of(job, "Job"),
		api.On[api.ByID](get, "/jobs/{id}/archive", "platform.jobs.archive", read, p.jobArchive).Of(job, ""),
	}
	for i := range list {
		if list[i].Mode == update {
			list[i].Methods = []string{http.MethodPatch}
		}
	}
	return list
}

// Mount adds the routes to an app whose middleware sets language and origin of the scope. Requests have no user,
// and no site except the one in the path.
func (p *API) Mount(app fiber.Router) {
	const ask = api.PlatformNamespace + "/domains/ask"
	app.Get(ask, p.ask)
	app.All(ask, func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderAllow, "GET, HEAD")
		return api.ErrMethod
	})
	api.Mount(app, api.PlatformNamespace, p.routes, p.handle, func(path []*api.Route) fiber.Handler {
		return func(c *fiber.Ctx) error {
			c.Set(fiber.HeaderAllow, api.Methods(path))
			return c.SendStatus(fiber.StatusNoContent)
		}
	})
}

// handle requires the provider, except for the documentation.
func (p *API) handle(r *api.Route, _ []*api.Route) fiber.Handler {
	next := api.Handle(r, platformKey, p.repeats)
	return func(c *fiber.Ctx) error {
		if !p.here(tenancy.Current(c.UserContext()).Base.Host()) {
			return api.ErrNoRoute
		}
		c.Set(fiber.HeaderCacheControl, "private, no-store")
		c.Set(fiber.HeaderContentLanguage, tenancy.Current(c.UserContext()).Language)
		c.Vary(fiber.HeaderAcceptLanguage)
		ctx, err := p.enter(c.UserContext(), c.Get(fiber.HeaderAuthorization))
		if err != nil {
			return err
		}
		if r.Resource != "" && !tenancy.ByProvider(ctx) {
			return tenancy.ErrUnauthenticated
		}
		c.SetUserContext(ctx)
		return next(c)
	}
}

// enter returns the context of a request without site and principal. It acts as the provider if the header contains a
// provider token. It returns ErrCredentials for any other header.
func (p *API) enter(ctx context.Context, header string) (context.Context, error) {
	request := tenancy.Current(ctx)
	scope := tenancy.Scope{Language: request.Language, Base: request.Base, Address: request.Address}
	scope.Base.Namespace = api.PlatformNamespace
	ctx = tenancy.With(ctx, scope)
	if header == "" {
		return ctx, nil
	}
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil, tenancy.ErrCredentials
	}
	provider, err := p.platform.Authenticator.Provider(ctx, strings.TrimSpace(token))
	if err != nil {
		return nil, err
	}
	return tenancy.AsProvider(ctx, provider), nil
}

// platformKey parses the path. Slugs of sites and names of plans are taken literally.
func platformKey(c *fiber.Ctx, _ *tenancy.Scope) (calendar.Key, error) {
	key := calendar.Key{Slug: cmp.Or(c.Params("slug"), c.Params("name"))}
	if plain, err := url.PathUnescape(key.Slug); err == nil {
		key.Slug = plain
	}
	if text := utf8.ValidString(key.Slug) && !strings.ContainsRune(key.Slug, 0); !text && c.Method() != fiber.MethodPut {
		return key, tenancy.ErrNoSite // nothing can have an invalid name; creating one reports why
	}
	if digits := c.Params("id"); digits != "" {
		id, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || id == 0 {
			return key, accounts.ErrNoUser
		}
		key.ID = id
	}
	return key, nil
}

func (p *API) doc(ctx context.Context, _ api.Call, _ *api.Nothing) (*api.Answer, error) {
	v := newView(ctx)
	d := doc.Document{Texts: "doc.platform", Routes: p.routes, Shapes: schema.Platform, Samples: samples, Security: []string{"bearer"},
		Closed: true}
	d.Write(v.View)
	return v.Answer(0), nil
}
