package api

import (
	"net"
	"net/url"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// site writes one site. Its own address is its first domain, else its slug
// below the platform's.
func (v *view) site(s *tenancy.Site, platform string) {
	v.item()
	v.int("id", s.ID)
	v.text("slug", s.Slug)
	v.text("name", s.Name)
	v.text("timezone", s.Timezone)
	v.text("language", s.Language)
	v.texts("domains", s.Domains...)
	v.open("settings", '{')
	v.int("per_page", int64(s.Settings.PerPage))
	v.text("currency_symbol", s.Settings.CurrencySymbol)
	v.text("currency_code", s.Settings.CurrencyCode)
	v.text("currency_position", s.Settings.CurrencyPosition)
	v.close('}')
	v.open("plan", '{')
	v.bool("geo", s.Plan.Geo)
	v.close('}')
	v.text("state", string(s.State))
	v.int("version", s.Version)
	v.text("created", s.Created.UTC().Format(time.RFC3339))
	v.text("api", v.siteAPI(s, platform))
	v.close('}')
}

// siteAPI returns the address of a site's API, with scheme and port of the
// request.
func (v *view) siteAPI(s *tenancy.Site, platform string) string {
	host := s.Slug + "." + platform
	if len(s.Domains) > 0 {
		host = s.Domains[0]
	}
	scheme := "https"
	if origin, err := url.Parse(v.scope.Base.Origin); err == nil && origin.Host != "" {
		scheme = origin.Scheme
		if port := origin.Port(); port != "" {
			host = net.JoinHostPort(host, port)
		}
	}
	return scheme + "://" + host + Namespace
}

// user writes one user, with the application password while it is known.
func (v *view) user(u *tenancy.User, password string) {
	v.item()
	v.int("id", u.ID)
	v.text("login", u.Login)
	v.text("email", u.Email)
	v.text("name", u.Name)
	v.text("role", string(u.Role))
	v.text("created", u.Created.UTC().Format(time.RFC3339))
	v.some("application_password", password)
	v.close('}')
}
