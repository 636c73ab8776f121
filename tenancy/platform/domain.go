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

// ErrNoDomain says that a site neither has a domain nor asks for it.
var ErrNoDomain = errors.New("no such domain")

// Domain is a name of a site's own, or one it asks for and hasn't proved yet.
type Domain struct {
	Name      string // as in Host
	By        Proof  // "" while it isn't proved
	Proved    time.Time
	Token     string    // to be shown under the name; "" once it is proved
	Asked     time.Time // zero for a domain nobody had to prove
	Checked   time.Time // zero: never
	Elsewhere bool      // another site has it by now
}

// Proof is how it is known that a domain is a site's.
type Proof string

// The proofs of a domain.
const (
	ByWord Proof = "provider" // the provider says so
	ByDNS  Proof = "dns"
	ByHTTP Proof = "http"
)

// DomainState is how far a site is with a domain.
type DomainState string

// The states of a domain.
const (
	DomainProved  DomainState = "proved"
	DomainPending DomainState = "pending"
	DomainLost    DomainState = "lost" // another site proved it first
)

// State is how far the site is with the domain.
func (d *Domain) State() DomainState {
	switch {
	case d.By != "":
		return DomainProved
	case d.Elsewhere:
		return DomainLost
	}
	return DomainPending
}

// claimLife is how long a domain is waited for.
const claimLife = 30 * 24 * time.Hour

// mostDomains bounds the domains a site has and asks for.
const mostDomains = 100

// Ends is when a domain that isn't proved is waited for no longer.
func (d *Domain) Ends() time.Time { return d.Asked.Add(claimLife) }

// Record is the name and the value of the TXT record that proves the domain.
func (d *Domain) Record() (name, value string) { return recordLabel + d.Name, "kalends=" + d.Token }

// Page is the address of the text that proves the domain when it holds Token.
func (d *Domain) Page() string { return "http://" + d.Name + "/.well-known/kalends-domain" }

const recordLabel = "_kalends."

// DomainFields are the arguments of a domain asked for.
type DomainFields struct {
	Domain args.Opt[string] `arg:"domain,required,nonempty,max=1000"`
}

// DomainStore keeps the domains of the Scope's site and those it asks for.
type DomainStore interface {
	// List returns them by name, those asked for only since a time.
	List(ctx context.Context, since time.Time) ([]Domain, error)
	// Claim stores that the site asks for a domain, unless it does already since
	// then, and returns what is stored. It returns *args.Problems about "domain"
	// when a site has it, and when the site has and asks for most of them.
	Claim(ctx context.Context, d Domain, since time.Time, most int) (Domain, error)
	// Touch notes that a proof was looked for.
	Touch(ctx context.Context, name string, at time.Time) error
	// Prove gives a domain to the site that asked for it with that token. It
	// returns ErrNoDomain when the site doesn't, and *args.Problems about "domain"
	// when another site was faster. A site that has it already has it.
	Prove(ctx context.Context, name, token string, by Proof) error
	// Remove takes a domain from the site, proved or not, or returns ErrNoDomain.
	Remove(ctx context.Context, name string) error
}

// Domains is the service over a site's own domains. They belong to those who
// manage the Scope's site: others get ErrUnauthenticated or ErrForbidden.
type Domains struct {
	store    DomainStore
	names    Names
	pages    Pages
	platform string
	clock    func() time.Time
	forget   func(site int64)
}

// List returns the site's domains and those it asks for, by name.
func (s *Domains) List(ctx context.Context) ([]Domain, error) {
	if err := s.managed(ctx); err != nil {
		return nil, err
	}
	list, err := s.store.List(ctx, s.since())
	return list, tenancy.Wrap("list domains", err)
}

// Claim asks for a domain. It returns the Token to be shown, the same when the
// site asks for it already, and *args.Problems for what is no domain, is the
// platform's own, or belongs to a site.
func (s *Domains) Claim(ctx context.Context, f *DomainFields) (*Domain, error) {
	if err := s.managed(ctx); err != nil {
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

// CheckDomain returns *args.Problems for what is no domain or is the platform's own.
func CheckDomain(f *DomainFields, platform string) error {
	_, err := f.name(platformDomain(platform))
	return err
}

// name returns the domain asked for, in the form of Host.
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

// Remove takes a domain from the site, proved or not, and returns what it was,
// or ErrNoDomain.
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

// since is when the oldest domain was asked for that is still waited for.
func (s *Domains) since() time.Time { return s.clock().Add(-claimLife) }

// managed returns nil when the principal may manage the site.
func (s *Domains) managed(ctx context.Context) error {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return err
	}
	return scope.Principal.RequireFor(tenancy.WriteSettings, tenancy.ManageSite)
}

// ownDomain returns a domain somebody wants for a site in the form of Host, or
// the key of what is wrong with it. Names of the platform's own are refused: the
// platform gives them out.
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
