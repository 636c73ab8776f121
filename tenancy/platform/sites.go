package platform

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Sites is the service for the sites of the installation (rule 7.1). Administrators may configure their own site
// and define its fields; all other calls are for the provider. Others get ErrUnauthenticated or ErrForbidden.
type Sites struct {
	store     SiteStore
	plans     PlanStore
	languages []string
	platform  string
	cost      accounts.HashCost
	clock     func() time.Time
	files     func(ctx context.Context, site int64) error // removes a site's
	forget    func(site int64)
}

// List returns one page of the sites by slug.
func (s *Sites) List(ctx context.Context, f *SiteFilter) (tenancy.Page[tenancy.Site], error) {
	return s.Sorted(ctx, f, "")
}

// SiteSorts are the orders of a list of sites. Names, plans and states are sorted from A to Z, amounts from the largest, and
// times from the latest.
var SiteSorts = []string{"name", "state", "plan", "events", "media", "changed"}

// Sorted is List in the order of one of SiteSorts; any other order sorts by slug.
func (s *Sites) Sorted(ctx context.Context, f *SiteFilter, by string) (tenancy.Page[tenancy.Site], error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return tenancy.Page[tenancy.Site]{}, err
	}
	q := f.query()
	if slices.Contains(SiteSorts, by) {
		q.Sort = by
	}
	page, err := s.store.List(ctx, q)
	return page, tenancy.Wrap("list sites", err)
}

// Sums returns the total usage of all sites that match the filter, not only of one page.
func (s *Sites) Sums(ctx context.Context, f *SiteFilter) (tenancy.Usage, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return tenancy.Usage{}, err
	}
	sum, err := s.store.Sums(ctx, f.query())
	return sum, tenancy.Wrap("sum up sites", err)
}

// Get returns a site in any state, or ErrNoSite.
func (s *Sites) Get(ctx context.Context, slug string) (*tenancy.Site, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	site, err := s.store.BySlug(ctx, slug)
	return site, tenancy.Wrap("get site", err)
}

// Create makes a site. It returns *args.Problems for values that break a rule, and for a slug or domain that another site has.
func (s *Sites) Create(ctx context.Context, f *SiteFields) (*tenancy.Site, error) {
	return s.create(ctx, f, nil)
}

// Found is Create with a first administrator, who can't sign in yet: a voucher lets them set a password. It creates
// both or neither. It also returns a *LimitError for a plan without users.
func (s *Sites) Found(ctx context.Context, f *SiteFields, admin *accounts.UserFields) (*tenancy.Site, *tenancy.User, error) {
	first, err := admin.NewUser(s.cost)
	if err != nil {
		return nil, nil, err
	}
	first.Role = tenancy.Administrator
	site, err := s.create(ctx, f, first)
	if err != nil {
		return nil, nil, err
	}
	return site, first, nil
}

// Check returns all problems that Create would find, as *args.Problems. Of the checks against the database, it
// makes only the one for the slug.
func (s *Sites) Check(ctx context.Context, f *SiteFields) error {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return err
	}
	found := &args.Problems{}
	if err := found.Add(s.patch(f, newSite())); err != nil {
		return err
	}
	if slug, ok := f.Slug.Get(); ok {
		switch _, err := s.store.BySlug(ctx, slug); {
		case err == nil:
			found.Invalid("slug", "problem.site.taken", nil)
		case !errors.Is(err, tenancy.ErrNoSite):
			return tenancy.Wrap("check site", err)
		}
	}
	return found.Err()
}

// CheckSite returns *args.Problems for values that no installation with these languages and this domain accepts,
// whatever sites it has.
func CheckSite(f *SiteFields, languages []string, platform string) error {
	return (&Sites{languages: languages, platform: platformDomain(platform)}).patch(f, newSite())
}

// newSite returns a site with the default values.
func newSite() *tenancy.Site {
	site := &tenancy.Site{Settings: tenancy.DefaultSettings(), Plan: tenancy.Plan{Name: tenancy.DefaultPlan},
		State: tenancy.Active, Language: "en"}
	site.SetTimezone("UTC")
	return site
}

func (s *Sites) create(ctx context.Context, f *SiteFields, first *tenancy.User) (*tenancy.Site, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	defaults, err := s.store.Defaults(ctx)
	if err != nil {
		return nil, tenancy.Wrap("create site", err)
	}
	site := newSite()
	defaults.give(site)
	if err := s.patch(f, site); err != nil {
		return nil, err
	}
	f.derive(site, defaults.Currency)
	if err := s.store.Create(ctx, site, first); err != nil {
		return nil, tenancy.Wrap("create site", err)
	}
	s.forget(site.ID)
	return site, nil
}

// Update changes the given fields if the conditions hold. It returns ErrNoSite if no site has this slug, and
// *args.Problems if a field breaks a rule.
func (s *Sites) Update(ctx context.Context, slug string, f *SiteFields, when ...tenancy.Condition) (*tenancy.Site, error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return nil, err
	}
	site, err := s.store.Update(ctx, slug, func(site *tenancy.Site) error {
		if err := tenancy.AllOf(when)(site.Version); err != nil {
			return err
		}
		return s.patch(f, site)
	})
	if err != nil {
		return nil, tenancy.Wrap("update site", err)
	}
	s.forget(site.ID)
	return site, nil
}

// patch sets the sent arguments in the site.
func (s *Sites) patch(f *SiteFields, site *tenancy.Site) error {
	found := &args.Problems{}
	s.speak(f.Language, site, found)
	before := site.OwnText()
	if slug, ok := f.Slug.Get(); ok && slug != site.Slug && tenancy.ReservedSlug(slug) {
		found.Invalid("slug", "problem.site.slug.reserved", nil)
	}
	f.Slug.Patch(&site.Slug, site.Slug)
	f.Name.Patch(&site.Name, site.Name)
	f.overrides(site)
	f.Plan.Patch(&site.Plan.Name, tenancy.DefaultPlan)
	if state, ok := f.State.Get(); ok {
		if site.State = tenancy.State(state); site.Deleted() {
			found.Invalid("state", "problem.site.deleted", nil)
		}
	}
	if zone, ok := f.Timezone.Get(); ok {
		site.Timezone, site.Location = zone.Name(), zone.Location()
		if zone.Name() == "" {
			site.SetTimezone("UTC")
		}
	}
	if settings, ok := f.Settings.Get(); ok {
		s.settings(&settings.Fields, site, found)
	}
	reword(site, named(f.Names.Or(nil)), before, found)
	if f.Domains.Given() {
		site.Domains = s.domains(f.Domains.Or(nil), found)
	}
	return found.Err()
}

// speak changes the site's language to the one that was sent, and exchanges its texts.
func (s *Sites) speak(language args.Opt[string], site *tenancy.Site, found *args.Problems) {
	tag, ok := language.Get()
	if !ok {
		return
	}
	if known := s.language(tag); known != "" {
		site.Speak(known)
	} else {
		found.Invalid("language", "problem.language_tag", map[string]any{"Value": tag})
	}
}

// settings sets the sent arguments in the settings of a site, including the lists of languages.
func (s *Sites) settings(f *SettingsFields, site *tenancy.Site, found *args.Problems) {
	f.patch(&site.Settings)
	if f.ContentLanguages.Given() {
		site.Settings.ContentLanguages = s.written(f.ContentLanguages.Or(nil), site.Language, found)
	}
	switch {
	case f.Languages.IsNull():
		site.Settings.Languages = nil
	case f.Languages.Given():
		site.Settings.Languages = s.offered(f.Languages.Or(nil), site.Language, site.Written(), found)
	}
}

// patch sets the sent arguments in the settings.
func (f *SettingsFields) patch(settings *tenancy.Settings) {
	f.PerPage.Patch(&settings.PerPage, settings.PerPage)
	f.CurrencySymbol.Patch(&settings.CurrencySymbol, "")
	f.CurrencyCode.Patch(&settings.CurrencyCode, settings.CurrencyCode)
	switch position := f.CurrencyPosition.Or(settings.CurrencyPosition); position {
	case tenancy.ByLanguage:
		settings.CurrencyFixed = false
	case settings.CurrencyPosition: // read and sent back, which changes nothing
	default:
		settings.CurrencyPosition, settings.CurrencyFixed = position, true
	}
	if f.Tagline.Given() {
		settings.Face.Tagline = lines(f.Tagline.Or(""))
	}
	f.MapFields.patch(&settings.Map)
	if f.Share.Given() {
		settings.Share.With = sharing(f.Share.Or(nil))
	}
	f.ShareOn.Patch(&settings.Share.On, false)
	f.Listed.Patch(&settings.Listed, false)
}

// domains returns the names in the form of Host, sorted, each once.
func (s *Sites) domains(names []string, found *args.Problems) []string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		if strings.TrimSpace(name) == "" {
			continue
		}
		domain, problem := ownDomain(name, s.platform)
		if problem != "" {
			found.Invalid("domains", problem, map[string]any{"Domain": name})
			continue
		}
		list = append(list, domain)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
