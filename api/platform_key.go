package api

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

func (p *Platform) listKeys(ctx context.Context, c call, in *accounts.KeyFilter) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	page, err := p.platform.Keys.All(inside, in)
	if err != nil {
		return nil, err
	}
	v := newView(scopeOf(ctx))
	v.list("keys", len(page.Items), func(i int) { v.credential(page.Items[i]) })
	list := platformListing("sites/"+c.Key.Slug+"/keys", &in.Filter, page.Total)
	if user := in.User.Or(0); user != 0 {
		list.links = append(list.links, param{"user", strconv.FormatInt(user, 10)})
	}
	return v.paged(list, 0), nil
}

func (p *Platform) revokeKey(ctx context.Context, c call, _ *nothing) (*Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	gone, err := p.platform.Keys.RevokeAny(inside, c.Key.ID)
	if err != nil {
		return nil, err
	}
	v := newView(scopeOf(ctx))
	v.credential(gone)
	return v.answer(0), nil
}

// credential writes a key and its owner, but not the secret, which is not stored.
func (v *view) credential(k *accounts.OwnedKey) {
	v.item()
	v.int("id", k.ID)
	v.text("kind", string(k.Kind))
	v.text("name", k.Name)
	v.bool("read_only", k.ReadOnly)
	v.open("user", '{')
	v.int("id", k.UserID)
	v.text("login", k.Login)
	v.text("name", k.Owner)
	v.close('}')
	v.instant("created", k.Created)
	v.instant("last_used", k.LastUsed)
	v.close('}')
}

// keyShape is the schema of view.credential.
var keyShape = object(
	must("id", anInteger),
	must("kind", choice(tenancy.ApplicationPassword, tenancy.APIKey)),
	must("name", aText),
	must("read_only", aSwitch),
	must("user", object(must("id", anInteger), must("login", aText), must("name", aText))),
	must("created", anInstant),
	must("last_used", someInstant),
)
