package api

import (
	"context"

	"github.com/kalends/kalends/tenancy"
)

// me returns the caller's user, key, role and permissions.
func (a *API) me(ctx context.Context, _ Call, _ *Nothing) (*Answer, error) {
	scope := scopeOf(ctx)
	if scope.Principal.Anonymous() {
		return nil, tenancy.ErrUnauthenticated
	}
	v := a.newView(ctx)
	v.me(scope.Principal, scope.Site)
	answer := v.Answer(0)
	answer.secret = true // it is personal
	return answer, nil
}

// me writes the user, the key, the role and the permissions of a principal on a site.
func (v *View) me(p tenancy.Principal, site *tenancy.Site) {
	v.Item()
	v.Int("id", p.UserID)
	v.Text("login", p.Login)
	v.Text("role", string(p.Role))
	if p.Kind == "" {
		v.Raw("key", "null")
	} else {
		v.Open("key", '{')
		v.Int("id", p.Credential)
		v.Text("kind", string(p.Kind))
		v.Text("name", p.Key)
		v.Bool("read_only", p.ReadOnly)
		v.Close('}')
	}
	var limits tenancy.KeyLimits
	if p.Limits != nil {
		limits = *p.Limits
	}
	v.Texts("scopes", p.Access().Names()...)
	v.IDs("categories", limits.Categories)
	v.Instant("expires", limits.Expires)
	v.Open("site", '{')
	v.Text("slug", site.Slug)
	v.Text("name", site.Name)
	v.Text("timezone", site.Timezone)
	v.Text("language", site.Language)
	v.Close('}')
	v.Limits(&site.Plan)
	v.Close('}')
}

// IDs writes a list of ids.
func (v *View) IDs(key string, list []int64) {
	v.Open(key, '[')
	for _, id := range list {
		v.Number(id)
	}
	v.Close(']')
}
