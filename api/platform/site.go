package platform

import (
	"context"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

func (p *API) listSites(ctx context.Context, _ api.Call, in *platform.SiteFilter) (*api.Answer, error) {
	page, err := p.platform.Sites.List(ctx, in)
	if err != nil {
		return nil, err
	}
	v := newView(ctx)
	v.List("sites", len(page.Items), func(i int) { v.site(page.Items[i], p.domain) })
	list := listingOf("sites", &in.Filter, page.Total)
	list.Links.Text("state", in.State.Or(""))
	list.Links.Text("plan", in.Plan.Or(""))
	return v.Paged(list, 0), nil
}

func (p *API) createSite(ctx context.Context, _ api.Call, in *platform.SiteFields) (*api.Answer, error) {
	s, err := p.platform.Sites.Create(ctx, in)
	answer, err := p.siteAnswer(ctx, s, err)
	if err == nil {
		answer.Location = tenancy.Current(ctx).Base.API() + "/sites/" + s.Slug
	}
	return answer, err
}

func (p *API) getSite(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	s, err := p.platform.Sites.Get(ctx, c.Key.Slug)
	return p.siteAnswer(ctx, s, err)
}

func (p *API) updateSite(ctx context.Context, c api.Call, in *platform.SiteFields) (*api.Answer, error) {
	s, err := p.platform.Sites.Update(ctx, c.Key.Slug, in, c.Condition)
	return p.siteAnswer(ctx, s, err)
}

func (p *API) deleteSite(ctx context.Context, c api.Call, in *platform.DeletionFields) (*api.Answer, error) {
	s, err := p.platform.Sites.Delete(ctx, c.Key.Slug, in, c.Condition)
	return p.siteAnswer(ctx, s, err)
}

func (p *API) undeleteSite(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	s, err := p.platform.Sites.Undelete(ctx, c.Key.Slug, c.Condition)
	return p.siteAnswer(ctx, s, err)
}

func (p *API) siteAnswer(ctx context.Context, s *tenancy.Site, err error) (*api.Answer, error) {
	if err != nil {
		return nil, err
	}
	v := newView(ctx)
	v.site(s, p.domain)
	return v.Answer(s.Version), nil
}

// inside returns a context in which the provider acts on the site in the path, or ErrNoSite.
func (p *API) inside(ctx context.Context, c api.Call) (context.Context, error) {
	s, err := p.platform.Sites.Get(ctx, c.Key.Slug)
	if err != nil {
		return nil, err
	}
	return tenancy.Enter(ctx, s)
}

// listingOf returns a page of a list, with the filter as applied.
func listingOf(collection string, f *tenancy.Filter, total int) api.Listing {
	perPage := f.Length()
	var links api.Params
	links.Length(perPage)
	links.Text("search", f.Search.Or(""))
	return api.Listing{Collection: collection, Page: f.Number(), PerPage: perPage, Total: total, Links: links}
}
