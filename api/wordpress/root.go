package wordpress

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
)

// root describes the part of WordPress' own API that is supported.
func (w *API) root(ctx context.Context, _ api.Call, _ *api.Nothing) (*api.Answer, error) {
	v := w.view(ctx)
	v.DescribeRoot(w.routes, api.IndexAddress(v.Scope.Base))
	return v.Answer(0), nil
}

// index describes the site and lists all APIs that clients of TEC use (rule 1.6).
func (w *API) index(ctx context.Context, _ api.Call, _ *api.Nothing) (*api.Answer, error) {
	scope := tenancy.Current(ctx)
	v := w.view(ctx)
	words := scope.Words()
	v.Item()
	v.Text("name", words.Name)
	v.Text("description", words.Tagline)
	v.Text("url", v.Pages)
	v.Text("home", v.Pages)
	_, offset := v.Now.In(scope.Site.Location).Zone()
	v.Text("gmt_offset", strconv.FormatFloat(float64(offset)/3600, 'f', -1, 64))
	v.Text("timezone_string", scope.Site.Timezone)
	v.Texts("namespaces", api.SpaceName(api.Reference), api.SpaceName(api.WordPress))
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
		routes    []api.Route
	}{{api.Reference, w.tec}, {api.WordPress, w.routes}} {
		in := *scope
		in.Base.Namespace = one.namespace
		inner := api.NewView(&in)
		inner.Now, inner.Bytes = v.Now, v.Bytes
		inner.Describe(one.routes)
		v.Bytes = inner.Bytes
	}
	v.Close('}')
	v.Int("site_logo", 0)
	v.Int("site_icon", 0)
	v.Text("site_icon_url", "")
	v.Open("_links", '{')
	v.Href("self", api.IndexAddress(v.Scope.Base))
	v.Close('}')
	v.Close('}')
	return v.Answer(0), nil
}
