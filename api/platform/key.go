package platform

import (
	"context"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy/accounts"
)

func (p *API) listKeys(ctx context.Context, c api.Call, in *accounts.KeyFilter) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	page, err := p.platform.Keys.All(inside, in)
	if err != nil {
		return nil, err
	}
	v := newView(ctx)
	v.List("keys", len(page.Items), func(i int) { v.credential(page.Items[i]) })
	list := listingOf("sites/"+c.Key.Slug+"/keys", &in.Filter, page.Total)
	list.Links.ID("user", in.User.Or(0))
	return v.Paged(list, 0), nil
}

func (p *API) revokeKey(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	gone, err := p.platform.Keys.RevokeAny(inside, c.Key.ID)
	if err != nil {
		return nil, err
	}
	v := newView(ctx)
	v.credential(gone)
	return v.Answer(0), nil
}

// credential writes a key and its owner, but not the secret, which is not stored.
func (v view) credential(k *accounts.OwnedKey) {
	v.Item()
	v.Int("id", k.ID)
	v.Text("kind", string(k.Kind))
	v.Text("name", k.Name)
	v.Bool("read_only", k.ReadOnly)
	if k.Scopes == nil {
		v.Raw("scopes", "null")
	} else {
		v.Texts("scopes", k.Scopes...)
	}
	v.IDs("categories", k.Categories)
	v.Instant("expires", k.Expires)
	v.Open("user", '{')
	v.Int("id", k.UserID)
	v.Text("login", k.Login)
	v.Text("name", k.Owner)
	v.Close('}')
	v.Instant("created", k.Created)
	v.Instant("last_used", k.LastUsed)
	v.Close('}')
}
