package platform

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/apitest"
)

// sampleDay is when everything in the store was made.
var sampleDay = time.Date(2027, 3, 1, 9, 30, 0, 0, time.UTC)

// fewSites keeps sites and users in memory.
type fewSites struct {
	platform.Store
	mu    sync.Mutex
	sites []*tenancy.Site
	users []*tenancy.User // of demo
	plans map[string]*platform.Offer
}

func newFewSites() *fewSites {
	demo := apitest.Scope("en").Site
	demo.Created = sampleDay
	return &fewSites{sites: []*tenancy.Site{demo}, plans: map[string]*platform.Offer{"taken": {Plan: tenancy.Plan{Name: "taken"}, Sites: 1, Created: sampleDay}},
		users: []*tenancy.User{{ID: 1, Login: "root", Email: "root@demo.example", Name: "Root", Role: tenancy.Administrator, Created: sampleDay}}}
}

func (f *fewSites) Sites() platform.SiteStore { return &siteFew{f: f} }

func (f *fewSites) Users() accounts.UserStore { return &userFew{f: f} }

func (f *fewSites) Credentials() accounts.CredentialStore { return nil }

func (f *fewSites) Plans() platform.PlanStore { return &planFew{f: f} }

func (f *fewSites) Gatherings() platform.GatheringStore { return fewGatherings{} }

func (f *fewSites) Tokens() accounts.TokenStore { return nil }

func (f *fewSites) Sessions() accounts.SessionStore { return nil }
func (f *fewSites) History() tenancy.HistoryStore   { return nil }

func (f *fewSites) Vouchers() accounts.VoucherStore { return nil }

func (f *fewSites) Lobby() accounts.LobbyStore { return nil }

func (f *fewSites) Domains() platform.DomainStore {
	return &domainFew{list: map[string]platform.Domain{}}
}

func (f *fewSites) ProviderSessions() accounts.ProviderSessionStore { return nil }
func (f *fewSites) ProviderChallenges() accounts.ChallengeStore     { return nil }

func (f *fewSites) Forms() accounts.FormStore { return nil }

func (f *fewSites) Attempts() accounts.AttemptStore { return nil }

func (f *fewSites) Challenges() accounts.ChallengeStore { return nil }

func (f *fewSites) Passkeys() accounts.PasskeyStore { return nil }

func (f *fewSites) SignIns() accounts.SignInStore { return nil }

func (f *fewSites) SecondFactors() accounts.SecondFactorStore { return nil }

type siteFew struct {
	platform.SiteStore
	f *fewSites
}

func (s *siteFew) at(slug string) int {
	for i, site := range s.f.sites {
		if site.Slug == slug {
			return i
		}
	}
	return -1
}

func (s *siteFew) Defaults(context.Context) (platform.SiteDefaults, error) {
	return platform.SiteDefaults{}, nil
}

func (s *siteFew) BySlug(_ context.Context, slug string) (*tenancy.Site, error) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	if i := s.at(slug); i >= 0 {
		return s.f.sites[i], nil
	}
	return nil, tenancy.ErrNoSite
}

func (s *siteFew) List(_ context.Context, q tenancy.Query) (tenancy.Page[tenancy.Site], error) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	var found []*tenancy.Site
	for _, site := range s.f.sites {
		if strings.Contains(site.Slug, q.Search) {
			found = append(found, site)
		}
	}
	page := tenancy.Page[tenancy.Site]{Total: len(found)}
	page.Items = found[min((q.Page-1)*q.PerPage, len(found)):min(q.Page*q.PerPage, len(found))]
	return page, nil
}

func (s *siteFew) Create(_ context.Context, site *tenancy.Site, _ *tenancy.User) error {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	site.ID, site.Created = int64(len(s.f.sites)+1), time.Now()
	s.f.sites = append(s.f.sites, site)
	return nil
}

func (s *siteFew) Update(ctx context.Context, slug string, change func(*tenancy.Site) error) (*tenancy.Site, error) {
	site, err := s.BySlug(ctx, slug)
	if err != nil {
		return nil, err
	}
	return site, change(site)
}

type userFew struct {
	accounts.UserStore
	f *fewSites
}

func (s *userFew) Get(_ context.Context, id int64) (*tenancy.User, error) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	for _, u := range s.f.users {
		if u.ID == id {
			return u, nil
		}
	}
	return nil, accounts.ErrNoUser
}

func (s *userFew) List(context.Context, tenancy.Query) (tenancy.Page[tenancy.User], error) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	return tenancy.Page[tenancy.User]{Items: s.f.users, Total: len(s.f.users)}, nil
}

func (s *userFew) Create(_ context.Context, u *tenancy.User, _ *accounts.Credential) error {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	u.ID, u.Created = int64(len(s.f.users)+1), time.Now()
	s.f.users = append(s.f.users, u)
	return nil
}

// others returns the number of administrators other than a user.
func (s *userFew) others(id int64) int {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	n := 0
	for _, u := range s.f.users {
		if u.ID != id && u.Role == tenancy.Administrator {
			n++
		}
	}
	return n
}

func (s *userFew) Update(ctx context.Context, id int64, change func(*tenancy.User, int) error) (*tenancy.User, error) {
	u, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	changed := *u
	if err := change(&changed, s.others(id)); err != nil {
		return nil, err
	}
	*u = changed
	return u, nil
}

func (s *userFew) Delete(ctx context.Context, id int64, check func(*tenancy.User, int) error) (*tenancy.User, error) {
	u, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return u, check(u, s.others(id))
}

type planFew struct {
	platform.PlanStore
	f *fewSites
}

func (s *planFew) List(context.Context) ([]*platform.Offer, error) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.f.plans), func(a, b *platform.Offer) int { return strings.Compare(a.Name, b.Name) }), nil
}

func (s *planFew) Get(_ context.Context, name string) (*platform.Offer, error) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	if o := s.f.plans[name]; o != nil {
		return o, nil
	}
	return nil, platform.ErrNoPlan
}

func (s *planFew) Set(_ context.Context, p *tenancy.Plan, _ tenancy.Condition) (bool, error) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	_, there := s.f.plans[p.Name]
	s.f.plans[p.Name] = &platform.Offer{Plan: *p, Created: sampleDay}
	return !there, nil
}

func (s *planFew) Delete(ctx context.Context, name string, _ tenancy.Condition) (*platform.Offer, error) {
	last, err := s.Get(ctx, name)
	if err == nil && last.Sites > 0 {
		return nil, platform.ErrPlanInUse
	}
	delete(s.f.plans, name)
	return last, err
}

func (*siteFew) Spans(context.Context, platform.TrafficQuery) (tenancy.Page[platform.SpanTraffic], error) {
	return tenancy.Page[platform.SpanTraffic]{}, nil
}

// fewGatherings are none.
type fewGatherings struct{}

func (fewGatherings) List(context.Context, platform.GatheringQuery) (tenancy.Page[platform.Gathering], error) {
	return tenancy.Page[platform.Gathering]{}, nil
}
