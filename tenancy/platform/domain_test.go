package platform_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

// records is a DNS: texts by name, or one error for every name.
type records struct {
	mu    sync.Mutex
	texts map[string][]string
	err   error
	until time.Duration // how long the last look-up might have taken; 0: for ever
}

func (r *records) LookupHost(ctx context.Context, name string) ([]string, error) {
	return r.LookupTXT(ctx, name)
}

func (r *records) LookupTXT(ctx context.Context, name string) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if end, ok := ctx.Deadline(); ok {
		r.until = time.Until(end)
	}
	if r.err != nil {
		return nil, r.err
	}
	if list := r.texts[name]; list != nil {
		return list, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}

// show puts the proof of a domain into the DNS.
func (r *records) show(d *platform.Domain) {
	name, value := d.Record()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts[name+"."] = append(r.texts[name+"."], value)
}

// noPages is a web without pages.
type noPages struct{}

func (noPages) Fetch(context.Context, string) ([]byte, string, string, error) {
	return nil, "", "", errors.New("nothing there")
}

// emptyPages is a web whose servers say that there is no such page.
type emptyPages struct{}

func (emptyPages) Fetch(context.Context, string) ([]byte, string, string, error) {
	return nil, "", "", fmt.Errorf("status 404: %w", fs.ErrNotExist)
}

// A server that says there is no proof is another thing than one that says nothing.
func TestDomainWithoutProofIsAbsent(t *testing.T) {
	t.Parallel()
	i, _ := withRecords(t, func(o *platform.Options) { o.Pages = emptyPages{} })
	site := i.Site("club")
	found, err := i.Domains.Check(i.Enter(site), claim(t, i, site, "club.example").Name)
	if err != nil || found.State() != platform.DomainPending || found.HTTP != platform.Absent {
		t.Errorf("%+v, %v", found, err)
	}
}

// withRecords is an installation with a DNS of its own.
func withRecords(t *testing.T, change ...func(*platform.Options)) (*tenancytest.Installation, *records) {
	t.Helper()
	r := &records{texts: map[string][]string{}}
	change = append([]func(*platform.Options){func(o *platform.Options) { o.Names, o.Pages = r, noPages{} }}, change...)
	return tenancytest.Install(t, change...), r
}

// claim asks for a domain.
func claim(t testing.TB, i *tenancytest.Installation, site *tenancy.Site, domain string) *platform.Domain {
	t.Helper()
	d, err := i.Domains.Claim(i.Enter(site), &platform.DomainFields{Domain: args.Some(domain)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func states(t testing.TB, i *tenancytest.Installation, site *tenancy.Site) map[string]platform.DomainState {
	t.Helper()
	list, err := i.Domains.List(i.Enter(site))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]platform.DomainState{}
	for _, d := range list {
		found[d.Name] = d.State()
	}
	return found
}

// A domain leads to a site once it is proved, and no sooner.
func TestDomainIsProvedByRecord(t *testing.T) {
	t.Parallel()
	i, dns := withRecords(t)
	i.Site("demo")
	site := i.Site("club")
	d := claim(t, i, site, "Bücher.Example")
	if d.Name != "xn--bcher-kva.example" {
		t.Errorf("asked for %s", d.Name)
	}
	if again := claim(t, i, site, "xn--bcher-kva.example"); again.Token != d.Token {
		t.Error("another token the second time")
	}
	found, err := i.Domains.Check(i.Enter(site), d.Name)
	if err != nil || found.State() != platform.DomainPending || found.DNS != platform.Absent || found.HTTP != platform.Failed {
		t.Errorf("%+v, %v", found, err)
	}
	if at, err := i.Resolver.Resolve(t.Context(), d.Name); err != nil || at.ID == site.ID {
		t.Errorf("leads to the site before it is proved: %v", err)
	}
	dns.texts["_kalends.xn--bcher-kva.example."] = []string{"kalends=another", "v=spf1 -all"}
	if found, err = i.Domains.Check(i.Enter(site), d.Name); err != nil || found.DNS != platform.Other {
		t.Errorf("%+v, %v", found, err)
	}
	dns.show(d)
	if found, err = i.Domains.Check(i.Enter(site), "bücher.example"); err != nil || found.By != platform.ByDNS {
		t.Fatalf("%+v, %v", found, err)
	}
	i.Wait(time.Second) // as long as it led to the default site
	if at, err := i.Resolver.Resolve(t.Context(), d.Name); err != nil || at.ID != site.ID || at.Version != site.Version+1 {
		t.Errorf("leads to %+v, %v", at, err)
	}
	list, _, err := i.History.List(i.Enter(site), &tenancy.HistoryFilter{Kind: args.Some("site")})
	if err != nil || len(list) != 1 || list[0].Before["domains"] == nil {
		t.Errorf("history %+v, %v", list, err)
	}
	if last, err := i.Domains.Remove(i.Enter(site), d.Name); err != nil || last.By != platform.ByDNS {
		t.Errorf("%+v, %v", last, err)
	}
	if at, err := i.Resolver.Resolve(t.Context(), d.Name); err != nil || at.ID == site.ID {
		t.Errorf("still leads to the site: %v", err)
	}
	_, err = i.Domains.Remove(i.Enter(site), d.Name)
	tenancytest.WantError(t, err, platform.ErrNoDomain)
}

func TestDomainsThatAreNone(t *testing.T) {
	t.Parallel()
	i, _ := withRecords(t)
	site := i.Site("club", "word.example")
	other := i.Site("other", "taken.example")
	for domain, key := range map[string]string{
		"*.example.org":                       "problem.domain.wildcard",
		"203.0.113.7":                         "problem.domain.address",
		"[2001:db8::1]":                       "problem.domain.address",
		"2001:db8::1":                         "problem.domain.address",
		"203.0.113.7:80":                      "problem.domain.address",
		"example.org:8080":                    "problem.domain.port",
		"calendars.example":                   "problem.domain.platform",
		"Club.Calendars.example":              "problem.domain.platform",
		"http://example.org":                  "problem.domain",
		"example.org/path":                    "problem.domain",
		"intranet":                            "problem.domain",
		"xn--a.example":                       "problem.domain",
		strings.Repeat("a.", 124) + "example": "problem.domain",
		"word.example":                        "problem.domain.own",
		"taken.example":                       "problem.domain.lost",
	} {
		_, err := i.Domains.Claim(i.Enter(site), &platform.DomainFields{Domain: args.Some(domain)})
		tenancytest.WantProblem(t, err, "domain", key)
	}
	if got := states(t, i, site); !maps.Equal(got, map[string]platform.DomainState{"word.example": platform.DomainProved}) {
		t.Errorf("%v", got)
	}
	if list, err := i.Domains.List(i.Enter(other)); err != nil || len(list) != 1 || list[0].By != platform.ByWord {
		t.Errorf("%+v, %v", list, err)
	}
	for range 99 {
		claim(t, i, site, "a"+randomLabel()+".example")
	}
	_, err := i.Domains.Claim(i.Enter(site), &platform.DomainFields{Domain: args.Some("more.example")})
	tenancytest.WantProblem(t, err, "domain", "problem.domain.many")
	editor := i.In(site, tenancy.Principal{UserID: 1, Role: tenancy.Editor})
	_, err = i.Domains.List(editor)
	tenancytest.WantError(t, err, tenancy.ErrForbidden)
	_, err = i.Domains.List(i.In(site, tenancy.Principal{}))
	tenancytest.WantError(t, err, tenancy.ErrUnauthenticated)
}

// Of sites that prove a domain at the same moment one gets it, and the others are
// told.
func TestConcurrentDomain(t *testing.T) {
	t.Parallel()
	i, dns := withRecords(t)
	slugs := []string{"one", "two", "three"}
	sites := map[string]*tenancy.Site{}
	for _, slug := range slugs {
		sites[slug] = i.Site(slug)
		dns.show(claim(t, i, sites[slug], "race.example"))
	}
	var mu sync.Mutex
	won := map[string]int{}
	var all sync.WaitGroup
	start := make(chan struct{})
	for _, slug := range slugs {
		for range 3 {
			ctx := i.Enter(sites[slug])
			all.Go(func() {
				<-start
				found, err := i.Domains.Check(ctx, "race.example")
				if err == nil && found.By == platform.ByDNS {
					mu.Lock()
					won[slug]++
					mu.Unlock()
					return
				}
				tenancytest.WantProblem(t, err, "domain", "problem.domain.lost")
			})
		}
	}
	close(start)
	all.Wait()
	if len(won) != 1 {
		t.Fatalf("got by %v", won)
	}
	for slug := range won {
		if won[slug] != 3 {
			t.Errorf("the winner was told of it %d times", won[slug])
		}
		for _, other := range slugs {
			want := platform.DomainLost
			if other == slug {
				want = platform.DomainProved
			}
			if got := states(t, i, sites[other])["race.example"]; got != want {
				t.Errorf("%s: %s, want %s", other, got, want)
			}
		}
		if _, err := i.Domains.Remove(i.Enter(sites[slug]), "race.example"); err != nil {
			t.Fatal(err)
		}
		loser := slugs[0]
		if loser == slug {
			loser = slugs[1]
		}
		if found, err := i.Domains.Check(i.Enter(sites[loser]), "race.example"); err != nil || found.By != platform.ByDNS {
			t.Errorf("not to be had once it is given back: %+v, %v", found, err)
		}
	}
}

// What isn't proved in a month has to be asked for again, with another token.
func TestDomainClaimEnds(t *testing.T) {
	t.Parallel()
	i, dns := withRecords(t)
	site := i.Site("club")
	d := claim(t, i, site, "late.example")
	dns.show(d)
	i.Wait(30 * 24 * time.Hour)
	_, err := i.Domains.Check(i.Enter(site), "late.example")
	tenancytest.WantError(t, err, platform.ErrNoDomain)
	if again := claim(t, i, site, "late.example"); again.Token == d.Token {
		t.Error("the same token")
	}
	if found, err := i.Domains.Check(i.Enter(site), "late.example"); err != nil || found.DNS != platform.Other {
		t.Errorf("%+v, %v", found, err)
	}
}

// A DNS that doesn't answer is waited for a while and no longer, and proves
// nothing.
func TestDomainNamesTimeout(t *testing.T) {
	t.Parallel()
	i, dns := withRecords(t)
	site := i.Site("club")
	d := claim(t, i, site, "slow.example")
	dns.show(d)
	for _, err := range []error{&net.DNSError{Err: "i/o timeout", IsTimeout: true}, context.DeadlineExceeded} {
		dns.err = err
		found, err := i.Domains.Check(i.Enter(site), d.Name)
		if err != nil || found.DNS != platform.Failed || found.By != "" || found.Checked.IsZero() {
			t.Errorf("%+v, %v", found, err)
		}
	}
	if dns.until <= 0 || dns.until > 10*time.Second {
		t.Errorf("waits for %v", dns.until)
	}
	if got := states(t, i, site)[d.Name]; got != platform.DomainPending {
		t.Errorf("%s", got)
	}
}

// A page proves a domain, but for one that leads to a private address.
func TestDomainIsProvedByPage(t *testing.T) {
	t.Parallel()
	var token, to string
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		t.Error("a private address was asked")
		_, _ = w.Write([]byte(token))
	}))
	defer private.Close()
	public := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/.well-known/kalends-domain":
			http.NotFound(w, r)
		case to != "":
			http.Redirect(w, r, to, http.StatusFound)
		default:
			_, _ = w.Write([]byte(token + "\n"))
		}
	}))
	defer public.Close()
	at := strings.TrimPrefix(public.URL, "http://")
	fetcher := media.NewFetcher(media.FetchConfig{AllowHosts: []string{at}})
	i, _ := withRecords(t, func(o *platform.Options) { o.Pages = elsewhere{fetcher, at} })
	site := i.Site("club")
	d := claim(t, i, site, "page.example")
	for _, c := range []struct {
		token, to string
		want      platform.Finding
	}{
		{"something else", "", platform.Other},
		{d.Token, private.URL, platform.Failed},
		{d.Token, "http://169.254.169.254/latest/meta-data", platform.Failed},
		{d.Token, "http://localhost/", platform.Failed},
		{d.Token, public.URL + "/none", platform.Absent},
		{d.Token, "", platform.Shown},
	} {
		token, to = c.token, c.to
		found, err := i.Domains.Check(i.Enter(site), d.Name)
		if err != nil || found.HTTP != c.want || (found.By == platform.ByHTTP) != (c.want == platform.Shown) {
			t.Errorf("%+v: %+v, %v", c, found, err)
		}
	}
}

// elsewhere asks a server of the test in place of page.example.
type elsewhere struct {
	*media.Fetcher
	at string
}

func (e elsewhere) Fetch(ctx context.Context, url string) ([]byte, string, string, error) {
	return e.Fetcher.Fetch(ctx, strings.Replace(url, "page.example", e.at, 1))
}

// Domains set by the provider count as proved by their word, and end the wait.
func TestDomainByTheProvidersWord(t *testing.T) {
	t.Parallel()
	i, _ := withRecords(t)
	site := i.Site("club")
	claim(t, i, site, "word.example")
	if _, err := i.Sites.Update(i.Provider(), "club", &platform.SiteFields{Domains: args.Some(args.Texts{"word.example"})}); err != nil {
		t.Fatal(err)
	}
	list, err := i.Domains.List(i.Enter(site))
	if err != nil || len(list) != 1 || list[0].By != platform.ByWord || list[0].Token != "" {
		t.Errorf("%+v, %v", list, err)
	}
}

// Serves answers for the names of sites alone, and strangers can't make it ask
// the store at any rate.
func TestServes(t *testing.T) {
	t.Parallel()
	i, _ := withRecords(t)
	i.Site("demo")
	site := i.Site("club", "club.example")
	claim(t, i, site, "pending.example")
	serves := func(name string) bool {
		t.Helper()
		yes, err := i.Resolver.Serves(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	for name, want := range map[string]bool{
		"club.example": true, "CLUB.example.": true, "club.calendars.example": true, "demo.calendars.example": true,
		"": false, "pending.example": false, "calendars.example": false, "none.calendars.example": false,
		"a.club.calendars.example": false, "other.example": false, "127.0.0.1": false, "::1": false, "club": false, "*.example": false,
	} {
		if got := serves(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	if _, err := i.Sites.Update(i.Provider(), "club", &platform.SiteFields{State: args.Some("closed")}); err != nil {
		t.Fatal(err)
	}
	if serves("club.example") || serves("club.calendars.example") {
		t.Error("a closed site is served")
	}
	before := i.Finds.Load()
	for range 50 {
		serves("stranger.example")
	}
	if n := i.Finds.Load() - before; n != 1 {
		t.Errorf("%d look-ups of one name", n)
	}
}

// Names that nobody asked for before are looked up a hundred times at once, and
// after a while again.
func TestServesIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Now()
	i, _ := withRecords(t, func(o *platform.Options) { o.Clock = func() time.Time { return now } })
	i.Site("club", "club.example")
	ask := func(name string) bool {
		t.Helper()
		yes, err := i.Resolver.Serves(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	for range 300 {
		ask(randomLabel() + ".example")
	}
	if n := i.Finds.Load(); n != 100 {
		t.Errorf("%d look-ups of three hundred names", n)
	}
	if ask("club.example") {
		t.Error("one more look-up")
	}
	now = now.Add(20 * time.Millisecond)
	for range 2 {
		if !ask("club.example") {
			t.Error("no look-up after a while")
		}
	}
}

// randomLabel is a label nobody has asked for before.
func randomLabel() string { return strings.ToLower(rand.Text()) }
