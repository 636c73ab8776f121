package api

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
)

func (p *Platform) listSites(ctx context.Context, _ call, in *platform.SiteFilter) (*Answer, error) {
	page, err := p.platform.Sites.List(ctx, in)
	if err != nil {
		return nil, err
	}
	v := newView(scopeOf(ctx))
	v.list("sites", len(page.Items), func(i int) { v.site(page.Items[i], p.domain) })
	list := platformListing("sites", &in.Filter, page.Total)
	for _, filter := range []param{{"state", in.State.Or("")}, {"plan", in.Plan.Or("")}} {
		if filter.value != "" {
			list.links = append(list.links, filter)
		}
	}
	return v.paged(list, 0), nil
}

func (p *Platform) createSite(ctx context.Context, _ call, in *platform.SiteFields) (*Answer, error) {
	s, err := p.platform.Sites.Create(ctx, in)
	answer, err := p.siteAnswer(ctx, s, err)
	if err == nil {
		answer.Location = scopeOf(ctx).Base.API() + "/sites/" + s.Slug
	}
	return answer, err
}

func (p *Platform) getSite(ctx context.Context, c call, _ *nothing) (*Answer, error) {
	s, err := p.platform.Sites.Get(ctx, c.Key.Slug)
	return p.siteAnswer(ctx, s, err)
}

func (p *Platform) updateSite(ctx context.Context, c call, in *platform.SiteFields) (*Answer, error) {
	s, err := p.platform.Sites.Update(ctx, c.Key.Slug, in, c.Condition)
	return p.siteAnswer(ctx, s, err)
}

func (p *Platform) deleteSite(ctx context.Context, c call, in *platform.DeletionFields) (*Answer, error) {
	s, err := p.platform.Sites.Delete(ctx, c.Key.Slug, in, c.Condition)
	return p.siteAnswer(ctx, s, err)
}

func (p *Platform) undeleteSite(ctx context.Context, c call, _ *nothing) (*Answer, error) {
	s, err := p.platform.Sites.Undelete(ctx, c.Key.Slug, c.Condition)
	return p.siteAnswer(ctx, s, err)
}

func (p *Platform) siteAnswer(ctx context.Context, s *tenancy.Site, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := newView(scopeOf(ctx))
	v.site(s, p.domain)
	return v.answer(s.Version), nil
}

func (p *Platform) listUsers(ctx context.Context, c call, in *accounts.UserFilter) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	page, err := p.platform.Users.List(inside, in)
	if err != nil {
		return nil, err
	}
	v := newView(scopeOf(ctx))
	v.list("users", len(page.Items), func(i int) { v.user(page.Items[i], "") })
	return v.paged(platformListing("sites/"+c.Key.Slug+"/users", &in.Filter, page.Total), 0), nil
}

func (p *Platform) createUser(ctx context.Context, c call, in *accounts.UserFields) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	u, password, err := p.platform.Users.Create(inside, in)
	answer, err := userAnswer(ctx, u, password, err)
	if err == nil {
		answer.Location = scopeOf(ctx).Base.API() + "/sites/" + c.Key.Slug + "/users/" + strconv.FormatInt(u.ID, 10)
	}
	return answer, err
}

func (p *Platform) getUser(ctx context.Context, c call, _ *nothing) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	u, err := p.platform.Users.Get(inside, c.Key.ID)
	return userAnswer(ctx, u, "", err)
}

func (p *Platform) updateUser(ctx context.Context, c call, in *accounts.UserFields) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	u, err := p.platform.Users.Update(inside, c.Key.ID, in, c.Condition)
	return userAnswer(ctx, u, "", err)
}

func (p *Platform) deleteUser(ctx context.Context, c call, _ *nothing) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	u, err := p.platform.Users.Delete(inside, c.Key.ID, c.Condition)
	return userAnswer(ctx, u, "", err)
}

func userAnswer(ctx context.Context, u *tenancy.User, password string, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := newView(scopeOf(ctx))
	v.user(u, password)
	return v.answer(u.Mark()), nil
}

// inside returns a context in which the provider acts on the site in the path, or ErrNoSite.
func (p *Platform) inside(ctx context.Context, c call) (context.Context, error) {
	s, err := p.platform.Sites.Get(ctx, c.Key.Slug)
	if err != nil {
		return nil, err
	}
	return tenancy.Enter(ctx, s)
}

// platformListing returns the filter as applied.
func platformListing(collection string, f *tenancy.Filter, total int) listing {
	perPage := min(f.PerPage.Or(15), 50)
	var links params
	links.length(perPage)
	links.text("search", f.Search.Or(""))
	return listing{collection: collection, page: f.Page.Or(1), perPage: perPage, total: total, links: links}
}
