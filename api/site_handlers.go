package api

import (
	"context"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

func (p *Platform) listSites(ctx context.Context, _ Call, in *platform.SiteFilter) (*Answer, error) {
	page, err := p.platform.Sites.List(ctx, in)
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.list("sites", len(page.Items), func(i int) { v.site(page.Items[i], p.domain) })
	list := platformListing("sites", &in.Filter, page.Total)
	for _, filter := range []Param{{"state", in.State.Or("")}, {"plan", in.Plan.Or("")}} {
		if filter.Value != "" {
			list.links = append(list.links, filter)
		}
	}
	return v.paged(list, 0), nil
}

func (p *Platform) createSite(ctx context.Context, _ Call, in *platform.SiteFields) (*Answer, error) {
	s, err := p.platform.Sites.Create(ctx, in)
	answer, err := p.siteAnswer(ctx, s, err)
	if err == nil {
		answer.Location = scopeOf(ctx).Base.API() + "/sites/" + s.Slug
	}
	return answer, err
}

func (p *Platform) getSite(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	s, err := p.platform.Sites.Get(ctx, c.Key.Slug)
	return p.siteAnswer(ctx, s, err)
}

func (p *Platform) updateSite(ctx context.Context, c Call, in *platform.SiteFields) (*Answer, error) {
	s, err := p.platform.Sites.Update(ctx, c.Key.Slug, in, c.Condition)
	return p.siteAnswer(ctx, s, err)
}

func (p *Platform) deleteSite(ctx context.Context, c Call, in *platform.DeletionFields) (*Answer, error) {
	s, err := p.platform.Sites.Delete(ctx, c.Key.Slug, in, c.Condition)
	return p.siteAnswer(ctx, s, err)
}

func (p *Platform) undeleteSite(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	s, err := p.platform.Sites.Undelete(ctx, c.Key.Slug, c.Condition)
	return p.siteAnswer(ctx, s, err)
}

func (p *Platform) siteAnswer(ctx context.Context, s *tenancy.Site, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.site(s, p.domain)
	return v.Answer(s.Version), nil
}

// inside returns a context in which the provider acts on the site in the path, or ErrNoSite.
func (p *Platform) inside(ctx context.Context, c Call) (context.Context, error) {
	s, err := p.platform.Sites.Get(ctx, c.Key.Slug)
	if err != nil {
		return nil, err
	}
	return tenancy.Enter(ctx, s)
}

// platformListing returns the filter as applied.
func platformListing(collection string, f *tenancy.Filter, total int) listing {
	perPage := f.Length()
	var links params
	links.length(perPage)
	links.text("search", f.Search.Or(""))
	return listing{collection: collection, page: f.Number(), perPage: perPage, total: total, links: links}
}
