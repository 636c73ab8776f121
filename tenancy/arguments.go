package tenancy

import (
	"regexp"
	"unicode/utf8"

	"github.com/kalends/kalends/args"
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

// ProfileFields are the arguments of what a site's own administrators change.
type ProfileFields struct {
	Name     args.Opt[string]                      `arg:"name,required,nonempty,max=1000"`
	Timezone args.Opt[args.Zone]                   `arg:"timezone,default=UTC,nonull"`
	Language args.Opt[string]                      `arg:"language,default=en,nonempty,nonull,max=35"`
	Settings args.Opt[args.Object[SettingsFields]] `arg:"settings,nonull"`
	Names    args.Opt[args.Named[NameTexts]]       `arg:"translations,entries=100"`
}

// SettingsFields are the arguments of a site's settings. What is not sent stays.
type SettingsFields struct {
	PerPage          args.Opt[int]    `arg:"per_page,min=1,max=50,nonull"`
	CurrencySymbol   args.Opt[string] `arg:"currency_symbol,max=10"`
	CurrencyCode     args.Opt[string] `arg:"currency_code,nonempty,nonull,max=3"`
	CurrencyPosition args.Opt[string] `arg:"currency_position,nonempty,nonull,enum=prefix|postfix"`

	Tagline args.Opt[string] `arg:"tagline,max=200"`

	Languages        args.Opt[args.Texts] `arg:"languages,entries=100"`
	ContentLanguages args.Opt[args.Texts] `arg:"content_languages,entries=100"`
}

// LimitFields are the arguments of limits: null is none.
type LimitFields struct {
	Events            args.Opt[int64] `arg:"events,min=0"`
	Occurrences       args.Opt[int64] `arg:"occurrences,min=0"`
	Users             args.Opt[int64] `arg:"users,min=0"`
	MediaBytes        args.Opt[int64] `arg:"media_bytes,min=0"`
	RequestsPerMinute args.Opt[int64] `arg:"requests_per_minute,min=1,max=1000000000"`
}

// UserFields are the arguments of a user write (rule 7.1).
type UserFields struct {
	Login    args.Opt[string]     `arg:"login,required,nonempty,max=60"`
	Email    args.Opt[args.Email] `arg:"email,required,nonempty"`
	Password args.Opt[string]     `arg:"password,bytes=1000"`
	Name     args.Opt[string]     `arg:"name,max=250"`
	Role     args.Opt[string]     `arg:"role,required,nonempty,enum=administrator|editor|author|contributor|subscriber"`
}

// TokenFields are the arguments of a new provider token.
type TokenFields struct {
	Name args.Opt[string] `arg:"name,required,nonempty,max=200"`
}

// KeyFields are the arguments of a new application password or API key.
type KeyFields struct {
	Name     args.Opt[string] `arg:"name,required,nonempty,max=200"`
	Kind     args.Opt[string] `arg:"kind,default=application_password,nonempty,nonull,enum=application_password|api_key"`
	ReadOnly args.Opt[bool]   `arg:"read_only,default=false,nonull"`
}

// Filter are the query arguments of a list of sites or users.
type Filter struct {
	Page    args.Opt[int]    `arg:"page,default=1,min=1,max=1000000000,nonull"`
	PerPage args.Opt[int]    `arg:"per_page,default=15,min=1,nonull"`
	Search  args.Opt[string] `arg:"search,max=500"`
}

// SiteFilter are the query arguments of GET /platform/v1/sites.
type SiteFilter struct {
	Filter
	State args.Opt[string] `arg:"state,enum=active|read_only|closed|deleted"`
	Plan  args.Opt[string] `arg:"plan,max=63"`
}

// UserFilter are the query arguments of GET /platform/v1/sites/{slug}/users.
type UserFilter struct{ Filter }

// KeyFilter are the query arguments of GET /platform/v1/sites/{slug}/keys.
type KeyFilter struct {
	Filter
	User args.Opt[int64] `arg:"user,min=1"`
}

// query returns what the arguments ask for; more than 50 entries a page become 50.
func (f *Filter) query() Query {
	return Query{
		Page:    f.Page.Or(1),
		PerPage: min(f.PerPage.Or(15), 50),
		Search:  Fold(f.Search.Or("")),
	}
}

var (
	slugForm     = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	loginForm    = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9 ._@+-]*[A-Za-z0-9._@+-])?$`)
	currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)
)

// Check refuses slugs that are no label of a host name.
func (f *SiteFields) Check(found *args.Problems) {
	if slug, ok := f.Slug.Get(); ok && !slugForm.MatchString(slug) {
		found.Invalid("slug", "problem.site.slug", nil)
	}
}

// Check refuses currencies that aren't three capital letters.
func (f *SettingsFields) Check(found *args.Problems) {
	if code, ok := f.CurrencyCode.Get(); ok && !currencyForm.MatchString(code) {
		found.Invalid("currency_code", "problem.currency", nil)
	}
}

// The lengths of a person's password: the shortest in characters, the longest in
// bytes.
const (
	minPassword = 12
	maxPassword = 1000
)

// Check refuses logins with unusual characters and short passwords.
func (f *UserFields) Check(found *args.Problems) {
	if login, ok := f.Login.Get(); ok && !loginForm.MatchString(login) {
		found.Invalid("login", "problem.login.characters", nil)
	}
	if password, ok := f.Password.Get(); ok {
		checkPassword(password, &User{Login: f.Login.Or(""), Email: string(f.Email.Or(""))}, found)
	}
}

// checkPassword refuses a short password, a common one, and the login or the e-mail address of whose it is to be; none
// at all is fine.
func checkPassword(password string, whose *User, found *args.Problems) {
	switch name := Fold(password); {
	case password == "":
	case utf8.RuneCountInString(password) < minPassword:
		found.Invalid("password", "problem.password.short", map[string]any{"Min": minPassword})
	case len(password) <= maxPassword && (name == Fold(whose.Login) || name == Fold(whose.Email) || common(password)):
		found.Invalid("password", "problem.password.common", nil)
	}
}

// Check refuses an application password that only reads: there is no such thing.
func (f *KeyFields) Check(found *args.Problems) {
	if f.ReadOnly.Or(false) && Kind(f.Kind.Or("")) == ApplicationPassword {
		found.Invalid("read_only", "problem.read_only", nil)
	}
}
