package platform

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// ErrNoDomain says that the site neither has nor has claimed the domain.
var ErrNoDomain = errors.New("no such domain")

// Domain is a domain that a site has, or one that it has claimed but not proved yet.
type Domain struct {
	Name      string // as in Host
	By        Proof  // "" until it is proved
	Proved    time.Time
	Token     string    // to be published under the domain; "" once the domain is proved
	Asked     time.Time // time of the claim; zero for a domain that needed no proof
	Checked   time.Time // zero: never
	Elsewhere bool      // another site has the domain now
}

// Proof is how a site has proved a domain.
type Proof string

// The proofs of a domain.
const (
	ByWord Proof = "provider" // the provider has assigned it
	ByDNS  Proof = "dns"
	ByHTTP Proof = "http"
)

// DomainState says whether a site has a domain.
type DomainState string

// The states of a domain.
const (
	DomainProved  DomainState = "proved"
	DomainPending DomainState = "pending"
	DomainLost    DomainState = "lost" // another site proved it first
)

// State returns whether the site has the domain.
func (d *Domain) State() DomainState {
	switch {
	case d.By != "":
		return DomainProved
	case d.Elsewhere:
		return DomainLost
	}
	return DomainPending
}

// claimLife is how long a claim to a domain is valid.
const claimLife = 30 * 24 * time.Hour

// mostDomains is how many domains a site may have and claim.
const mostDomains = 100

// Ends returns when the claim to an unproved domain ends.
func (d *Domain) Ends() time.Time { return d.Asked.Add(claimLife) }

// Record returns the name and the value of the TXT record that proves the domain.
func (d *Domain) Record() (name, value string) { return recordLabel + d.Name, "kalends=" + d.Token }

// Page returns the URL at which a text that contains Token proves the domain.
func (d *Domain) Page() string { return "http://" + d.Name + "/.well-known/kalends-domain" }

const recordLabel = "_kalends."

// DomainFields are the arguments of a claim to a domain.
type DomainFields struct {
	Domain args.Opt[string] `arg:"domain,required,nonempty,max=1000"`
}

// DomainStore keeps the domains that the Scope's site has and claims.
type DomainStore interface {
	// List returns the domains that the site has and claims, sorted by name, without claims made before since.
	List(ctx context.Context, since time.Time) ([]Domain, error)
	// Claim stores the site's claim to a domain and returns it. If the site made an earlier claim after since, it
	// returns that one. It returns *args.Problems about "domain" if a site has the domain, or if the site already
	// has and claims most domains.
	Claim(ctx context.Context, d Domain, since time.Time, most int) (Domain, error)
	// Touch stores when a proof was last checked.
	Touch(ctx context.Context, name string, at time.Time) error
	// Prove gives a domain to the site that claimed it with this token. It returns ErrNoDomain if there is no such
	// claim, and *args.Problems about "domain" if another site was faster. A site that already has the domain keeps
	// it.
	Prove(ctx context.Context, name, token string, by Proof) error
	// Remove removes a domain from the site, proved or not, or returns ErrNoDomain.
	Remove(ctx context.Context, name string) error
}

// Domains is the service for a site's own domains, for people who manage the Scope's site. Others get
// ErrUnauthenticated or ErrForbidden.
type Domains struct {
	store    DomainStore
	names    Names
	pages    Pages
	platform string
	clock    func() time.Time
	forget   func(site int64)
}

// List returns the domains that the site has and claims, by name.
func (s *Domains) List(ctx context.Context) ([]Domain, error) {
	if _, err := managing(ctx); err != nil {
		return nil, err
	}
	list, err := s.store.List(ctx, s.since())
	return list, tenancy.Wrap("list domains", err)
}

// Claim claims a domain. It returns the Token to publish, which stays the same if the site already claims the
// domain. It returns *args.Problems for an invalid domain, a domain of the platform, and a domain that belongs to a
// site.
func (s *Domains) Claim(ctx context.Context, f *DomainFields) (*Domain, error) {
	if _, err := managing(ctx); err != nil {
		return nil, err
	}
	name, err := f.name(s.platform)
	if err != nil {
		return nil, err
	}
	claim := Domain{Name: name, Token: secrets.Key(), Asked: s.clock().UTC().Truncate(time.Second)}
	claim, err = s.store.Claim(ctx, claim, s.since(), mostDomains)
	if err != nil {
		return nil, tenancy.Wrap("claim domain", err)
	}
	return &claim, nil
}

// CheckDomain returns *args.Problems for an invalid domain or a domain of the platform.
func CheckDomain(f *DomainFields, platform string) error {
	_, err := f.name(platformDomain(platform))
	return err
}

// name returns the claimed domain in the form of Host.
func (f *DomainFields) name(platform string) (string, error) {
	name, problem := ownDomain(f.Domain.Or(""), platform)
	if problem == "" && (!strings.Contains(name, ".") || len(recordLabel+name) > tenancy.LongestHost) {
		problem = "problem.domain"
	}
	if problem != "" {
		return "", args.Invalid("domain", problem, map[string]any{"Domain": f.Domain.Or("")})
	}
	return name, nil
}

// Remove removes a domain from the site, proved or not, and returns its last state. It returns ErrNoDomain if there
// is none.
func (s *Domains) Remove(ctx context.Context, name string) (*Domain, error) {
	last, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := s.store.Remove(ctx, last.Name); err != nil {
		return nil, tenancy.Wrap("remove domain", err)
	}
	s.forget(tenancy.Current(ctx).Site.ID)
	return last, nil
}

// find returns one of the site's domains by name, or ErrNoDomain.
func (s *Domains) find(ctx context.Context, name string) (*Domain, error) {
	list, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	if host, ok := tenancy.DomainForm(name); ok {
		name = host
	}
	for i := range list {
		if list[i].Name == name {
			return &list[i], nil
		}
	}
	return nil, ErrNoDomain
}

// since returns the earliest time of claims that are still valid.
func (s *Domains) since() time.Time { return s.clock().Add(-claimLife) }

// ownDomain returns a domain that someone has entered, in the form of Host, or the key of the problem with it. It
// refuses names under the platform's domain, because the platform assigns those.
func ownDomain(name, platform string) (domain, problem string) {
	domain, ok := tenancy.DomainForm(name)
	switch {
	case ok && (domain == platform || strings.HasSuffix(domain, "."+platform)):
		return "", "problem.domain.platform"
	case ok:
		return domain, ""
	case strings.Contains(name, "*"):
		return "", "problem.domain.wildcard"
	}
	bare, whole := tenancy.WithoutPort(strings.TrimSpace(name))
	if _, err := netip.ParseAddr(bare); err == nil {
		return "", "problem.domain.address"
	}
	if _, ok := tenancy.DomainForm(bare); ok && whole && bare != strings.TrimSpace(name) {
		return "", "problem.domain.port"
	}
	return "", "problem.domain"
}
