package api

import (
	"context"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/tenancy/platform"
)

// listGatherings lists which sites receive events from which sites.
func (p *Platform) listGatherings(ctx context.Context, _ Call, in *platform.GatheringFilter) (*Answer, error) {
	page, err := p.platform.Gatherings.List(ctx, in)
	if err != nil {
		return nil, err
	}
	var links params
	links.length(in.Length())
	links.text("site", in.Site.Or(""))
	v := NewView(scopeOf(ctx))
	v.list("gatherings", len(page.Items), func(i int) { v.gathering(page.Items[i]) })
	return v.paged(listing{collection: "gatherings", page: in.Number(), perPage: in.Length(), total: page.Total, links: links}, 0), nil
}

// gathering writes the source through which a site receives the events of another site.
func (v *View) gathering(g *platform.Gathering) {
	v.Item()
	v.partner("giver", &g.Giver)
	v.partner("receiver", &g.Receiver)
	v.Open("source", '{')
	v.Int("id", g.Source)
	v.Text("name", g.Name)
	v.Text("state", g.State)
	v.problem((*imports.Problem)(g.Problem))
	v.instant("last_read", g.Read)
	v.Close('}')
	v.Int("events", g.Events)
	v.Close('}')
}

// partner writes one of the two sites of a gathering.
func (v *View) partner(name string, p *platform.Partner) {
	v.Open(name, '{')
	v.Text("slug", p.Slug)
	v.Text("name", p.Name)
	v.textOrNull("state", string(p.State))
	v.Close('}')
}
