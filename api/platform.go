package api

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// PlatformNamespace is the path of the provider's interface (rule 7.1).
const PlatformNamespace = "/platform/v1"

// Platform is the provider's interface to sites and their users.
type Platform struct {
	platform *platform.Platform
	jobs     *jobs.Jobs
	domain   string
	here     func(host string) bool
	routes   []Route
	repeats  *repeats // nil: answers are not kept
}

// NewPlatform returns the provider's interface. Sites without a domain of their own are below domain. here decides by
// the Host header where the interface is available.
func NewPlatform(t *platform.Platform, j *jobs.Jobs, domain string, here func(host string) bool) *Platform {
	p := &Platform{platform: t, jobs: j, domain: domain, here: here}
	p.routes = p.Routes()
	return p
}

// ofSite and ofEntry are path arguments.
type (
	ofSite  = BySlug
	ofEntry struct {
		BySlug
		ByID
	}
	ofPlan struct {
		Name args.Opt[string] `arg:"name,path"`
	}
	ofDomain struct {
		BySlug
		Domain args.Opt[string] `arg:"domain,path"`
	}
)

// The paths for uploading archives: of new sites, and below a site.
const (
	importPath  = "/imports"
	restorePath = "/restore"
)

// Routes returns the route table of the provider's interface.
func (p *Platform) Routes() []Route {
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
	list := []Route{
		On[Nothing](get, "/doc", "platform.doc", read, p.doc).Of("", "Document"),

		On[Nothing](get, sites, "platform.sites.list", read, p.listSites).Of(site, "SiteList"),
		On[Nothing](post, sites, "platform.sites.create", create, p.createSite).Of(site, "Site"),
		On[ofSite](get, siteSlug, "platform.sites.get", read, p.getSite).Of(site, "Site"),
		On[ofSite]("", siteSlug, "platform.sites.update", update, p.updateSite).Of(site, "Site"),
		On[ofSite](del, siteSlug, "platform.sites.delete", read, p.deleteSite).Of(site, "Site"),
		On[ofSite](post, siteSlug+"/undelete", "platform.sites.undelete", read, p.undeleteSite).Of(site, "Site"),

		On[ofSite](get, users, "platform.users.list", read, p.listUsers).Of(user, "UserList"),
		On[ofSite](post, users, "platform.users.create", create, p.createUser).Of(user, "User"),
		On[ofEntry](get, userID, "platform.users.get", read, p.getUser).Of(user, "User"),
		On[ofEntry]("", userID, "platform.users.update", update, p.updateUser).Of(user, "User"),
		On[ofEntry](del, userID, "platform.users.delete", read, p.deleteUser).Of(user, "User"),

		On[ofSite](get, keys, "platform.keys.list", read, p.listKeys).Of(key, "KeyList"),
		On[ofEntry](del, keyID, "platform.keys.revoke", read, p.revokeKey).Of(key, "Key"),

		On[ofSite](get, domains, "platform.domains.list", read, p.listDomains).Of(domain, "DomainList"),
		On[ofSite](post, domains, "platform.domains.create", create, p.claimDomain).Of(domain, "Domain"),
		On[ofDomain](del, oneDomain, "platform.domains.delete", read, p.deleteDomain).Of(domain, "Domain"),
		On[ofDomain](post, oneDomain+"/check", "platform.domains.check", read, p.checkDomain).Of(domain, "Domain"),
		On[Nothing](get, plans, "platform.plans.list", read, p.listPlans).Of(plan, "PlanList"),
		On[ofPlan](get, planName, "platform.plans.get", read, p.getPlan).Of(plan, "Plan"),
		On[ofPlan]("PUT", planName, "platform.plans.set", create, p.setPlan).Of(plan, "Plan"),
		On[ofPlan](del, planName, "platform.plans.delete", read, p.deletePlan).Of(plan, "Plan"),

		On[ofSite](get, "/sites/{slug}/audit", "platform.audit.site", read, p.siteAudit).Of("audit", "History"),
		On[Nothing](get, "/audit", "platform.audit.provider", read, p.audit).Of("audit", "History"),

		On[ofSite](post, siteSlug+"/exports", "platform.jobs.export", read, p.exportSite).Of(job, "Job").later(),
		On[ofSite](post, siteSlug+restorePath, "platform.jobs.restore", read, p.restoreSite).Of(job, "Job").later(),
		On[Nothing](post, importPath, "platform.jobs.import", read, p.importSite).Of(job, "Job").later(),
		On[Nothing](get, "/gatherings", "platform.gatherings.list", read, p.listGatherings).Of("gathering", "GatheringList"),

		On[Nothing](get, "/requests", "platform.requests.list", read, p.listRequests).Of(site, "RequestsList"),

		On[Nothing](get, "/jobs", "platform.jobs.list", read, p.listJobs).Of(job, "JobList"),
		On[ByID](get, "/jobs/{id}", "platform.jobs.get", read, p.getJob).Of(job, "Job"),
		On[ByID](del, "/jobs/{id}", "platform.jobs.cancel", read, p.cancelJob).Of(job, "Job"),
		On[ByID](get, "/jobs/{id}/archive", "platform.jobs.archive", read, p.jobArchive).Of(job, ""),
	}
	for i := range list {
		list[i].public = false
		if list[i].mode == update {
			list[i].Methods = []string{http.MethodPatch}
		}
		if list[i].Path == importPath || strings.HasSuffix(list[i].Path, restorePath) {
			list[i].sends, list[i].read = true, archiveSource
		}
	}
	return list
}

// Mount adds the routes to an app whose middleware sets language and origin of the scope. Requests have no user,
// and no site except the one in the path.
func (p *Platform) Mount(app fiber.Router) {
	const ask = PlatformNamespace + "/domains/ask"
	app.Get(ask, p.ask)
	app.All(ask, func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderAllow, "GET, HEAD")
		return ErrMethod
	})
	mount(app, PlatformNamespace, p.routes, p.handle, func(path []*Route) fiber.Handler {
		return func(c *fiber.Ctx) error {
			c.Set(fiber.HeaderAllow, Methods(path))
			return c.SendStatus(fiber.StatusNoContent)
		}
	})
}

// handle requires the provider, except for the documentation.
func (p *Platform) handle(r *Route, _ []*Route) fiber.Handler {
	next := handle(r, platformKey, p.repeats)
	return func(c *fiber.Ctx) error {
		if !p.here(tenancy.Current(c.UserContext()).Base.Host()) {
			return ErrNoRoute
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
func (p *Platform) enter(ctx context.Context, header string) (context.Context, error) {
	request := tenancy.Current(ctx)
	scope := tenancy.Scope{Language: request.Language, Base: request.Base, Address: request.Address}
	scope.Base.Namespace = PlatformNamespace
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

func (p *Platform) doc(ctx context.Context, _ Call, _ *Nothing) (*Answer, error) {
	v := NewView(scopeOf(ctx))
	v.document(&manual{texts: "doc.platform", routes: p.routes, shapes: schema.Platform, security: []string{"bearer"}, closed: true})
	return v.Answer(0), nil
}
