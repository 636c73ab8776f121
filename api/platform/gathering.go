package platform

import (
	"context"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/tenancy/platform"
)

// listGatherings lists which sites receive events from which sites.
func (p *API) listGatherings(ctx context.Context, _ api.Call, in *platform.GatheringFilter) (*api.Answer, error) {
	page, err := p.platform.Gatherings.List(ctx, in)
	if err != nil {
		return nil, err
	}
	var links api.Params
	links.Length(in.Length())
	links.Text("site", in.Site.Or(""))
	v := newView(ctx)
	v.List("gatherings", len(page.Items), func(i int) { v.gathering(page.Items[i]) })
	return v.Paged(api.Listing{Collection: "gatherings", Page: in.Number(), PerPage: in.Length(), Total: page.Total, Links: links}, 0), nil
}

// gathering writes the source through which a site receives the events of another site.
func (v view) gathering(g *platform.Gathering) {
	v.Item()
	v.partner("giver", &g.Giver)
	v.partner("receiver", &g.Receiver)
	v.Open("source", '{')
	v.Int("id", g.Source)
	v.Text("name", g.Name)
	v.Text("state", g.State)
	v.Problem((*imports.Problem)(g.Problem))
	v.Instant("last_read", g.Read)
	v.Close('}')
	v.Int("events", g.Events)
	v.Close('}')
}

// partner writes one of the two sites of a gathering.
func (v view) partner(name string, p *platform.Partner) {
	v.Open(name, '{')
	v.Text("slug", p.Slug)
	v.Text("name", p.Name)
	v.TextOrNull("state", string(p.State))
	v.Close('}')
}
