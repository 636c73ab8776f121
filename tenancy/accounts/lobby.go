package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// How long people in the lobby may take to choose a site, and how long their choice is then valid.
const (
	choiceLife  = 5 * time.Minute
	arrivalLife = time.Minute
)

// StayLife is how long people who have signed in at the lobby may return and choose again.
const StayLife = 12 * time.Hour

// mostDoors is how many hashes are always compared with a password, whatever the address. The hashes of further
// accounts, up to mostAccounts, are compared only if the password matches one of the first.
const (
	mostDoors    = 8
	mostAccounts = 50
)

// DoorsShown is how many sites a list in the lobby has at most.
const DoorsShown = 40

// noteTime is how long recording failed sign-ins may take, and mostNotes how many recordings run simultaneously.
// Further sign-ins wait, with or without an account.
const (
	noteTime  = 10 * time.Second
	mostNotes = 32
)

// ErrNoWay says that a pass to a site was already used, has expired, or never existed.
var ErrNoWay = errors.New("no such pass to the site")

// Account is a user of one site.
type Account struct {
	SiteID int64
	Slug   string // of the site
	User   *tenancy.User
}

// Door is a site on which a person in the lobby has an account.
type Door struct {
	Site *tenancy.Site
	Pass string // for Choose, which accepts it once; "" if the site is closed
}

// LobbyStore searches all sites for people who sign in to several. Its calls need no Scope.
type LobbyStore interface {
	// Desk returns the site on which the lobby counts sign-in attempts, or ErrNoSite.
	Desk(ctx context.Context) (int64, error)
	// Accounts returns the accounts on all sites that have a folded e-mail address and a password, the most
	// recently used first. most is their maximum number.
	Accounts(ctx context.Context, email string, most int) ([]Account, error)
}

// Lobby is where people with accounts on several sites sign in (ADR 14). The accounts remain separate: the password
// is compared with each of them.
type Lobby struct {
	store    LobbyStore
	sites    SiteFinder
	users    UserStore
	refusals *refusals
	passes   ChallengeStore
	attempts *Attempts
	nobody   nobody
	clock    func() time.Time
	looking  chan struct{} // held during a search for accounts; a node runs one search at a time
	noting   chan struct{} // one entry for each running recording of failed sign-ins
}

// pass says which user may enter which site. It is stored under the hash of a token.
type pass struct {
	Site string `json:"site,omitempty"` // slug of the site; set only in a stay
	User int64  `json:"user"`
	Seal string `json:"seal"`
}

// Doors are the sites that a person in the lobby can choose from.
type Doors struct {
	List []Door // by name, at most DoorsShown
	All  int    // number of sites regardless of the search
	More int    // number of found sites that are not in List

	Device string // token by which the browser is recognized from now on; "" unless someone has just signed in
}

// SignIn returns the sites on which an e-mail address has a password, and a token for Return. If there are none, it
// returns ErrCredentials after the same amount of work. After too many attempts by one client, or by all clients
// together for one e-mail address, it returns how long to wait. A browser with a token from Device for one of the
// accounts has its own counter.
func (l *Lobby) SignIn(ctx context.Context, email, password, device string) (doors *Doors, stay string, wait time.Duration, err error) {
	desk, err := l.desk(ctx)
	if err != nil {
		return nil, "", 0, err
	}
	tries := []Try{{"lobby " + tenancy.Current(ctx).Client(), 0}}
	if wait, err = l.attempts.TakeAll(desk, tries); err != nil || wait > 0 {
		return nil, "", wait, err
	}
	accounts, err := l.accounts(ctx, tenancy.Fold(email))
	if err != nil {
		l.attempts.BackAll(desk, tries)
		return nil, "", 0, err
	}
	more := Try{"lobby account " + tenancy.Fold(email), attemptsAtAccount}
	for _, a := range accounts {
		if name := known(a.SiteID, a.User, device, l.clock()); name != "" {
			more = Try{"device " + name, attemptsOfDevice}
		}
	}
	if wait, err = l.attempts.TakeAll(desk, []Try{more}); err != nil || wait > 0 {
		l.attempts.BackAll(desk, tries)
		return nil, "", wait, err
	}
	tries = append(tries, more)
	open := l.withPassword(accounts, password)
	if len(open) == 0 {
		l.refused(ctx, accounts[:min(len(accounts), mostDoors)])
		return nil, "", 0, tenancy.ErrCredentials
	}
	if len(open) == len(accounts) { // otherwise the password counts as a guess at the accounts that it did not open
		l.attempts.BackAll(desk, tries)
	}
	list := make([]pass, 0, len(open))
	for _, a := range open {
		list = append(list, pass{a.Slug, a.User.ID, a.User.Seal()})
	}
	stay = secrets.Key()
	data, _ := json.Marshal(list) //nolint:errchkjson // numbers and texts
	if err := l.keep(desk, "stay "+stay, data, StayLife); err != nil {
		return nil, "", 0, err
	}
	if doors, err = l.doors(ctx, list, ""); err == nil {
		doors.Device = deviceToken(open[0].SiteID, open[0].User, l.clock())
	}
	return doors, stay, 0, err
}

// Return returns the sites that a person who has signed in before can choose from. search limits them to sites with
// these words in their names or slugs. It leaves out sites where the password has changed. It returns
// ErrCredentials if the token is invalid or has expired, or no site is left.
func (l *Lobby) Return(ctx context.Context, stay, search string) (*Doors, error) {
	if !secrets.IsKey(stay, "") {
		return nil, tenancy.ErrCredentials
	}
	desk, err := l.desk(ctx)
	if err != nil {
		return nil, err
	}
	data, err := l.passes.Look(desk, secrets.Digest("stay "+stay), l.clock().UTC())
	if errors.Is(err, ErrNoChallenge) {
		return nil, tenancy.ErrCredentials
	}
	if err != nil {
		return nil, tenancy.Wrap("return to the lobby", err)
	}
	var list []pass
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, tenancy.Wrap("return to the lobby", err)
	}
	doors, err := l.doors(ctx, list, search)
	if err == nil && doors.All == 0 {
		return nil, tenancy.ErrCredentials
	}
	return doors, err
}

// Leave ends a stay that SignIn began. An invalid token is not an error. It returns the site with a slug, or nil.
func (l *Lobby) Leave(ctx context.Context, stay, slug string) (*tenancy.Site, error) {
	if secrets.IsKey(stay, "") {
		desk, err := l.desk(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := l.passes.Take(desk, secrets.Digest("stay "+stay), l.clock().UTC()); err != nil && !errors.Is(err, ErrNoChallenge) {
			return nil, tenancy.Wrap("leave the lobby", err)
		}
	}
	if !tenancy.SlugForm(slug) {
		return nil, nil //nolint:nilnil // no site, no error
	}
	site, err := l.sites.BySlug(ctx, slug)
	if errors.Is(err, tenancy.ErrNoSite) {
		return nil, nil //nolint:nilnil // no site, no error
	}
	return site, tenancy.Wrap("leave the lobby", err)
}

// desk returns a context of the site on which the lobby counts attempts and stores passes.
func (l *Lobby) desk(ctx context.Context) (context.Context, error) {
	id, err := l.store.Desk(ctx)
	if err != nil {
		return nil, tenancy.Wrap("enter the lobby", err)
	}
	return at(ctx, &tenancy.Site{ID: id}), nil
}

func (l *Lobby) accounts(ctx context.Context, email string) ([]Account, error) {
	select {
	case l.looking <- struct{}{}:
	case <-ctx.Done():
		return nil, tenancy.Wrap("look for accounts", ctx.Err())
	}
	defer func() { <-l.looking }()
	list, err := l.store.Accounts(ctx, email, mostAccounts)
	return list, tenancy.Wrap("look for accounts", err)
}

// withPassword returns the accounts with this password. Unless the password matches one of the first mostDoors
// accounts, the number of hashes it computes does not depend on the number of accounts, so it reveals nothing about
// them.
func (l *Lobby) withPassword(accounts []Account, password string) (list []Account) {
	for i := range mostDoors {
		hash := l.nobody()
		if i < len(accounts) && MayServe(accounts[i].User.PasswordHash) {
			hash = accounts[i].User.PasswordHash
		}
		if CheckPassword(hash, password) && i < len(accounts) {
			list = append(list, accounts[i])
		}
	}
	if len(list) == 0 || len(accounts) <= mostDoors {
		return list
	}
	for _, a := range accounts[mostDoors:] {
		if CheckPassword(a.User.PasswordHash, password) {
			list = append(list, a)
		}
	}
	return list
}

// refused records a failed sign-in in the histories of the sites. It works in the background, so that the response
// does not take longer for existing accounts.
func (l *Lobby) refused(ctx context.Context, accounts []Account) {
	l.noting <- struct{}{}
	go func() {
		defer func() { <-l.noting }()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
		defer cancel()
		for _, a := range accounts {
			_ = l.refusals.note(at(ctx, &tenancy.Site{ID: a.SiteID}), a.User.ID) // too late to report an error
		}
	}()
}

// flush waits until all failed sign-ins are recorded.
func (l *Lobby) flush() {
	for range cap(l.noting) {
		l.noting <- struct{}{}
	}
	for range cap(l.noting) {
		<-l.noting
	}
}

// doors lists the sites of a stay that match a search, with a pass for each open site.
func (l *Lobby) doors(ctx context.Context, stay []pass, search string) (*Doors, error) {
	found := &Doors{}
	by := map[string]pass{}
	for _, p := range stay {
		site, err := l.sites.BySlug(ctx, p.Site)
		if errors.Is(err, tenancy.ErrNoSite) {
			continue
		}
		if err != nil {
			return nil, tenancy.Wrap("open door", err)
		}
		found.All++
		if by[p.Site] = p; hasWords(site.Name+" "+site.Slug, search) {
			found.List = append(found.List, Door{Site: site})
		}
	}
	slices.SortFunc(found.List, func(a, b Door) int { return strings.Compare(tenancy.Fold(a.Site.Name), tenancy.Fold(b.Site.Name)) })
	found.More = max(0, len(found.List)-DoorsShown)
	shown := found.List[:min(len(found.List), DoorsShown)]
	found.List = make([]Door, 0, len(shown))
	for _, door := range shown {
		switch pass, err := l.opens(ctx, door.Site, by[door.Site.Slug]); {
		case errors.Is(err, ErrNoWay):
			found.All--
		case err != nil:
			return nil, err
		default:
			found.List = append(found.List, Door{door.Site, pass})
		}
	}
	return found, nil
}

// opens returns a pass for a site, or "" if the site is closed. It returns ErrNoWay if the account is gone or its password has
// changed.
func (l *Lobby) opens(ctx context.Context, site *tenancy.Site, p pass) (string, error) {
	inside := at(ctx, site)
	user, err := l.users.Get(inside, p.User)
	switch {
	case errors.Is(err, ErrNoUser) || err == nil && user.Seal() != p.Seal:
		return "", ErrNoWay
	case err != nil:
		return "", tenancy.Wrap("open door", err)
	case site.State == tenancy.Closed:
		return "", nil
	}
	token := secrets.Key()
	data, _ := json.Marshal(pass{User: p.User, Seal: p.Seal}) //nolint:errchkjson // a number and a text
	return token, l.keep(inside, "choice "+token, data, choiceLife)
}

// hasWords reports whether a text contains all the words of another. It ignores case.
func hasWords(text, words string) bool {
	text = tenancy.Fold(text)
	for word := range strings.FieldsSeq(tenancy.Fold(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func (l *Lobby) keep(ctx context.Context, name string, data []byte, life time.Duration) error {
	now := l.clock().UTC()
	return tenancy.Wrap("keep pass", l.passes.Create(ctx, secrets.Digest(name), data, now, now.Add(life)))
}

func (l *Lobby) take(ctx context.Context, kind, pass string) ([]byte, error) {
	if !secrets.IsKey(pass, "") {
		return nil, ErrNoWay
	}
	data, err := l.passes.Take(ctx, secrets.Digest(kind+pass), l.clock().UTC())
	if errors.Is(err, ErrNoChallenge) {
		return nil, ErrNoWay
	}
	return data, tenancy.Wrap("take pass", err)
}

// Choose accepts a pass from SignIn and returns its site. For the next minute, Arrive accepts the pass. It returns
// ErrNoWay, ErrNoSite and ErrClosed.
func (l *Lobby) Choose(ctx context.Context, slug, pass string) (*tenancy.Site, error) {
	if !tenancy.SlugForm(slug) {
		return nil, tenancy.ErrNoSite
	}
	site, err := l.sites.BySlug(ctx, slug)
	switch {
	case err != nil:
		return nil, tenancy.Wrap("choose site", err)
	case site.State == tenancy.Closed:
		return nil, tenancy.ErrClosed
	}
	inside := at(ctx, site)
	data, err := l.take(inside, "choice ", pass)
	if err != nil {
		return nil, err
	}
	return site, l.keep(inside, "arrival "+pass, data, arrivalLife)
}

// Arrive returns the user of the Scope's site to whom a chosen pass belongs. Each pass works once. It returns
// ErrNoWay if the pass is invalid or the password has changed.
func (l *Lobby) Arrive(ctx context.Context, chosen string) (*tenancy.User, error) {
	data, err := l.take(ctx, "arrival ", chosen)
	if err != nil {
		return nil, err
	}
	var p pass
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, tenancy.Wrap("read pass", err)
	}
	user, err := l.users.Get(ctx, p.User)
	if errors.Is(err, ErrNoUser) || err == nil && user.Seal() != p.Seal {
		return nil, ErrNoWay
	}
	return user, tenancy.Wrap("arrive", err)
}

// at returns a context on a site without a principal.
func at(ctx context.Context, site *tenancy.Site) context.Context {
	scope := *tenancy.Current(ctx)
	scope.Site, scope.Principal = site, tenancy.Principal{}
	return tenancy.With(ctx, scope)
}
