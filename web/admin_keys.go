package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// keysPath is where those who manage users find everybody's keys.
const keysPath = adminRoot + "/keys"

// keyList is a page of the keys of everybody on the site.
type keyList struct {
	form        *form
	whose       *tenancy.User // nil: everybody's
	items       []*tenancy.OwnedKey
	page, total int
}

const keysPerPage = 50

// routesOfKeys are the pages about other people's keys.
func (w *admin) routesOfKeys() []adminRoute {
	return []adminRoute{
		{http.MethodGet, "/keys", tenancy.ManageUsers, w.listKeys, false},
		{http.MethodPost, "/keys", tenancy.ManageUsers, w.revokeKey, false},
	}
}

func (w *admin) listKeys(v *visit) (*reply, error) {
	l := &keyList{form: &form{kind: "key", values: v.query}, page: 1}
	if n, err := strconv.Atoi(v.query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	f := &tenancy.KeyFilter{}
	f.Page, f.PerPage, f.Search = args.Some(l.page), args.Some(keysPerPage), args.Some(cut(v.query.Get("search"), 500))
	if id, err := strconv.ParseInt(v.query.Get("user"), 10, 64); err == nil && id > 0 {
		if l.whose, err = w.platform.Users.Get(v.ctx, id); err != nil {
			return nil, err
		}
		f.User = args.Some(id)
	}
	found, err := w.platform.Keys.All(v.ctx, f)
	if err != nil {
		return nil, err
	}
	if len(found.Items) == 0 && l.page > 1 {
		return &reply{redirect: l.address(1)}, nil
	}
	l.items, l.total = found.Items, found.Total
	return &reply{title: tell(v.ctx, "keys.title"), section: "users", body: keysPage(l)}, nil
}

// revokeKey revokes a key of anybody. One that is gone already is what was wanted.
func (w *admin) revokeKey(v *visit) (*reply, error) {
	to := inside(v.form.get("to"))
	if pathOf(to) != keysPath {
		to = keysPath
	}
	if v.form.get("do") != "revoke" {
		return &reply{redirect: to}, nil
	}
	id, _ := strconv.ParseInt(v.form.get("id"), 10, 64)
	if _, err := w.platform.Keys.RevokeAny(v.ctx, id); err != nil && !errors.Is(err, tenancy.ErrNoKey) {
		return nil, err
	}
	return &reply{redirect: to, say: "revoked"}, nil
}

func (l *keyList) pages() int { return (l.total + keysPerPage - 1) / keysPerPage }

// address is the list's at a page.
func (l *keyList) address(page int) string {
	q := url.Values{}
	if text := l.form.get("search"); text != "" {
		q.Set("search", text)
	}
	if l.whose != nil {
		q.Set("user", idText(l.whose.ID))
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return keysPath
	}
	return keysPath + "?" + q.Encode()
}
