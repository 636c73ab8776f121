package tenancy

import "context"

// Provider is the operator of the installation, who may act on every site (rule 7.1): a program with a provider
// token, or the command line.
type Provider struct {
	Name      string // name of the token, for logs
	Token     int64  // ID of the token; 0: the configured token, or none
	Command   bool   // the command line
	Scheduled bool   // the service itself, on schedule
}

// Names of the provider without a stored token. They are identifiers; pages show translated words for them.
const (
	ConfiguredToken = "environment"  // the holder of the configured token
	CommandLine     = "command line" // a person who runs the program
)

// Unnamed reports whether a name is one of these identifiers.
func Unnamed(name string) bool { return name == ConfiguredToken || name == CommandLine }

type providerKey struct{}

// AsProvider returns a context in which the provider acts. Call it only after Authenticator.Provider, or for a
// caller that controls the installation.
func AsProvider(ctx context.Context, p Provider) context.Context {
	return context.WithValue(ctx, providerKey{}, p)
}

// ProviderOf returns the provider that acts in the context, and whether one does.
func ProviderOf(ctx context.Context) (p Provider, acts bool) {
	p, acts = ctx.Value(providerKey{}).(Provider)
	return p, acts
}

// ByProvider reports whether the provider acts in the context.
func ByProvider(ctx context.Context) bool {
	_, acts := ProviderOf(ctx)
	return acts
}

// Enter returns a context in which the provider acts on one site, with an administrator's rights and no user. It returns
// ErrUnauthenticated or ErrForbidden if the provider isn't acting.
func Enter(ctx context.Context, s *Site) (context.Context, error) {
	if err := RequireProvider(ctx); err != nil {
		return nil, err
	}
	scope := *Current(ctx)
	scope.Site = s
	scope.Principal = Principal{Role: Administrator}
	if scope.Language == "" {
		scope.Language = s.Language
	}
	return With(ctx, scope), nil
}

// RequireProvider returns nil if the provider is acting, ErrForbidden if a user of a site is, and otherwise
// ErrUnauthenticated.
func RequireProvider(ctx context.Context) error {
	switch {
	case ByProvider(ctx):
		return nil
	case !Current(ctx).Principal.Anonymous():
		return ErrForbidden
	}
	return ErrUnauthenticated
}
