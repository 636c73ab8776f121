package tenancy

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// How long somebody in the lobby may take to choose, and how long what they get
// then opens the site.
const (
	choiceLife  = 5 * time.Minute
	arrivalLife = time.Minute
)

// mostDoors is how many accounts are compared with a password, and how often one
// is hashed for it: always so often, whoever asks.
const mostDoors = 8

// noteTime is how long noting what was refused may take, and mostNotes how many
// do so at once: who comes then waits, with an account or without.
const (
	noteTime  = 10 * time.Second
	mostNotes = 32
)

// ErrNoWay says that a way into a site is used, over, or was never given.
var ErrNoWay = errors.New("no such way into the site")

// Account is a user of one site.
type Account struct {
	SiteID int64
	Slug   string // of the site
	User   *User
}

// Door is a site somebody in the lobby has an account of.
type Door struct {
	Site *Site
	Pass string // opens it by Choose, once; "" when the site is closed
}

// LobbyStore looks over the sites for whoever signs in to several. Its calls
// need no Scope.
type LobbyStore interface {
	// Desk returns the site with which the lobby counts attempts, or ErrNoSite.
	Desk(ctx context.Context) (int64, error)
	// Accounts returns the accounts with a password of a folded e-mail address on
	// all sites, those used last first, most at most.
	Accounts(ctx context.Context, email string, most int) ([]Account, error)
}

// Lobby is where people sign in who have accounts on several sites (ADR 14).
// Accounts stay apart: each is compared with the password by itself.
type Lobby struct {
	store    LobbyStore
	sites    SiteStore
	users    UserStore
	refusals *refusals
	passes   ChallengeStore
	attempts *Attempts
	nobody   nobody
	clock    func() time.Time
	looking  chan struct{} // one at a time on a node
	noting   chan struct{} // of what was refused, behind the answers
}

// pass is what is kept of the way of a user into a site.
type pass struct {
	User int64  `json:"user"`
	Seal string `json:"seal"`
}

// SignIn returns the sites on which that e-mail address has that password, by
// name. Without any it returns ErrCredentials, after the same work as with some.
// Who has tried too often gets how long to wait.
func (l *Lobby) SignIn(ctx context.Context, email, password string) (doors []Door, wait time.Duration, err error) {
	id, err := l.store.Desk(ctx)
	if err != nil {
		return nil, 0, wrap("enter the lobby", err)
	}
	desk, who := at(ctx, &Site{ID: id}), "lobby "+Current(ctx).Client()
	if wait, err = l.attempts.Take(desk, who); err != nil || wait > 0 {
		return nil, wait, err
	}
	accounts, err := l.accounts(ctx, Fold(email))
	if err != nil {
		l.attempts.Back(desk, who)
		return nil, 0, err
	}
	open := l.withPassword(accounts, password)
	if len(open) == 0 {
		l.refused(ctx, accounts)
		return nil, 0, ErrCredentials
	}
	l.attempts.Back(desk, who)
	doors, err = l.doors(ctx, open)
	return doors, 0, err
}

func (l *Lobby) accounts(ctx context.Context, email string) ([]Account, error) {
	select {
	case l.looking <- struct{}{}:
	case <-ctx.Done():
		return nil, wrap("look for accounts", ctx.Err())
	}
	defer func() { <-l.looking }()
	list, err := l.store.Accounts(ctx, email, mostDoors)
	return list, wrap("look for accounts", err)
}

// withPassword returns the accounts that have a password, and hashes it as often
// whether there are any or not.
func (l *Lobby) withPassword(accounts []Account, password string) (list []Account) {
	for i := range mostDoors {
		hash := l.nobody()
		if i < len(accounts) {
			hash = accounts[i].User.PasswordHash
		}
		if CheckPassword(hash, password) && i < len(accounts) {
			list = append(list, accounts[i])
		}
	}
	return list
}

// refused notes a failed sign-in in the histories of the sites, behind the
// answer: it mustn't take longer where there is an account.
func (l *Lobby) refused(ctx context.Context, accounts []Account) {
	l.noting <- struct{}{}
	go func() {
		defer func() { <-l.noting }()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
		defer cancel()
		for _, a := range accounts {
			_ = l.refusals.note(at(ctx, &Site{ID: a.SiteID}), a.User.ID) // the answer is given
		}
	}()
}

// flush waits until what was refused is noted.
func (l *Lobby) flush() {
	for range cap(l.noting) {
		l.noting <- struct{}{}
	}
	for range cap(l.noting) {
		<-l.noting
	}
}

// doors gives a pass for each site that is open.
func (l *Lobby) doors(ctx context.Context, accounts []Account) ([]Door, error) {
	list := make([]Door, 0, len(accounts))
	for _, a := range accounts {
		site, err := l.sites.BySlug(ctx, a.Slug)
		if errors.Is(err, ErrNoSite) {
			continue
		}
		if err != nil {
			return nil, wrap("open door", err)
		}
		door := Door{Site: site}
		if site.State != Closed {
			door.Pass = random(keyLength)
			data, _ := json.Marshal(pass{a.User.ID, a.User.Seal()}) //nolint:errchkjson // a number and a text
			if err := l.keep(at(ctx, site), "choice "+door.Pass, data, choiceLife); err != nil {
				return nil, err
			}
		}
		list = append(list, door)
	}
	slices.SortFunc(list, func(a, b Door) int { return strings.Compare(Fold(a.Site.Name), Fold(b.Site.Name)) })
	return list, nil
}

func (l *Lobby) keep(ctx context.Context, name string, data []byte, life time.Duration) error {
	now := l.clock().UTC()
	return wrap("keep pass", l.passes.Create(ctx, digest(name), data, now, now.Add(life)))
}

func (l *Lobby) take(ctx context.Context, kind, pass string) ([]byte, error) {
	if !secretForm(pass, "", keyLength) {
		return nil, ErrNoWay
	}
	data, err := l.passes.Take(ctx, digest(kind+pass), l.clock().UTC())
	if errors.Is(err, ErrNoChallenge) {
		return nil, ErrNoWay
	}
	return data, wrap("take pass", err)
}

// Choose returns the site of a pass of SignIn, whose Arrive takes that pass now,
// for a minute. It returns ErrNoWay, ErrNoSite and ErrClosed.
func (l *Lobby) Choose(ctx context.Context, slug, pass string) (*Site, error) {
	if !slugForm.MatchString(slug) {
		return nil, ErrNoSite
	}
	site, err := l.sites.BySlug(ctx, slug)
	switch {
	case err != nil:
		return nil, wrap("choose site", err)
	case site.State == Closed:
		return nil, ErrClosed
	}
	inside := at(ctx, site)
	data, err := l.take(inside, "choice ", pass)
	if err != nil {
		return nil, err
	}
	return site, l.keep(inside, "arrival "+pass, data, arrivalLife)
}

// Arrive returns the user of the Scope's site whom a chosen pass belongs to,
// once, or ErrNoWay: also when the password is another by now.
func (l *Lobby) Arrive(ctx context.Context, chosen string) (*User, error) {
	data, err := l.take(ctx, "arrival ", chosen)
	if err != nil {
		return nil, err
	}
	var p pass
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, wrap("read pass", err)
	}
	user, err := l.users.Get(ctx, p.User)
	if errors.Is(err, ErrNoUser) || err == nil && user.Seal() != p.Seal {
		return nil, ErrNoWay
	}
	return user, wrap("arrive", err)
}

// at returns a context of nobody on a site.
func at(ctx context.Context, site *Site) context.Context {
	scope := *Current(ctx)
	scope.Site, scope.Principal = site, Principal{}
	return With(ctx, scope)
}
