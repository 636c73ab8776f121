package api

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/tenancy"
)

// wpRoot describes the part of WordPress' own API that is supported.
func (a *API) wpRoot(ctx context.Context, _ call, _ *nothing) (*Answer, error) {
	v := a.newView(ctx)
	v.Item()
	v.Text("namespace", v.namespace())
	v.Open("routes", '{')
	v.routes(a.wordpress)
	v.Close('}')
	v.Open("_links", '{')
	v.href("up", v.index())
	v.Close('}')
	v.Close('}')
	return v.answer(0), nil
}

// wpIndex describes the site and lists all APIs that clients of TEC use (rule 1.6).
func (a *API) wpIndex(ctx context.Context, _ call, _ *nothing) (*Answer, error) {
	scope := scopeOf(ctx)
	v := a.newView(ctx)
	words := scope.Words()
	v.Item()
	v.Text("name", words.Name)
	v.Text("description", words.Tagline)
	v.Text("url", v.pages)
	v.Text("home", v.pages)
	_, offset := v.now.In(scope.Site.Location).Zone()
	v.Text("gmt_offset", strconv.FormatFloat(float64(offset)/3600, 'f', -1, 64))
	v.Text("timezone_string", scope.Site.Timezone)
	v.Texts("namespaces", spaceName(Reference), spaceName(WordPress))
	v.Open("authentication", '{')
	v.Open("application-passwords", '{')
	v.Open("endpoints", '{')
	v.Text("authorization", scope.Base.Origin+"/admin/access")
	v.Close('}')
	v.Close('}')
	v.Close('}')
	v.Open("routes", '{')
	for _, one := range []struct {
		namespace string
		routes    []Route
	}{{Reference, a.routes}, {WordPress, a.wordpress}} {
		in := *scope
		in.Base.Namespace = one.namespace
		inner := newView(&in)
		inner.now, inner.Bytes = v.now, v.Bytes
		inner.routes(one.routes)
		v.Bytes = inner.Bytes
	}
	v.Close('}')
	v.Int("site_logo", 0)
	v.Int("site_icon", 0)
	v.Text("site_icon_url", "")
	v.Open("_links", '{')
	v.href("self", v.index())
	v.Close('}')
	v.Close('}')
	return v.answer(0), nil
}

// index returns the address of the list of all APIs.
func (v *view) index() string { return indexOf(v.scope.Base) }

func indexOf(base tenancy.Base) string { return base.Origin + base.Prefix + Index + "/" }

// IndexLink is the header with which clients of WordPress find the list of all APIs.
func IndexLink(base tenancy.Base) string { return "<" + indexOf(base) + `>; rel="https://api.w.org/"` }
