package platform

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// SiteFields are the arguments of a site write by the provider (rule 7.1).
type SiteFields struct {
	Slug args.Opt[string] `arg:"slug,required,nonempty,max=63"`
	ProfileFields
	Domains args.Opt[args.Texts]               `arg:"domains,max=1000,entries=100"`
	Plan    args.Opt[string]                   `arg:"plan,nonempty,nonull,max=63"`
	Limits  args.Opt[args.Object[LimitFields]] `arg:"limits,exact"`
	Geo     args.Opt[bool]                     `arg:"geo,nonull"`
	State   args.Opt[string]                   `arg:"state,nonempty,nonull,enum=active|read_only|closed"`
}

// ProfileFields are the arguments that a site's own administrators may also change.
type ProfileFields struct {
	Name     args.Opt[string]                      `arg:"name,required,nonempty,line,max=1000"`
	Timezone args.Opt[args.Zone]                   `arg:"timezone,computed=UTC,nonull"`
	Language args.Opt[string]                      `arg:"language,computed=en,nonempty,nonull,max=35"`
	Settings args.Opt[args.Object[SettingsFields]] `arg:"settings,nonull"`
	Names    args.Opt[args.Named[NameTexts]]       `arg:"translations,entries=100"`
}

// SettingsFields are the arguments of a site's settings. A setting that is not sent stays unchanged.
type SettingsFields struct {
	PerPage          args.Opt[int]    `arg:"per_page,min=1,max=50,nonull"`
	CurrencySymbol   args.Opt[string] `arg:"currency_symbol,max=10"`
	CurrencyCode     args.Opt[string] `arg:"currency_code,nonempty,nonull,max=3"`
	CurrencyPosition args.Opt[string] `arg:"currency_position,nonempty,nonull,enum=prefix|postfix|language"`

	Tagline args.Opt[string] `arg:"tagline,line,max=200"`
	MapFields

	Languages        args.Opt[args.Texts] `arg:"languages,entries=100"`
	ContentLanguages args.Opt[args.Texts] `arg:"content_languages,entries=100"`

	Share   args.Opt[args.Texts] `arg:"share,entries=1000"`
	ShareOn args.Opt[bool]       `arg:"share_on,nonull"`

	Listed args.Opt[bool] `arg:"listed,nonull"`
}

// SiteFilter are the query arguments of GET /platform/v1/sites.
type SiteFilter struct {
	tenancy.Filter
	State args.Opt[string] `arg:"state,enum=active|read_only|closed|deleted"`
	Plan  args.Opt[string] `arg:"plan,max=63"`
}

// query returns the query that the arguments describe.
func (f *SiteFilter) query() tenancy.Query {
	q := f.Query()
	q.State, q.Plan = tenancy.State(f.State.Or("")), f.Plan.Or("")
	q.Domain, _ = tenancy.DomainForm(f.Search.Or(""))
	return q
}

var currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)

// Check refuses slugs that are not valid labels of a host name.
func (f *SiteFields) Check(found *args.Problems) {
	if slug, ok := f.Slug.Get(); ok && !tenancy.SlugForm(slug) {
		found.Invalid("slug", "problem.site.slug", nil)
	}
}

// Check refuses currencies that aren't three capital letters, names of sites that are not slugs, and invalid
// MapFields.
func (f *SettingsFields) Check(found *args.Problems) {
	f.MapFields.check(found)
	if code, ok := f.CurrencyCode.Get(); ok && !currencyForm.MatchString(code) {
		found.Invalid("currency_code", "problem.currency", nil)
	}
	for _, name := range f.Share.Or(nil) {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != tenancy.Everyone && !tenancy.SlugForm(name) {
			found.Invalid("share", "problem.site.slug", nil)
			return
		}
	}
}

// sharing returns the value of Share.With for names that people sent: Everyone replaces all slugs, and Nobody is
// dropped.
func sharing(names []string) []string {
	var list []string
	for _, name := range names {
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case "", tenancy.Nobody:
		case "everyone", tenancy.Everyone:
			return []string{tenancy.Everyone}
		default:
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
