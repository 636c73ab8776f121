package tenancy

// Principal is the user, key or visitor who makes a request. The zero Principal is the anonymous visitor.
type Principal struct {
	UserID     int64
	Login      string
	Role       Role
	ReadOnly   bool   // a read-only API key
	Kind       Kind   // kind of the credential, "" for a session
	Credential int64  // its id
	Key        string // the credential's name
	Seal       string // User.Seal when the session began; "" without a session

	Limits *KeyLimits // limits of the key, nil for none
	Area   Area       // area of an editor, an author or a contributor

	Support string // the reason that the provider's support gave; "" for all others. Login is then the platform's name

	withheld Permission // rights of the role that the site withholds
}

// Anonymous reports whether nobody is signed in. The provider acting on a site is not anonymous, although it is not
// a user of the site.
func (p Principal) Anonymous() bool { return p.UserID == 0 && p.Role == NoRole }

// Rights returns what the principal's role may do on the site of the scope.
func (p Principal) Rights() Permission { return p.Role.Rights() &^ p.withheld }

// May reports whether the principal has all of the rights.
func (p Principal) May(rights Permission) bool {
	return !p.ReadOnly && p.Rights()&rights == rights
}

// MayRead is May for rights that change nothing: a read-only key keeps them.
func (p Principal) MayRead(rights Permission) bool { return p.Rights()&rights == rights }

// Require returns nil if the principal has the rights. It returns ErrUnauthenticated for the anonymous visitor, and
// ErrForbidden for everyone else.
func (p Principal) Require(rights Permission) error {
	switch {
	case p.May(rights):
		return nil
	case p.Anonymous():
		return ErrUnauthenticated
	}
	return ErrForbidden
}

// Kind is the way in which a credential is used.
type Kind string

// The kinds of credentials (rule 2.1).
const (
	ApplicationPassword Kind = "application_password" // with a login, HTTP Basic
	APIKey              Kind = "api_key"              // alone, Bearer
)
