package accounts

import (
	"context"
	"errors"

	"github.com/kalends/kalends/tenancy"
)

// Acting returns who acts now for what a principal had made before, on the Scope's site, such as a webhook: the user of that id with
// their role as it is now and, unless it is 0, the key of that id. It returns ErrCredentials when the user or the key is gone.
func (a *Authenticator) Acting(ctx context.Context, user, key int64) (tenancy.Principal, error) {
	u, err := a.store.Users().Get(ctx, user)
	switch {
	case errors.Is(err, ErrNoUser):
		return tenancy.Principal{}, tenancy.ErrCredentials
	case err != nil:
		return tenancy.Principal{}, tenancy.Wrap("find user", err)
	case key == 0:
		return u.Principal(), nil
	}
	list, err := a.store.Credentials().List(ctx, user)
	for _, c := range list {
		if c.ID == key {
			p := u.Principal()
			p.ReadOnly, p.Kind, p.Key, p.Credential = c.ReadOnly, c.Kind, c.Name, c.ID
			return p, nil
		}
	}
	if err == nil {
		err = tenancy.ErrCredentials
	}
	return tenancy.Principal{}, err
}
