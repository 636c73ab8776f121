package api

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/tenancy/accounts"
)

func (p *Platform) listKeys(ctx context.Context, c Call, in *accounts.KeyFilter) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	page, err := p.platform.Keys.All(inside, in)
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.list("keys", len(page.Items), func(i int) { v.credential(page.Items[i]) })
	list := platformListing("sites/"+c.Key.Slug+"/keys", &in.Filter, page.Total)
	if user := in.User.Or(0); user != 0 {
		list.links = append(list.links, Param{"user", strconv.FormatInt(user, 10)})
	}
	return v.paged(list, 0), nil
}

func (p *Platform) revokeKey(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	gone, err := p.platform.Keys.RevokeAny(inside, c.Key.ID)
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.credential(gone)
	return v.Answer(0), nil
}

// credential writes a key and its owner, but not the secret, which is not stored.
func (v *View) credential(k *accounts.OwnedKey) {
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
	v.ids("categories", k.Categories)
	v.instant("expires", k.Expires)
	v.Open("user", '{')
	v.Int("id", k.UserID)
	v.Text("login", k.Login)
	v.Text("name", k.Owner)
	v.Close('}')
	v.instant("created", k.Created)
	v.instant("last_used", k.LastUsed)
	v.Close('}')
}
