package people

import (
	"errors"
	"net/url"
	"strconv"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/signin"
)

// keysPath is the path of the page with the keys of all users.
const keysPath = frame.AdminRoot + "/keys"

// keyList is a page of the list of all users' keys.
type keyList struct {
	form        *frame.Form
	whose       *tenancy.User // nil: everybody's
	items       []*accounts.OwnedKey
	page, total int
	categories  signin.Categories
}

const keysPerPage = 50

// routesOfKeys are the routes of the pages about all users' keys.
func (w *Pages) routesOfKeys() []frame.Route {
	return []frame.Route{
		frame.GetPage("/keys", tenancy.ManageUsers, w.listKeys),
		frame.PostPage("/keys", tenancy.ManageUsers, w.revokeKey),
	}
}

func (w *Pages) listKeys(v *frame.Visit) (*frame.Reply, error) {
	l := &keyList{form: &frame.Form{Kind: "key", Values: v.Query}, page: 1}
	if n, err := strconv.Atoi(v.Query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	f := &accounts.KeyFilter{}
	f.Page, f.PerPage, f.Search = args.Some(l.page), args.Some(keysPerPage), args.Some(frame.Cut(l.form.Get("search"), 500))
	if id, err := strconv.ParseInt(v.Query.Get("user"), 10, 64); err == nil && id > 0 {
		if l.whose, err = w.platform.Users.Get(v.Ctx, id); err != nil {
			return nil, err
		}
		f.User = args.Some(id)
	}
	found, err := w.platform.Keys.All(v.Ctx, f)
	if err != nil {
		return nil, err
	}
	if len(found.Items) == 0 && l.page > 1 {
		return &frame.Reply{Redirect: l.address(1)}, nil
	}
	l.items, l.total = found.Items, found.Total
	if l.categories, err = w.signin.Categories(v.Ctx); err != nil {
		return nil, err
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "keys.title"), Section: "users", Body: keysPage(l)}, nil
}

// revokeKey revokes a key of any user. It is not an error if the key no longer exists.
func (w *Pages) revokeKey(v *frame.Visit) (*frame.Reply, error) {
	to := frame.Inside(v.Form.Get("to"))
	if frame.PathOf(to) != keysPath {
		to = keysPath
	}
	if v.Form.Get("do") != "revoke" {
		return &frame.Reply{Redirect: to}, nil
	}
	id, _ := strconv.ParseInt(v.Form.Get("id"), 10, 64)
	if _, err := w.platform.Keys.RevokeAny(v.Ctx, id); err != nil && !errors.Is(err, accounts.ErrNoKey) {
		return nil, err
	}
	return &frame.Reply{Redirect: to, Say: "revoked"}, nil
}

func (l *keyList) pages() int { return (l.total + keysPerPage - 1) / keysPerPage }

// address is the address of a page of the list.
func (l *keyList) address(page int) string {
	q := url.Values{}
	if text := l.form.Get("search"); text != "" {
		q.Set("search", text)
	}
	if l.whose != nil {
		q.Set("user", frame.IDText(l.whose.ID))
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return keysPath
	}
	return keysPath + "?" + q.Encode()
}
