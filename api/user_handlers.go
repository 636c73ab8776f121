package api

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

func (p *Platform) listUsers(ctx context.Context, c Call, in *accounts.UserFilter) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	page, err := p.platform.Users.List(inside, in)
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.list("users", len(page.Items), func(i int) { v.user(page.Items[i], "") })
	return v.paged(platformListing("sites/"+c.Key.Slug+"/users", &in.Filter, page.Total), 0), nil
}

func (p *Platform) createUser(ctx context.Context, c Call, in *accounts.UserFields) (*Answer, error) {
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

func (p *Platform) getUser(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	u, err := p.platform.Users.Get(inside, c.Key.ID)
	return userAnswer(ctx, u, "", err)
}

func (p *Platform) updateUser(ctx context.Context, c Call, in *accounts.UserFields) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	u, err := p.platform.Users.Update(inside, c.Key.ID, in, c.Condition)
	return userAnswer(ctx, u, "", err)
}

func (p *Platform) deleteUser(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
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
	v := NewView(scopeOf(ctx))
	v.user(u, password)
	answer := v.Answer(u.Mark())
	answer.once = password != ""
	return answer, nil
}
