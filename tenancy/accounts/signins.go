package accounts

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// groupsClaim is the usual name of the claim with a person's groups.
const groupsClaim = "groups"

// SignInProvider is the OpenID Connect provider of a site (ADR 143).
type SignInProvider struct {
	Issuer, ClientID string
	Secret           []byte // encrypted
	Claim            string // name of the claim with the person's groups
	Groups           map[tenancy.Role][]string
	Others           tenancy.Role // role of people in none of the groups; NoRole: they have no access
	Passwords        bool         // people may also sign in with passwords
	Changed          time.Time
}

// Name returns the name that pages show for the provider.
func (p *SignInProvider) Name() string { return issuerName(p.Issuer) }

func issuerName(issuer string) string {
	if u, err := url.Parse(issuer); err == nil && u.Host != "" {
		return u.Host
	}
	return issuer
}

// role returns the role for a person's groups, or NoRole.
func (p *SignInProvider) role(groups []string) tenancy.Role {
	for _, role := range tenancy.Roles() { // from the most to the least rights
		if slices.ContainsFunc(p.Groups[role], func(group string) bool { return slices.Contains(groups, group) }) {
			return role
		}
	}
	return p.Others
}

// mapped reports whether groups determine roles.
func (p *SignInProvider) mapped() bool { return len(p.Groups) > 0 || p.Others != tenancy.NoRole }

// SignInStore keeps the provider of the Scope's site, and which users have signed in through it.
type SignInStore interface {
	// Find returns the provider, or ErrNoProvider.
	Find(ctx context.Context) (*SignInProvider, error)
	// Save stores the provider instead of the former one.
	Save(ctx context.Context, p *SignInProvider) error
	// Delete removes the provider, or returns ErrNoProvider.
	Delete(ctx context.Context) error
	// Known returns the user of an identity, or ErrNoUser.
	Known(ctx context.Context, issuer, subject string) (*tenancy.User, error)
	// ByEmail returns the user of a folded e-mail address, or ErrNoUser.
	ByEmail(ctx context.Context, email string) (*tenancy.User, error)
	// Admit calls change with the user of an identity, and stores the result and the identity's subject. If there
	// is no such user, change gets nil and returns a new user, who gets the first free login in logins. others is
	// the number of the site's other administrators. It returns ErrOtherIdentity if the user is linked to another
	// subject of the issuer.
	Admit(
		ctx context.Context,
		who *Identity,
		logins []string,
		change func(u *tenancy.User, others int) (*tenancy.User, error),
	) (*tenancy.User, error)
	// Linked reports whether a user has signed in through an issuer.
	Linked(ctx context.Context, user int64, issuer string) (bool, error)
	// PasswordOpens reports whether a user may sign in with a password. If passwords are turned off, administrators
	// still may until one of them has signed in through the provider.
	PasswordOpens(ctx context.Context, user int64) (bool, error)
}

// SignIns is the service for signing in through an OpenID Connect provider.
type SignIns struct {
	store      SignInStore
	users      UserStore
	challenges *Challenges
	providers  IdentityProviders
	refusals   *refusals
	box        func(ctx context.Context) (*secrets.Box, error)
	clock      func() time.Time
	forget     func(site int64)
}

// begun is a sign-in through a provider that has begun, stored until the provider responds.
type begun struct {
	Asked
	Issuer   string `json:"issuer"`
	Redirect string `json:"redirect"`
	To       string `json:"to"`
}

// Offered returns the provider through which people may sign in, or ErrNoProvider. Anyone may call it: the result
// does not include the secret.
func (s *SignIns) Offered(ctx context.Context) (*SignInProvider, error) {
	found, err := s.store.Find(ctx)
	if err != nil {
		return nil, tenancy.Wrap("find provider", err)
	}
	found.Secret = nil
	return found, nil
}

// Begin returns the provider's URL to which the browser is sent, and a token that the browser keeps. to is the page
// that the person wanted to open. It returns ErrNoProvider if the site has no provider, ErrUnreachable if the
// provider does not respond, and ErrSecretLost if the stored client secret cannot be decrypted.
func (s *SignIns) Begin(ctx context.Context, redirect, to string) (address, token string, err error) {
	found, party, err := s.party(ctx, redirect)
	if err != nil {
		return "", "", err
	}
	return question(ctx, s.providers, s.challenges, party, begun{Issuer: found.Issuer, Redirect: redirect, To: to})
}

// question stores a sign-in that begins. It returns the provider's URL to which the browser is sent, and a token
// for the browser.
func question(ctx context.Context, providers IdentityProviders, kept *Challenges, party Party, b begun) (address, token string, err error) {
	b.Asked = Asked{State: secrets.Key(), Nonce: secrets.Key(), Verifier: secrets.Random(64)}
	if address, err = providers.Address(ctx, party, b.Asked); err != nil {
		return "", "", tenancy.Wrap("ask provider", err)
	}
	data, err := json.Marshal(b)
	if err != nil {
		return "", "", tenancy.Wrap("ask provider", err)
	}
	token, err = kept.Ask(ctx, data)
	return address, token, err
}

// answered returns the sign-in stored for a browser's token. It returns ErrNotBegunHere unless state is the one of
// that sign-in.
func answered(ctx context.Context, kept *Challenges, token, state string) (*begun, error) {
	data, err := kept.Answered(ctx, token)
	if errors.Is(err, ErrNoChallenge) {
		return nil, ErrNotBegunHere
	}
	if err != nil {
		return nil, err
	}
	b := &begun{}
	if json.Unmarshal(data, b) != nil || b.State == "" || b.State != state { // other challenges have no state
		return nil, ErrNotBegunHere
	}
	return b, nil
}

// Finish returns the user whom the provider has confirmed, and the page that they wanted to open. It returns
// ErrNotBegunHere if this browser has not begun the sign-in, ErrNoProvider, ErrUnreachable, ErrNotConfirmed,
// ErrUnverified, ErrNoAccount, ErrOtherIdentity, ErrNoGroup, and *tenancy.LimitError if there is no room for
// another user.
func (s *SignIns) Finish(ctx context.Context, token, state, code string) (user *tenancy.User, to string, err error) {
	asked, err := answered(ctx, s.challenges, token, state)
	if err != nil {
		return nil, "", err
	}
	found, party, err := s.party(ctx, asked.Redirect)
	if err == nil && found.Issuer != asked.Issuer { // the settings have changed in the meantime
		err = ErrNotBegunHere
	}
	if err != nil {
		return nil, asked.To, err
	}
	who, err := s.providers.Identity(ctx, party, asked.Asked, code)
	if err != nil {
		return nil, asked.To, tenancy.Wrap("ask provider", err)
	}
	user, err = s.admit(ctx, found, who)
	return user, asked.To, err
}

// Refused records in the history that someone was not let in.
func (s *SignIns) Refused(ctx context.Context) error { return s.refusals.note(ctx, 0) }

// admit returns the user of an identity, with the role for its groups.
func (s *SignIns) admit(ctx context.Context, p *SignInProvider, who *Identity) (*tenancy.User, error) {
	acting := ctx
	known, err := s.store.Known(ctx, who.Issuer, who.Subject)
	if errors.Is(err, ErrNoUser) {
		if !who.Verified || who.Email == "" {
			return nil, ErrUnverified
		}
		known, err = s.store.ByEmail(ctx, tenancy.Fold(who.Email))
	}
	switch {
	case err == nil: // the change is made by this user
		scope := *tenancy.Current(ctx)
		scope.Principal = known.Principal()
		acting = tenancy.With(ctx, scope)
	case !errors.Is(err, ErrNoUser):
		return nil, tenancy.Wrap("sign in", err)
	}
	role := p.role(who.Groups)
	user, err := s.store.Admit(acting, who, loginsFor(who), func(u *tenancy.User, others int) (*tenancy.User, error) {
		last := u != nil && u.Role == tenancy.Administrator && others == 0
		switch {
		case last || u != nil && !p.mapped():
			return u, nil
		case role == tenancy.NoRole && p.mapped():
			return nil, ErrNoGroup
		case u == nil && role == tenancy.NoRole:
			return nil, ErrNoAccount
		case u == nil:
			return &tenancy.User{Email: strings.TrimSpace(who.Email), Name: cmp.Or(readableName(who.Name), who.Email), Role: role}, nil
		}
		u.Role = role
		return u, nil
	})
	if err != nil {
		return nil, tenancy.Wrap("sign in", err)
	}
	s.forget(tenancy.Current(ctx).Site.ID)
	return user, nil
}

// party returns the provider and the Party for it.
func (s *SignIns) party(ctx context.Context, redirect string) (*SignInProvider, Party, error) {
	found, err := s.store.Find(ctx)
	if err != nil {
		return nil, Party{}, tenancy.Wrap("find provider", err)
	}
	box, err := s.box(ctx)
	if err != nil {
		return nil, Party{}, tenancy.Wrap("decrypt a secret", err)
	}
	secret, err := box.Open(found.Secret, providerSecret(ctx))
	if err != nil {
		return nil, Party{}, ErrSecretLost
	}
	return found, Party{found.Issuer, found.ClientID, string(secret), redirect, found.Claim}, nil
}

// loginsFor returns the logins that a new user may get, from best to worst.
func loginsFor(who *Identity) (list []string) {
	name, _, _ := strings.Cut(who.Email, "@")
	for _, login := range []string{
		who.Login,
		who.Email,
		name,
		name + "-" + strings.ToLower(secrets.Random(6)),
		"user-" + strings.ToLower(secrets.Random(12)),
	} {
		if len(login) <= longestLogin && loginForm.MatchString(login) {
			list = append(list, login)
		}
	}
	return list
}

// longestLogin is the maximum length of a login.
const longestLogin = 60

// readableName returns a name that may be stored, or "".
func readableName(name string) string {
	name = args.Visible(name)
	if !args.Readable(name) || !args.OneLine(name) || utf8.RuneCountInString(name) > longestName {
		return ""
	}
	return name
}
