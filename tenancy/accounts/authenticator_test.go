package accounts_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

func TestBasic(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site, other := i.Site("demo"), i.Site("other")
	ann, password := i.User(site, "Ann", tenancy.Editor)
	_, foreign := i.User(other, "Ann", tenancy.Administrator)
	_, bobs := i.User(site, "bob", tenancy.Author)
	_, key := newKey(t, i, site, ann.ID, tenancy.APIKey, false)
	if _, err := i.Users.Update(i.Enter(site), ann.ID, &accounts.UserFields{Password: args.Some("her own password")}); err != nil {
		t.Fatal(err)
	}

	ctx := i.In(site, tenancy.Principal{})
	for _, c := range [][2]string{
		{"Ann", password},
		{"ANN", strings.ReplaceAll(password, " ", "")},
		{"ann@mail.example", " " + password + " "},
		{"Ann@MAIL.example", password},
	} {
		if p, err := i.Authenticator.Basic(ctx, c[0], c[1]); err != nil || !reflect.DeepEqual(p, with(ann, tenancy.ApplicationPassword, 1, ann.Login)) {
			t.Errorf("%q: %+v, %v", c, p, err)
		}
	}
	for _, c := range [][2]string{
		{"ann", ""}, {"", ""}, {"", password}, {"ann", bobs}, {"bob", password}, {"nobody", password},
		{"ann", foreign}, {"ann", "her own password"}, {"ann", strings.ToLower(password)}, {"ann", key},
		{"ann", password[:len(password)-1]}, {"ann", password + "x"}, {"ann", strings.Repeat("x", 24)},
		{"ann", strings.Repeat("x", 1_000_000)}, {"ann", "\x00"},
	} {
		p, err := i.Authenticator.Basic(ctx, c[0], c[1])
		tenancytest.WantError(t, err, tenancy.ErrCredentials)
		if !reflect.DeepEqual(p, tenancy.Principal{}) {
			t.Errorf("%.40q gives %+v", c, p)
		}
	}
}

func TestBearer(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site, other := i.Site("demo"), i.Site("other")
	ann, password := i.User(site, "ann", tenancy.Administrator)
	_, key := newKey(t, i, site, ann.ID, tenancy.APIKey, false)
	_, reading := newKey(t, i, site, ann.ID, tenancy.APIKey, true)

	ctx := i.In(site, tenancy.Principal{})
	if p, err := i.Authenticator.Bearer(ctx, key); err != nil || !reflect.DeepEqual(p, with(ann, tenancy.APIKey, 2, "a program")) || !p.May(tenancy.EditOthers) {
		t.Errorf("%+v, %v", p, err)
	}
	p, err := i.Authenticator.Bearer(ctx, reading)
	if err != nil || p.May(tenancy.EditOwn) || !p.MayRead(tenancy.ReadOthers) {
		t.Errorf("a key that reads only: %+v, %v", p, err)
	}
	tenancytest.WantError(t, p.Require(tenancy.EditOwn), tenancy.ErrForbidden)
	for _, wrong := range []string{"", "kal_", key + "x", strings.ToUpper(key), password, strings.ReplaceAll(password, " ", "")} {
		_, err := i.Authenticator.Bearer(ctx, wrong)
		tenancytest.WantError(t, err, tenancy.ErrCredentials)
	}
	_, err = i.Authenticator.Bearer(i.In(other, tenancy.Principal{}), key)
	tenancytest.WantError(t, err, tenancy.ErrCredentials)
	_, err = i.Authenticator.Bearer(t.Context(), key)
	tenancytest.WantError(t, err, tenancy.ErrNoScope)
}

// What is taken away stops working with the next request.
func TestRevocation(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	i.User(site, "root", tenancy.Administrator)
	ann, _ := i.User(site, "ann", tenancy.Editor)
	first, one := newKey(t, i, site, ann.ID, tenancy.APIKey, false)
	_, two := newKey(t, i, site, ann.ID, tenancy.APIKey, false)
	ctx := i.In(site, tenancy.Principal{})
	works := func(key string, want error) tenancy.Principal {
		t.Helper()
		p, err := i.Authenticator.Bearer(ctx, key)
		tenancytest.WantError(t, err, want)
		return p
	}
	works(one, nil)
	works(two, nil)
	if err := i.Keys.Revoke(i.Enter(site), ann.ID, first.ID); err != nil {
		t.Fatal(err)
	}
	works(one, tenancy.ErrCredentials)
	works(two, nil)
	if _, err := i.Users.Update(i.Enter(site), ann.ID, &accounts.UserFields{Role: args.Some("subscriber")}); err != nil {
		t.Fatal(err)
	}
	if p := works(two, nil); p.Role != tenancy.Subscriber {
		t.Errorf("still %s", p.Role)
	}
	if _, err := i.Users.Delete(i.Enter(site), ann.ID); err != nil {
		t.Fatal(err)
	}
	works(two, tenancy.ErrCredentials)
}

func TestConcurrentBurstCostsOneQuery(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	ann, password := i.User(site, "ann", tenancy.Editor)
	ctx := i.In(site, tenancy.Principal{})
	i.Finds.Store(0)
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			if p, err := i.Authenticator.Basic(ctx, "ann", password); err != nil || !reflect.DeepEqual(p, with(ann, tenancy.ApplicationPassword, 1, ann.Login)) {
				t.Errorf("%+v, %v", p, err)
			}
			_, err := i.Authenticator.Basic(ctx, "bob", password)
			tenancytest.WantError(t, err, tenancy.ErrCredentials)
		})
	}
	group.Wait()
	if n := i.Finds.Load(); n != 1 {
		t.Errorf("%d queries", n)
	}
}

func TestLastUse(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site := i.Site("demo")
	_, password := i.User(site, "ann", tenancy.Editor)
	_, token, err := i.Tokens.Create(i.Provider(), &accounts.TokenFields{Name: args.Some("panel")})
	if err != nil {
		t.Fatal(err)
	}
	before := version(t, i, "demo")
	uses := func() (key, tok time.Time) {
		t.Helper()
		if _, err := i.Authenticator.Basic(i.In(site, tenancy.Principal{}), "ann", password); err != nil {
			t.Fatal(err)
		}
		if _, err := i.Authenticator.Provider(t.Context(), token); err != nil {
			t.Fatal(err)
		}
		if err := i.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		keys, err := i.Keys.List(i.Enter(site), 1)
		if err != nil || len(keys) != 1 {
			t.Fatal(keys, err)
		}
		tokens, err := i.Tokens.List(i.Provider())
		if err != nil || len(tokens) != 1 {
			t.Fatal(tokens, err)
		}
		return keys[0].LastUsed, tokens[0].LastUsed
	}
	key1, token1 := uses()
	if key1.IsZero() || token1.IsZero() {
		t.Errorf("first use %v, %v", key1, token1)
	}
	i.Wait(30 * time.Second)
	if key2, token2 := uses(); !key2.Equal(key1) || !token2.Equal(token1) {
		t.Errorf("noted again within a minute: %v, %v", key2, token2)
	}
	i.Wait(31 * time.Second)
	if key3, token3 := uses(); !key3.After(key1) || !token3.After(token1) {
		t.Errorf("not noted after a minute: %v, %v", key3, token3)
	}
	if now := version(t, i, "demo"); now != before {
		t.Errorf("using a key raised the version from %d to %d", before, now)
	}
}

func TestProviderTokens(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t, func(o *platform.Options) { o.ProviderToken = "from the environment" })
	made, token, err := i.Tokens.Create(i.Provider(), &accounts.TokenFields{Name: args.Some("panel")})
	if err != nil || !strings.HasPrefix(token, "kalp_") || len(token) != 45 {
		t.Fatalf("%+v %q %v", made, token, err)
	}
	if p, err := i.Authenticator.Provider(t.Context(), "from the environment"); err != nil || p.Name != "environment" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := i.Authenticator.Provider(t.Context(), token); err != nil || p.Name != "panel" {
		t.Errorf("%+v, %v", p, err)
	}
	for _, wrong := range []string{"", "from the environment ", "kalp_" + strings.Repeat("x", 40), token[:44]} {
		_, err := i.Authenticator.Provider(t.Context(), wrong)
		tenancytest.WantError(t, err, tenancy.ErrCredentials)
	}
	if err := i.Tokens.Revoke(i.Provider(), made.ID); err != nil {
		t.Fatal(err)
	}
	_, err = i.Authenticator.Provider(t.Context(), token)
	tenancytest.WantError(t, err, tenancy.ErrCredentials)
	tenancytest.WantError(t, i.Tokens.Revoke(i.Provider(), made.ID), accounts.ErrNoKey)
}

// However many wrong tokens come at once, they ask the database a few times a second,
// and one that was just made opens the door meanwhile.
func TestConcurrentWrongProviderTokens(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	begin := time.Now()
	var group sync.WaitGroup
	for n := range 300 {
		group.Go(func() {
			_, err := i.Authenticator.Provider(t.Context(), fmt.Sprintf("kalp_%040d", n))
			tenancytest.WantError(t, err, tenancy.ErrCredentials)
		})
		if n%100 != 0 {
			continue
		}
		_, token, err := i.Tokens.Create(i.Provider(), &accounts.TokenFields{Name: args.Some("panel")})
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			_, err := i.Authenticator.Provider(t.Context(), token)
			tenancytest.WantError(t, err, nil)
		})
	}
	group.Wait()
	took := time.Since(begin)
	if n, most := i.Finds.Load(), int64(2+took/time.Second+took/(20*time.Millisecond)); n > most {
		t.Errorf("%d readings in %s", n, took)
	}
}

// Without a token in the configuration the empty one is none.
func TestNoProviderToken(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	_, err := i.Authenticator.Provider(t.Context(), "")
	tenancytest.WantError(t, err, tenancy.ErrCredentials)
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	site, other := i.Site("demo"), i.Site("other")
	f := tenancytest.Person("ann", tenancy.Editor)
	f.Password = args.Some("her own password")
	ann, application, err := i.Users.Create(i.Enter(site), f)
	if err != nil {
		t.Fatal(err)
	}
	i.User(site, "bob", tenancy.Editor) // has no password
	ctx := i.In(site, tenancy.Principal{})
	for _, login := range []string{"ann", " ANN ", "Ann@mail.example"} {
		if u, err := i.Authenticator.SignIn(ctx, login, "her own password"); err != nil || u.ID != ann.ID {
			t.Errorf("%s: %+v, %v", login, u, err)
		}
	}
	for _, c := range [][2]string{{"ann", "another password"}, {"ann", ""}, {"ann", application}, {"bob", ""}, {"nobody", "her own password"}} {
		_, err := i.Authenticator.SignIn(ctx, c[0], c[1])
		tenancytest.WantError(t, err, tenancy.ErrCredentials)
	}
	_, err = i.Authenticator.SignIn(i.In(other, tenancy.Principal{}), "ann", "her own password")
	tenancytest.WantError(t, err, tenancy.ErrCredentials)
}

// with is the principal of a user who shows a credential.
func with(u *tenancy.User, kind tenancy.Kind, id int64, name string) tenancy.Principal {
	p := u.Principal()
	p.Kind, p.Credential, p.Key = kind, id, name
	return p
}
