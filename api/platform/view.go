package platform

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// view writes the objects of the provider's interface.
type view struct{ *api.View }

func newView(ctx context.Context) view { return view{api.NewView(tenancy.Current(ctx))} }

// SiteObject returns a site as the platform's interface does, for the command line. platform is the domain of the installation's sites.
func SiteObject(s *tenancy.Site, platform string) json.RawMessage {
	v := view{api.NewView(&tenancy.Scope{})}
	v.site(s, platform)
	return v.Bytes
}

// PlanObject returns a plan as the platform's interface does, for the command line.
func PlanObject(o *platform.Offer) json.RawMessage {
	v := view{api.NewView(&tenancy.Scope{})}
	v.plan(o)
	return v.Bytes
}

// site writes a site. Its address is its first domain, or its slug below the platform domain.
func (v view) site(s *tenancy.Site, platform string) {
	v.Item()
	v.Int("id", s.ID)
	v.Text("slug", s.Slug)
	v.Text("name", s.Name)
	v.Text("timezone", s.Timezone)
	v.Text("language", s.Language)
	v.Texts("domains", s.Domains...)
	v.Open("settings", '{')
	v.Int("per_page", int64(s.Settings.PerPage))
	v.Text("currency_symbol", s.Settings.CurrencySymbol)
	v.Text("currency_code", s.Settings.CurrencyCode)
	v.Text("currency_position", s.Settings.CurrencyPosition)
	v.Text("tagline", s.Settings.Face.Tagline)
	v.Text("map_tiles", s.Settings.Map.Tiles)
	v.Text("map_credit", s.Settings.Map.Credit)
	if len(s.Settings.Languages) > 0 {
		v.Texts("languages", s.Settings.Languages...)
	}
	if s.Multilingual() {
		v.Texts("content_languages", s.Settings.ContentLanguages...)
	}
	v.Texts("share", s.Settings.Share.Names()...)
	v.Bool("share_on", s.Settings.Share.On)
	v.Bool("listed", s.Settings.Listed)
	v.Close('}')
	v.names(s)
	v.Open("plan", '{')
	v.Text("name", s.Plan.Name)
	v.Bool("geo", s.Plan.Geo)
	v.Close('}')
	v.Limits(&s.Plan)
	v.Open("usage", '{')
	v.Int("events", s.Usage.Events)
	v.Int("occurrences", s.Usage.Occurrences)
	v.Int("users", s.Usage.Users)
	v.Int("media_bytes", s.Usage.MediaBytes)
	v.Close('}')
	v.Text("state", string(s.Standing()))
	v.Instant("deleted", s.Deletion.At)
	v.Instant("purge", s.Deletion.Purge)
	v.Int("version", s.Version)
	v.Text("created", s.Created.UTC().Format(time.RFC3339))
	v.Text("api", v.siteAPI(s, platform))
	if done := s.Exchange; done != nil {
		v.Open("language_change", '{')
		v.Text("from", done.From)
		v.Text("to", done.To)
		v.Int("exchanged", int64(done.Exchanged))
		v.Int("kept", int64(done.Kept))
		v.Close('}')
	}
	v.Close('}')
}

// names writes the names of a multilingual site in its other languages.
func (v view) names(s *tenancy.Site) {
	if !s.Multilingual() {
		return
	}
	v.Open("translations", '{')
	for _, language := range s.Others() {
		text := s.Settings.Texts[language]
		if text.Empty() {
			continue
		}
		v.Open(language, '{')
		v.Some("name", text.Name)
		v.Some("tagline", text.Tagline)
		v.Int("made_from", text.Version)
		v.Bool("outdated", text.Outdated)
		v.Close('}')
	}
	v.Close('}')
}

// siteAPI returns the address of a site's API with the scheme and port of the request.
func (v view) siteAPI(s *tenancy.Site, platform string) string {
	host := s.Slug + "." + platform
	if len(s.Domains) > 0 {
		host = s.Domains[0]
	}
	scheme := "https"
	if origin, err := url.Parse(v.Scope.Base.Origin); err == nil && origin.Host != "" {
		scheme = origin.Scheme
		if port := origin.Port(); port != "" {
			host = net.JoinHostPort(host, port)
		}
	}
	return scheme + "://" + host + api.Namespace
}

// user writes a user, with the application password if it is known.
func (v view) user(u *tenancy.User, password string) {
	v.Item()
	v.Int("id", u.ID)
	v.Text("login", u.Login)
	v.Text("email", u.Email)
	v.Text("name", u.Name)
	v.Text("role", string(u.Role))
	v.IDs("categories", u.Area.Categories)
	v.IDs("venues", u.Area.Venues)
	v.IDs("organizers", u.Area.Organizers)
	v.Text("created", u.Created.UTC().Format(time.RFC3339))
	v.Some("application_password", password)
	v.Close('}')
}
