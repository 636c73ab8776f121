package platform

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// keys returns the problems of an error as argument and key.
func keys(err error) []string {
	var found *args.Problems
	if !errors.As(err, &found) {
		return nil
	}
	var list []string
	for _, name := range found.Absent() {
		list = append(list, name+" missing")
	}
	for _, p := range found.Broken() {
		list = append(list, p.Arg+" "+p.Key)
	}
	slices.Sort(list)
	return list
}

func TestSiteFields(t *testing.T) {
	t.Parallel()
	table := args.TableOf(reflect.TypeFor[SiteFields]())
	var f SiteFields
	err := table.Parse(args.Values{
		"slug": "demo", "name": "Demo", "timezone": "europe/berlin", "domains": "a.example, b.example",
		"settings": map[string]any{"per_page": json.Number("20"), "currency_code": "EUR", "currency_position": "postfix"},
	}, args.Creating, &f)
	if err != nil {
		t.Fatal(err)
	}
	settings, _ := f.Settings.Get()
	if f.Timezone.Or(args.Zone{}).Name() != "Europe/Berlin" || f.Language.Given() || len(f.Domains.Or(nil)) != 2 ||
		settings.Fields.PerPage.Or(0) != 20 || settings.Fields.CurrencySymbol.Given() || f.Geo.Given() {
		t.Errorf("%+v", f)
	}
}

func TestFieldsRefuse(t *testing.T) {
	t.Parallel()
	site, user, key := &SiteFields{}, &accounts.UserFields{}, &accounts.KeyFields{}
	for _, c := range []struct {
		target any
		values args.Values
		want   string
	}{
		{site, args.Values{}, "name missing, slug missing"},
		{site, args.Values{"slug": "Demo", "name": "x"}, "slug problem.site.slug"},
		{site, args.Values{"slug": "-demo", "name": "x"}, "slug problem.site.slug"},
		{site, args.Values{"slug": "a.b", "name": "x"}, "slug problem.site.slug"},
		{site, args.Values{"slug": "a", "name": "x", "timezone": "Nowhere"}, "timezone problem.timezone"},
		{site, args.Values{"slug": "a", "name": "x", "state": "gone"}, "state problem.enum"},
		{site, args.Values{"slug": "a", "name": "x", "settings": map[string]any{"per_page": json.Number("51")}}, "settings problem.field.invalid"},
		{site, args.Values{"slug": "a", "name": "x", "settings": map[string]any{"currency_code": "eur"}}, "settings problem.field.invalid"},
		{site, args.Values{"slug": "a", "name": "x", "settings": map[string]any{"currency_position": "middle"}}, "settings problem.field.invalid"},
		{user, args.Values{}, "email missing, login missing, role missing"},
		{user, args.Values{"login": "a:b", "email": "a@b.c", "role": "editor"}, "login problem.login.characters"},
		{user, args.Values{"login": " ann", "email": "a@b.c", "role": "editor"}, "login problem.login.characters"},
		{user, args.Values{"login": "ann", "email": "ann", "role": "king"}, "email problem.email, role problem.enum"},
		{user, args.Values{"login": "ann", "email": "", "role": ""}, "email problem.empty, role problem.empty"},
		{user, args.Values{"login": "ann", "email": "a@b.c", "role": "editor", "password": "elevenchars"}, "password problem.password.short"},
		{user, args.Values{"login": "ann", "email": "a@b.c", "role": "editor", "password": strings.Repeat("x", 1001)}, "password problem.bytes"},
		{key, args.Values{"name": "x", "read_only": true}, "read_only problem.read_only"},
		{key, args.Values{"name": "x", "kind": "magic"}, "kind problem.enum"},
	} {
		target := reflect.New(reflect.TypeOf(c.target).Elem())
		err := args.TableOf(target.Type().Elem()).Parse(c.values, args.Creating, target.Interface())
		if got := strings.Join(keys(err), ", "); got != c.want {
			t.Errorf("%v: %q, want %q", c.values, got, c.want)
		}
	}
}

func TestRolesOfTheArgumentsAreTheRoles(t *testing.T) {
	t.Parallel()
	enum := args.TableOf(reflect.TypeFor[accounts.UserFields]()).Field("role").Enum
	for i, role := range tenancy.Roles() {
		if enum[i] != string(role) {
			t.Errorf("role %d is %s, the argument says %s", i, role, enum[i])
		}
	}
}

func TestFilterQuery(t *testing.T) {
	t.Parallel()
	f := tenancy.Filter{Paging: args.Paging{PerPage: args.Some(80)}, Search: args.Some(" ANN ")}
	if got := f.Query(); got != (tenancy.Query{Page: 1, PerPage: 50, Search: "ann"}) {
		t.Errorf("%+v", got)
	}
	if got := (&tenancy.Filter{}).Query(); got != (tenancy.Query{Page: 1, PerPage: 15}) {
		t.Errorf("%+v", got)
	}
}
