package api

import (
	"net"
	"net/url"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// site writes a site. Its address is its first domain, or its slug below the platform domain.
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
	v.text("tagline", s.Settings.Face.Tagline)
	if len(s.Settings.Languages) > 0 {
		v.texts("languages", s.Settings.Languages...)
	}
	if s.Multilingual() {
		v.texts("content_languages", s.Settings.ContentLanguages...)
	}
	v.close('}')
	v.names(s)
	v.open("plan", '{')
	v.text("name", s.Plan.Name)
	v.bool("geo", s.Plan.Geo)
	v.close('}')
	v.limits(&s.Plan)
	v.open("usage", '{')
	v.int("events", s.Usage.Events)
	v.int("occurrences", s.Usage.Occurrences)
	v.int("users", s.Usage.Users)
	v.int("media_bytes", s.Usage.MediaBytes)
	v.close('}')
	v.text("state", string(s.Standing()))
	v.instant("deleted", s.Deletion.At)
	v.instant("purge", s.Deletion.Purge)
	v.int("version", s.Version)
	v.text("created", s.Created.UTC().Format(time.RFC3339))
	v.text("api", v.siteAPI(s, platform))
	v.close('}')
}

// names writes the names of a multilingual site in its other languages.
func (v *view) names(s *tenancy.Site) {
	if !s.Multilingual() {
		return
	}
	v.open("translations", '{')
	for _, language := range s.Others() {
		text := s.Settings.Texts[language]
		if text.Empty() {
			continue
		}
		v.open(language, '{')
		v.some("name", text.Name)
		v.some("tagline", text.Tagline)
		v.int("made_from", text.Version)
		v.bool("outdated", text.Outdated)
		v.close('}')
	}
	v.close('}')
}

// limits writes the limits of a plan; null means unlimited.
func (v *view) limits(p *tenancy.Plan) {
	v.open("limits", '{')
	v.limit("events", p.Events)
	v.limit("occurrences", p.Occurrences)
	v.limit("users", p.Users)
	v.limit("media_bytes", p.MediaBytes)
	var requests *int64
	if n := int64(p.RequestsPerMinute); n > 0 {
		requests = &n
	}
	v.limit("requests_per_minute", requests)
	v.close('}')
}

func (v *view) limit(key string, n *int64) {
	if n == nil {
		v.raw(key, "null")
		return
	}
	v.int(key, *n)
}

// instant writes a time, or null if it is zero.
func (v *view) instant(key string, t time.Time) {
	if t.IsZero() {
		v.raw(key, "null")
		return
	}
	v.text(key, t.UTC().Format(time.RFC3339))
}

// siteAPI returns the address of a site's API with the scheme and port of the request.
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

// user writes a user, with the application password if it is known.
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
