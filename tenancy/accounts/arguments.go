package accounts

import (
	"regexp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// UserFields are the arguments of a user write (rule 7.1).
type UserFields struct {
	Login    args.Opt[string]     `arg:"login,required,nonempty,max=60"`
	Email    args.Opt[args.Email] `arg:"email,required,nonempty"`
	Password args.Opt[string]     `arg:"password,bytes=1000"`
	Name     args.Opt[string]     `arg:"name,line,max=250"`
	Role     args.Opt[string]     `arg:"role,required,nonempty,enum=administrator|editor|author|contributor|subscriber"`

	Categories args.Opt[args.IDs] `arg:"categories,entries=100"`
	Venues     args.Opt[args.IDs] `arg:"venues,entries=100"`
	Organizers args.Opt[args.IDs] `arg:"organizers,entries=100"`
}

// Check refuses logins with unusual characters and short passwords.
func (f *UserFields) Check(found *args.Problems) {
	if login, ok := f.Login.Get(); ok && !loginForm.MatchString(login) {
		found.Invalid("login", "problem.login.characters", nil)
	}
	if password, ok := f.Password.Get(); ok {
		checkPassword(password, &tenancy.User{Login: f.Login.Or(""), Email: string(f.Email.Or(""))}, found)
	}
}

// KeyFields are the arguments of a new application password or API key.
type KeyFields struct {
	Name     args.Opt[string] `arg:"name,required,nonempty,line,max=200"`
	Kind     args.Opt[string] `arg:"kind,default=application_password,nonempty,nonull,enum=application_password|api_key"`
	ReadOnly args.Opt[bool]   `arg:"read_only,default=false,nonull"`

	Scopes     args.Opt[args.Texts] `arg:"scopes,enum=events:read|events:write|venues:read|venues:write|organizers:read|organizers:write|terms:read|terms:write|images:read|images:write|submissions:read|submissions:write|imports:write|sources:write|changes:read|history:read|webhooks:write|users:read|users:write|settings:write"`
	Categories args.Opt[args.IDs]   `arg:"categories,entries=100"`
	Expires    args.Opt[args.Date]  `arg:"expires"`
}

// Check refuses limits on an application password: only API keys have limits.
func (f *KeyFields) Check(found *args.Problems) {
	if f.ReadOnly.Or(false) && tenancy.Kind(f.Kind.Or("")) == tenancy.ApplicationPassword {
		found.Invalid("read_only", "problem.read_only", nil)
	}
	if tenancy.Kind(f.Kind.Or(string(tenancy.ApplicationPassword))) == tenancy.APIKey {
		return
	}
	_, expires := f.Expires.Get()
	for name, given := range map[string]bool{
		"scopes":     len(f.Scopes.Or(nil)) > 0,
		"categories": len(f.Categories.Or(nil)) > 0,
		"expires":    expires,
	} {
		if given {
			found.Invalid(name, "problem.key.limits", nil)
		}
	}
}

// TokenFields are the arguments of a new provider token.
type TokenFields struct {
	Name args.Opt[string] `arg:"name,required,nonempty,line,max=200"`
}

// UserFilter are the query arguments of GET /platform/v1/sites/{slug}/users.
type UserFilter struct{ tenancy.Filter }

// KeyFilter are the query arguments of GET /platform/v1/sites/{slug}/keys.
type KeyFilter struct {
	tenancy.Filter
	User args.Opt[int64] `arg:"user,min=1"`
}

var loginForm = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9 ._@+-]*[A-Za-z0-9._@+-])?$`)
