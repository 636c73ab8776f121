package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// SupportLife is how long a session of the provider's support lasts.
const SupportLife = 30 * time.Minute

// SupportFields are the arguments with which the provider enters a site for support.
type SupportFields struct {
	Role   args.Opt[string] `arg:"role,required,nonempty,enum=editor|administrator"`
	Reason args.Opt[string] `arg:"reason,required,nonempty,line,max=200"`
}

// Support lets people of the provider use the administration of one site for half an hour. The site's history shows
// everyone what they did and why (ADR 255). They get no account.
type Support struct {
	consoles *ProviderSessions
	sessions SessionStore
	kept     ChallengeStore
	clock    func() time.Time
}

// supporting is the data of a pass or a session of support, which the store keeps under the hash of its token.
type supporting struct {
	Console  []byte       `json:"console"` // hash of the console session, which must still be valid
	Platform string       `json:"platform"`
	Role     tenancy.Role `json:"role"`
	Reason   string       `json:"reason"`
	Host     string       `json:"host"`  // host that the pass is for
	Agent    string       `json:"agent"` // browser that requested the pass
	CSRF     string       `json:"csrf,omitempty"`
	Ends     time.Time    `json:"ends"`
}

// SupportEntry describes a browser that enters a site: the platform's name, the host, and the User-Agent.
type SupportEntry struct{ Platform, Host, Agent string }

// Open returns a pass for entering the Scope's site at a host, once and within a minute. console is the hash of the
// console session; only its browser can use the pass. Open returns ErrUnauthenticated or ErrForbidden if the
// provider isn't acting, and ErrClosed if the site is closed.
func (s *Support) Open(ctx context.Context, console []byte, f *SupportFields, to SupportEntry) (pass string, err error) {
	if err := tenancy.RequireProvider(ctx); err != nil {
		return "", err
	}
	scope, err := tenancy.From(ctx)
	if err != nil {
		return "", err
	}
	if scope.Site.State == tenancy.Closed || scope.Site.Deleted() {
		return "", tenancy.ErrClosed
	}
	if err := s.consoles.store.Supports(ctx, scope.Site, f); err != nil {
		return "", tenancy.Wrap("note support", err)
	}
	pass = secrets.Key()
	now := s.clock().UTC()
	kept := supporting{Console: console, Platform: to.Platform, Role: tenancy.Role(f.Role.Or("")), Reason: f.Reason.Or(""), Host: to.Host,
		Agent: shortened(to.Agent), Ends: now.Add(arrivalLife)}
	return pass, tenancy.Wrap("keep pass", s.kept.Create(ctx, secrets.Digest("support pass "+pass), kept.text(), now, kept.Ends))
}

// Arrive begins a session for a pass, and returns the token that the browser keeps. It returns ErrNoWay for a pass
// that was used, has expired, is for another site, host or browser, or belongs to a console session that has ended.
func (s *Support) Arrive(ctx context.Context, pass string, at SupportEntry) (*Session, tenancy.Principal, string, error) {
	none := tenancy.Principal{}
	if !secrets.IsKey(pass, "") {
		return nil, none, "", ErrNoWay
	}
	now := s.clock().UTC().Truncate(time.Second)
	kept, err := s.read(s.kept.Take(ctx, secrets.Digest("support pass "+pass), s.clock().UTC()))
	switch {
	case errors.Is(err, ErrNoChallenge) || err == nil && (kept.Host != at.Host || kept.Agent != shortened(at.Agent)):
		return nil, none, "", ErrNoWay
	case err != nil:
		return nil, none, "", tenancy.Wrap("take pass", err)
	}
	if err := s.open(ctx, kept); errors.Is(err, tenancy.ErrCredentials) {
		return nil, none, "", ErrNoWay
	} else if err != nil {
		return nil, none, "", err
	}
	token := secrets.Key()
	kept.CSRF, kept.Ends = secrets.Key(), now.Add(SupportLife)
	hash, scope := secrets.Digest("support "+token), *tenancy.Current(ctx)
	scope.Principal = kept.principal()
	if err := s.sessions.Support(tenancy.With(ctx, scope), hash, kept.text(), now, kept.Ends); err != nil {
		return nil, none, "", tenancy.Wrap("start session of support", err)
	}
	return kept.session(hash), scope.Principal, token, nil
}

// Find returns the session with a token and its principal. It returns ErrCredentials if the session or the console
// session has ended.
func (s *Support) Find(ctx context.Context, token string) (*Session, tenancy.Principal, error) {
	none := tenancy.Principal{}
	if !secrets.IsKey(token, "") {
		return nil, none, tenancy.ErrCredentials
	}
	hash := secrets.Digest("support " + token)
	kept, err := s.read(s.kept.Look(ctx, hash, s.clock().UTC()))
	if errors.Is(err, ErrNoChallenge) {
		return nil, none, tenancy.ErrCredentials
	}
	if err != nil {
		return nil, none, tenancy.Wrap("find session of support", err)
	}
	if err := s.open(ctx, kept); err != nil {
		return nil, none, err
	}
	return kept.session(hash), kept.principal(), nil
}

// Leave ends a session.
func (s *Support) Leave(ctx context.Context, session *Session) error {
	_, err := s.kept.Take(ctx, session.Hash, s.clock().UTC())
	if errors.Is(err, ErrNoChallenge) {
		return nil
	}
	return tenancy.Wrap("end session of support", err)
}

// open returns nil if the console session is still valid, otherwise ErrCredentials.
func (s *Support) open(ctx context.Context, kept *supporting) error {
	console, err := s.consoles.store.Find(ctx, kept.Console)
	switch {
	case errors.Is(err, ErrNoKey) || err == nil && (s.consoles.over(console, s.clock().UTC()) || !s.consoles.sealed(console)):
		return tenancy.ErrCredentials
	case err != nil:
		return tenancy.Wrap("find session of the console", err)
	}
	return nil
}

func (*Support) read(data []byte, err error) (*supporting, error) {
	kept := &supporting{}
	if err == nil {
		err = json.Unmarshal(data, kept)
	}
	return kept, err
}

func (k *supporting) text() []byte {
	data, _ := json.Marshal(k) //nolint:errchkjson // texts, bytes and a time
	return data
}

func (k *supporting) principal() tenancy.Principal {
	return tenancy.Principal{Role: k.Role, Login: k.Platform, Support: k.Reason}
}

func (k *supporting) session(hash []byte) *Session {
	return &Session{Hash: hash, CSRF: k.CSRF, Expires: k.Ends, Support: true}
}
