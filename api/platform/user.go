package platform

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

func (p *API) listUsers(ctx context.Context, c api.Call, in *accounts.UserFilter) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	page, err := p.platform.Users.List(inside, in)
	if err != nil {
		return nil, err
	}
	v := newView(ctx)
	v.List("users", len(page.Items), func(i int) { v.user(page.Items[i], "") })
	return v.Paged(listingOf("sites/"+c.Key.Slug+"/users", &in.Filter, page.Total), 0), nil
}

func (p *API) createUser(ctx context.Context, c api.Call, in *accounts.UserFields) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	u, password, err := p.platform.Users.Create(inside, in)
	answer, err := userAnswer(ctx, u, password, err)
	if err == nil {
		answer.Location = tenancy.Current(ctx).Base.API() + "/sites/" + c.Key.Slug + "/users/" + strconv.FormatInt(u.ID, 10)
	}
	return answer, err
}

func (p *API) getUser(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	u, err := p.platform.Users.Get(inside, c.Key.ID)
	return userAnswer(ctx, u, "", err)
}

func (p *API) updateUser(ctx context.Context, c api.Call, in *accounts.UserFields) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	u, err := p.platform.Users.Update(inside, c.Key.ID, in, c.Condition)
	return userAnswer(ctx, u, "", err)
}

func (p *API) deleteUser(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	u, err := p.platform.Users.Delete(inside, c.Key.ID, c.Condition)
	return userAnswer(ctx, u, "", err)
}

func userAnswer(ctx context.Context, u *tenancy.User, password string, err error) (*api.Answer, error) {
	if err != nil {
		return nil, err
	}
	v := newView(ctx)
	v.user(u, password)
	answer := v.Answer(u.Mark())
	answer.Once = password != ""
	return answer, nil
}
