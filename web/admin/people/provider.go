package people

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/signin"
)

// providerPath is the path of the page about the provider through which users sign in.
const providerPath = frame.AdminRoot + "/sign-in"

var providerTable = args.TableOf(reflect.TypeFor[accounts.SignInFields]())

// providerFields are the fields of the form, in order.
var providerFields = []string{"issuer", "client_id", "client_secret", "groups_claim", "administrator_groups", "editor_groups",
	"author_groups", "contributor_groups", "subscriber_groups", "others", "passwords"}

// roleFields are the fields for the groups of a role.
var roleFields = map[tenancy.Role]string{
	tenancy.Administrator: "administrator_groups",
	tenancy.Editor:        "editor_groups",
	tenancy.Author:        "author_groups",
	tenancy.Contributor:   "contributor_groups",
	tenancy.Subscriber:    "subscriber_groups",
}

// providerEditor is the form of the provider.
type providerEditor struct {
	form     *frame.Form
	provider *accounts.SignInProvider // nil: the site has none
	callback string
	confirm  signin.Means
}

// routesOfProvider are the routes of the page about signing in through a provider.
func (w *Pages) routesOfProvider() []frame.Route {
	const manage = tenancy.ManageSite | tenancy.ManageUsers
	return []frame.Route{
		frame.GetPage("/sign-in", manage, w.showProvider),
		frame.FormPage("/sign-in", manage, w.changeProvider),
	}
}

func (w *Pages) showProvider(v *frame.Visit) (*frame.Reply, error) {
	p, err := w.provider(v)
	if err != nil {
		return nil, err
	}
	v.Form = providerForm(p)
	return w.providerReply(v, 0)
}

// provider returns the provider of the site, or nil.
func (w *Pages) provider(v *frame.Visit) (*accounts.SignInProvider, error) {
	p, err := w.platform.SignIns.Settings(v.Ctx)
	if errors.Is(err, accounts.ErrNoProvider) {
		return nil, nil //nolint:nilnil // there is none
	}
	return p, err
}

func providerForm(p *accounts.SignInProvider) *frame.Form {
	f := &frame.Form{Values: url.Values{"passwords": {"1"}}}
	if p == nil {
		return f
	}
	f.Set("issuer", p.Issuer)
	f.Set("client_id", p.ClientID)
	f.Set("groups_claim", p.Claim)
	f.Set("others", string(p.Others))
	for role, name := range roleFields {
		f.Set(name, strings.Join(p.Groups[role], ", "))
	}
	if !p.Passwords {
		f.Set("passwords", "0")
	}
	return f
}

func (w *Pages) providerReply(v *frame.Visit, status int) (*frame.Reply, error) {
	p, err := w.provider(v)
	if err != nil {
		return nil, err
	}
	v.Form.Kind = "provider"
	confirm, err := w.signin.Confirming(v)
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "provider.title"), Section: "users",
		Body: providerPage(&providerEditor{v.Form, p, w.signin.Callback(v), confirm})}, err
}

// changeProvider saves or removes the provider of the site.
func (w *Pages) changeProvider(v *frame.Visit) (*frame.Reply, error) {
	page := func(status int) (*frame.Reply, error) { return w.providerReply(v, status) }
	if v.Form.ShownAgain() {
		return page(0)
	}
	remove := v.Form.Get("do") == "delete"
	var fields *accounts.SignInFields
	if !remove {
		values := args.Values{}
		for _, name := range providerFields {
			v.Form.Read(providerTable.Field(name), values)
		}
		var err error
		fields, err = frame.Checked(
			providerTable,
			values,
			args.Creating,
			func(f *accounts.SignInFields) error { return w.platform.SignIns.Check(v.Ctx, f) },
		)
		if err != nil && !v.Form.Refuse(v.Ctx, err) {
			return nil, err
		}
	}
	again, err := w.signin.PresentFor(v, "confirm", page, func(p accounts.Presence) error {
		switch {
		case remove:
			return w.platform.SignIns.Remove(v.Ctx, p)
		case len(v.Form.Problems) > 0: // reports problems with the password as well
			return w.platform.Users.Confirm(v.Ctx, p)
		}
		return w.platform.SignIns.Save(v.Ctx, fields, p)
	})
	switch {
	case again != nil:
		return again, err
	case err != nil && !errors.Is(err, accounts.ErrNoProvider) && !v.Form.Refuse(v.Ctx, err):
		return nil, err
	case len(v.Form.Problems) > 0:
		return page(http.StatusUnprocessableEntity)
	}
	return &frame.Reply{Redirect: providerPath, Say: "saved"}, nil
}

// otherRoles are the possible roles for people who are in none of the groups.
func otherRoles(ctx context.Context) (list []frame.Pair) {
	for _, role := range tenancy.Roles()[1:] {
		list = append(list, frame.Pair{Name: string(role), Value: frame.Tell(ctx, "role."+string(role))})
	}
	return list
}

// mayProvider reports whether the user may change how people sign in.
func mayProvider(ctx context.Context) bool {
	return tenancy.Current(ctx).Principal.May(tenancy.ManageSite | tenancy.ManageUsers)
}
