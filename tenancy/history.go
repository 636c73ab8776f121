package tenancy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
)

// ErrNoEntry says that there is no such entry in the history.
var ErrNoEntry = errors.New("no such entry of the history")

// Entry is one change in the history of a site or of the provider.
type Entry struct {
	Position Position
	At       time.Time // UTC, to the second
	Action   string
	UserID   int64 // 0: not a user of the site
	Who      string
	Person   string // present name of the user, "" for none; only for entries of a site
	Via      Via
	Key      string         // name of the credential
	Address  string         // of the client, "" for none
	Object   string         // name of the object at that time; only for entries of the provider
	Called   string         // present name of the object; only in lists of a site's entries
	Before   map[string]any // former values of the changed fields; nil for none
	After    map[string]any // new values of these fields; nil if unknown or not requested
	State    map[string]any // the whole object after the change; nil if unknown or not requested
}

// Position is the position of an entry in its history: the newest entry has the highest.
type Position struct {
	Version int64 // version of the site; in the provider's history, the number of the entry
	N       int64 // 0 except for sign-ins
	Kind    string
	ID      int64 // of the object
}

// String returns the position in the form used in URLs.
func (p Position) String() string { return fmt.Sprintf("%d.%d.%s.%d", p.Version, p.N, p.Kind, p.ID) }

// ParsePosition parses the result of String.
func ParsePosition(text string) (p Position, ok bool) {
	part := strings.Split(text, ".")
	if len(part) != 4 || len(text) > 100 {
		return p, false
	}
	var wrong [3]error
	p.Version, wrong[0] = strconv.ParseInt(part[0], 10, 64)
	p.N, wrong[1] = strconv.ParseInt(part[1], 10, 64)
	p.ID, wrong[2] = strconv.ParseInt(part[3], 10, 64)
	p.Kind = part[2]
	return p, errors.Join(wrong[:]...) == nil
}

// HistoryFilter are the query arguments of a history.
type HistoryFilter struct {
	Who     args.Opt[string]    `arg:"who,max=254"`
	Kind    args.Opt[string]    `arg:"kind,enum=event|venue|organizer|category|tag|image|user|key|passkey|webhook|source|report|site|session|token|plan|defaults"`
	Action  args.Opt[string]    `arg:"action,enum=create|update|trash|restore|publish|delete|undelete|purge|export|import|roll_back|correct|dismiss|sign_in|sign_in_failed"`
	ID      args.Opt[int64]     `arg:"id,min=1"`
	From    args.Opt[args.Date] `arg:"from"`
	To      args.Opt[args.Date] `arg:"to"`
	After   args.Opt[string]    `arg:"after,max=100"`
	PerPage args.Opt[int]       `arg:"per_page,default=50,min=1,max=200,nonull"`

	Titled  string // only objects with this in their present or former name; not an API argument
	Content bool   // no sign-ins but those of support, unless Kind or Action asks for them; not an API argument
}

// DecidesOnSignIns reports whether a filter by kind or action, "" if not given, decides by itself whether sign-ins are listed.
func DecidesOnSignIns(kind, action string) bool {
	return kind != "" || strings.HasPrefix(action, "sign_in")
}

// Check refuses invalid positions.
func (f *HistoryFilter) Check(found *args.Problems) {
	if text := f.After.Or(""); text != "" {
		if _, ok := ParsePosition(text); !ok {
			found.Invalid("after", "problem.place", nil)
		}
	}
}

// HistoryQuery says which entries to list. Fields with the zero value don't filter.
type HistoryQuery struct {
	Who          string // login or present name of a user, folded
	Kind, Action string
	Titled       string // part of the present or a former name of the object, folded
	Quiet        bool   // no sign-ins but those of support
	ID           int64
	From, Before time.Time
	After        *Position // only entries older than this one
	User         int64     // only entries of this user; 0: of everyone
	Floor        int64     // only deeds after this version; 0: all
	Reader       int64     // user from whom names that others have not published are hidden; 0: nothing is hidden
	Write        *Position // only entries of this write, as in Deed.Position
	Limit        int
}

// query returns the query that the arguments describe; days are days in zone.
func (f *HistoryFilter) query(zone *time.Location, now time.Time) HistoryQuery {
	q := HistoryQuery{Who: Fold(f.Who.Or("")), Kind: f.Kind.Or(""), Action: f.Action.Or(""), ID: f.ID.Or(0), Limit: f.PerPage.Or(50)}
	q.Titled, q.Quiet = Fold(f.Titled), f.Content && !DecidesOnSignIns(q.Kind, q.Action)
	q.From, q.Before = Stretch(f.From, f.To, zone, now)
	if p, ok := ParsePosition(f.After.Or("")); ok {
		q.After = &p
	}
	return q
}

// Stretch returns the first instant of the requested period and the instant at which it has ended. Each is zero if its
// argument was not sent. Days are days in zone, and the last one is included.
func Stretch(from, to args.Opt[args.Date], zone *time.Location, now time.Time) (first, before time.Time) {
	if d, ok := from.Get(); ok {
		first = d.In(zone, now)
		if !d.HasTime() {
			first = args.Resolve(d.Day(zone, now), zone)
		}
	}
	if d, ok := to.Get(); ok {
		before = d.In(zone, now)
		if !d.HasTime() {
			before = args.Resolve(d.Day(zone, now).AddDate(0, 0, 1), zone)
		}
	}
	return first, before
}

// HistoryStore reads histories, the newest entry first.
type HistoryStore interface {
	// List returns entries of the Scope's site.
	List(ctx context.Context, q HistoryQuery) ([]Entry, error)
	// Deeds returns writes to the Scope's site, one deed per write, if at least one entry of the write matches the
	// query. The parts of a deed are unordered. Limit counts writes.
	Deeds(ctx context.Context, q HistoryQuery) ([]Deed, error)
	// Of returns all entries about an object of the Scope's site, and its present fields, or nil if it no longer
	// exists. version tells which object is meant: if the site was replaced by an archive of another site, two
	// objects may have had the same ID.
	Of(ctx context.Context, kind string, id, version int64) ([]Entry, map[string]any, error)
	// Last returns, for each of several objects of a kind, its last entry with an action, which must not be
	// "create". It leaves out objects without such an entry.
	Last(ctx context.Context, kind, action string, ids []int64) (map[int64]Entry, error)
	// At returns for each of several objects its entry at a version of the site, including its creation.
	At(ctx context.Context, kind string, versions map[int64]int64) (map[int64]Entry, error)
	// Since returns, for each of several objects of a kind, the entries after a version and the present fields.
	// asOf is the version of the site at which it read them. It leaves out objects that no longer exist.
	Since(ctx context.Context, kind string, ids []int64, version int64) (since map[int64]Later, asOf int64, err error)
	// MergedInto returns, for each of several deleted objects of a kind, the ID of the object that has their links since they
	// were merged. It leaves out objects that were not merged.
	MergedInto(ctx context.Context, kind string, ids []int64) (map[int64]int64, error)
	// Provider returns entries of the provider's history. It needs no Scope.
	Provider(ctx context.Context, q HistoryQuery) ([]Entry, error)
}

// Now is a version that means the present state of a site.
const Now = math.MaxInt64

// Later holds the entries about an object after a version, and its present fields.
type Later struct {
	Entries []Entry
	Now     map[string]any
}

// History is the service for histories. Administrators may read the history of their site, the provider that of the
// provider; others get ErrUnauthenticated or ErrForbidden.
type History struct {
	store HistoryStore
	clock func() time.Time
}

// NewHistory returns the service over a store.
func NewHistory(store HistoryStore, clock func() time.Time) *History { return &History{store, clock} }

// List returns one page of the site's history, the newest entry first, and the position of the next page, or "" on
// the last page.
func (s *History) List(ctx context.Context, f *HistoryFilter) (list []Entry, next string, err error) {
	scope, err := s.readable(ctx)
	if err != nil {
		return nil, "", err
	}
	return page(f.query(scope.Site.Location, s.clock()), func(q HistoryQuery) ([]Entry, error) { return s.store.List(ctx, q) })
}

// Provider is List for the provider's history.
func (s *History) Provider(ctx context.Context, f *HistoryFilter) (list []Entry, next string, err error) {
	if err := RequireProvider(ctx); err != nil {
		return nil, "", err
	}
	return page(f.query(time.UTC, s.clock()), func(q HistoryQuery) ([]Entry, error) { return s.store.Provider(ctx, q) })
}

// page returns one page. It reads one additional entry to find out whether there is another page.
func page(q HistoryQuery, list func(HistoryQuery) ([]Entry, error)) ([]Entry, string, error) {
	length := q.Limit
	q.Limit++
	found, err := list(q)
	if err != nil {
		return nil, "", Wrap("read history", err)
	}
	if len(found) <= length {
		return found, "", nil
	}
	return found[:length], found[length-1].Position.String(), nil
}

// Each calls do for every entry of the site's history that matches the filter, the newest first.
func (s *History) Each(ctx context.Context, f *HistoryFilter, do func(*Entry) error) error {
	scope, err := s.readable(ctx)
	if err != nil {
		return err
	}
	return each(f.query(scope.Site.Location, s.clock()), func(q HistoryQuery) ([]Entry, error) { return s.store.List(ctx, q) }, do)
}

// EachProvider is Each for the provider's history.
func (s *History) EachProvider(ctx context.Context, f *HistoryFilter, do func(*Entry) error) error {
	if err := RequireProvider(ctx); err != nil {
		return err
	}
	return each(f.query(time.UTC, s.clock()), func(q HistoryQuery) ([]Entry, error) { return s.store.Provider(ctx, q) }, do)
}

// each reads a history in steps of 500 entries.
func each(q HistoryQuery, list func(HistoryQuery) ([]Entry, error), do func(*Entry) error) error {
	const step = 500
	for q.Limit = step; ; {
		found, err := list(q)
		if err != nil {
			return Wrap("read history", err)
		}
		for i := range found {
			if err := do(&found[i]); err != nil {
				return err
			}
		}
		if len(found) < step {
			return nil
		}
		q.After = &found[step-1].Position
	}
}

// Entry returns one entry with its After and State, or ErrNoEntry.
func (s *History) Entry(ctx context.Context, at Position) (*Entry, error) {
	if _, err := s.readable(ctx); err != nil {
		return nil, err
	}
	list, now, err := s.store.Of(ctx, at.Kind, at.ID, at.Version)
	if err != nil {
		return nil, Wrap("read history", err)
	}
	states := Settle(list, now)
	for i := range list {
		if list[i].Position == at {
			list[i].State = states[i]
			return &list[i], nil
		}
	}
	return nil, ErrNoEntry
}

func (s *History) readable(ctx context.Context) (*Scope, error) {
	scope, err := From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Reach(ReadHistory); err != nil {
		return nil, err
	}
	if scope.Principal.MayRead(ManageSite) {
		return scope, nil
	}
	return nil, scope.Principal.Require(ManageSite)
}

// Settle fills in After in the entries of one object, which must be sorted from the newest. now are the object's
// present fields, or nil if it no longer exists. It returns the whole object after each entry; it is nil for
// entries before a write that recorded no history.
func Settle(list []Entry, now map[string]any) []map[string]any {
	states := make([]map[string]any, len(list))
	state := maps.Clone(now)
	for i := range list {
		e := &list[i]
		states[i] = maps.Clone(state)
		switch {
		case e.Action == "delete":
			e.After, states[i] = map[string]any{}, nil
			state = maps.Clone(e.Before)
			continue
		case state == nil:
			continue
		case e.Action == "create":
			e.After, state = states[i], nil
			continue
		case e.Before == nil:
			state = nil
			continue
		}
		e.After = map[string]any{}
		for name, value := range e.Before {
			if is, ok := state[name]; ok {
				e.After[name] = is
			}
			state[name] = value
		}
	}
	return states
}
