// Package changes tells followers what has changed in a site since they last asked. Followers learn only of objects that they
// may see. All responses come from selections: the objects of one type that one kind of reader sees under one filter (rules
// 18).
package changes

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// ErrExpired says that a token is too old, or belongs to another reader or filter. The follower must begin again.
var ErrExpired = errors.New("the token is no longer valid")

// The types of objects, in the order in which changes of one version are listed.
const (
	Event     = "event"
	Venue     = "venue"
	Organizer = "organizer"
	Category  = "category"
	Tag       = "tag"
	Image     = "image"
)

// Types lists all types.
func Types() []string { return []string{Event, Venue, Organizer, Category, Tag, Image} }

// Actions of changes, as seen by the follower.
const (
	Created = "created" // the follower sees the object for the first time, or again
	Updated = "updated"
	Deleted = "deleted" // the follower no longer sees it
)

// Change is the newest state of one object, as seen by a follower.
type Change struct {
	Type       string
	ID         int64 // of a series for all of its dates
	Action     string
	Version    int64     // of the site at the object's last change, or when it stopped being visible
	At         time.Time // UTC
	MergedInto int64     // for a deleted object: the object it was merged into; 0: none
}

// Page is one response to a follower.
type Page struct {
	Changes []Change
	Next    string // the token for the next request
	More    bool   // further changes are ready now
	Version int64  // version of the site up to which the response is complete
}

// Selection has the objects of one type that one kind of reader sees under one filter.
type Selection struct {
	Type     string
	Key      [16]byte            // identifies reader, type and filter
	Events   calendar.EventQuery // the filter; of events only
	Viewer   calendar.Viewer
	Filtered bool // the filter excludes some events
	Shown    bool // of images: only the viewer's own and those that something public shows
}

// Span is the part of a selection's log that a follower requests: the changes after Since and up to Until. The
// follower already has the changes up to After.
type Span struct {
	Since, Until int64 // versions of the site; Since is negative for a follower that has nothing yet
	After        Mark
	Limit        int
}

// Mark is a position in the order of changes: by version, type and id.
type Mark struct {
	Version int64
	Type    int // index in Types
	ID      int64
}

func (m Mark) compare(o Mark) int {
	return cmp.Or(cmp.Compare(m.Version, o.Version), cmp.Compare(m.Type, o.Type), cmp.Compare(m.ID, o.ID))
}

func markOf(c Change) Mark { return Mark{c.Version, slices.Index(Types(), c.Type), c.ID} }

// Known is what the store knows about a selection.
type Known struct {
	Looked int64 // version of the site up to which the log is complete; negative: there is no log
	Kept   int64 // the version from which the log is complete
}

// Store keeps selections of the scope's site.
type Store interface {
	// Known returns the version of the site, and what the store knows about each selection of a list.
	Known(ctx context.Context, list []Selection) (version int64, known []Known, err error)
	// Look brings the log of a selection up to date. If there is no log, it starts one if begin is set, and does
	// nothing otherwise. It reports a filter with unknown items as a problem only if it starts a log.
	Look(ctx context.Context, s *Selection, begin bool) error
	// Log returns the changes of a selection in a span, in order. If there are more than the limit, it returns one
	// more than the limit.
	Log(ctx context.Context, s *Selection, span Span) ([]Change, error)
}

// Waiter waits for versions of sites.
type Waiter interface {
	// Known returns the version of a site, and whether that is certain without a query.
	Known(site int64) (version int64, certain bool)
	// Enter is called before each query of the database. It returns an error if the request must end.
	Enter(ctx context.Context) error
	// Wait waits until a site has a version above the given one, but at most for the duration most. It reports
	// whether the site may have such a version. It returns an error if the request must end.
	Wait(ctx context.Context, site, above int64, most time.Duration) (again bool, err error)
}

type waiterKey struct{}

// WithWaiter returns a context whose requests can wait.
func WithWaiter(ctx context.Context, w Waiter) context.Context {
	return context.WithValue(ctx, waiterKey{}, w)
}

// Service responds to followers.
type Service struct {
	store Store
	clock func() time.Time
}

// New returns the service over a store.
func New(store Store, clock func() time.Time) *Service {
	if clock == nil {
		clock = time.Now
	}
	return &Service{store, clock}
}

// List returns the changes since the token of the filter. Without a token, it returns all objects as they are now.
// With wait, it waits for that time before it returns an empty page. It returns ErrExpired for a token that is too
// old or belongs to another reader or filter, and *args.Problems for an invalid filter.
func (s *Service) List(ctx context.Context, f *Filter) (*Page, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	list, sum, err := f.selections(scope, s.clock())
	if err != nil {
		return nil, err
	}
	at, err := f.token(sum, scope.Language)
	if err != nil {
		return nil, err
	}
	until := s.clock().Add(time.Duration(f.Wait.Or(0)) * time.Second)
	page := &Page{Version: at.Since, Next: at.String()}
	for told := f.Wait.Given() && isLast(ctx, scope.Site.ID, at); ; told = false { // then nothing has to be read
		if !told {
			if page, err = s.enter(ctx, list, at, f.PerPage.Or(defaultPage)); err != nil {
				return nil, tenancy.Wrap("list changes", err)
			}
		}
		left := until.Sub(s.clock())
		if len(page.Changes) > 0 || page.More || !f.Since.Given() || left <= 0 {
			return page, nil
		}
		if again, err := wait(ctx, scope.Site.ID, page.Version, left); err != nil || !again {
			return page, err
		}
	}
}

// isLast reports whether a follower already has all changes up to the version of the site. It does not query the
// database.
func isLast(ctx context.Context, site int64, at token) bool {
	w, ok := ctx.Value(waiterKey{}).(Waiter)
	if !ok || at.Within || at.Since < 0 {
		return false
	}
	last, certain := w.Known(site)
	return certain && last == at.Since
}

// wait waits for a version above the given one, and reports whether there may be one.
func wait(ctx context.Context, site, above int64, most time.Duration) (again bool, err error) {
	w, ok := ctx.Value(waiterKey{}).(Waiter)
	if !ok {
		return false, nil
	}
	return w.Wait(ctx, site, above, most)
}

// enter returns the changes after a position. It calls Enter before it queries the database.
func (s *Service) enter(ctx context.Context, list []Selection, at token, limit int) (*Page, error) {
	if w, ok := ctx.Value(waiterKey{}).(Waiter); ok {
		if err := w.Enter(ctx); err != nil {
			return nil, err
		}
	}
	return s.page(ctx, list, at, limit)
}

// page returns the changes after a position.
func (s *Service) page(ctx context.Context, list []Selection, at token, limit int) (*Page, error) {
	version, err := s.upToDate(ctx, list, at)
	if err != nil {
		return nil, err
	}
	span := Span{Since: at.Since, Until: at.Until, After: at.After, Limit: limit}
	if !at.Within { // a new chain, up to the current version
		span.Until, span.After = version, Mark{Version: at.Since, Type: len(Types())}
	}
	var all []Change
	for i := range list {
		some, err := s.store.Log(ctx, &list[i], span)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b Change) int { return markOf(a).compare(markOf(b)) })
	page := &Page{Changes: all, Version: version, More: len(all) > limit}
	next := token{Since: span.Until, Print: at.Print, Spoken: at.Spoken}
	if page.More {
		page.Changes = all[:limit]
		next = token{Since: span.Since, Until: span.Until, After: markOf(all[limit-1]), Within: true, Print: at.Print, Spoken: at.Spoken}
	}
	page.Next = next.String()
	return page, nil
}

// upToDate brings the logs of selections up to the version of the site. It returns the version up to which all of them are
// complete.
func (s *Service) upToDate(ctx context.Context, list []Selection, at token) (int64, error) {
	first := at.Since < 0 && !at.Within
	version, known, err := s.store.Known(ctx, list)
	// A new log contains no earlier changes. The logs that were brought up to date before it are therefore brought
	// up to date again.
	for reach, again := version, true; err == nil && again; {
		if again, err = s.look(ctx, list, known, reach, first, at.Within); err == nil && again {
			version, known, err = s.store.Known(ctx, list)
			again = false
			for _, k := range known {
				again = again || first && k.Kept > reach
				reach = max(reach, k.Kept)
			}
		}
	}
	if err != nil {
		return 0, err
	}
	for _, k := range known {
		if k.Looked < 0 || at.Since >= 0 && at.Since < k.Kept || at.Since > version || at.Until > k.Looked {
			return 0, ErrExpired
		}
		version = min(version, k.Looked)
	}
	if at.Since > version && !at.Within { // a look was not needed: the site has not changed since
		version = at.Since
	}
	return version, nil
}

// look brings logs up to a version if necessary, and reports whether it did so for any. It starts the logs of a new follower.
func (s *Service) look(ctx context.Context, list []Selection, known []Known, reach int64, first, within bool) (looked bool, err error) {
	for i, k := range known {
		switch {
		case first && k.Looked < 0, k.Looked >= 0 && k.Looked < reach && !within:
			err = s.store.Look(ctx, &list[i], first)
			looked = true
		case k.Looked < 0:
			err = ErrExpired
		}
		if err != nil {
			return looked, err
		}
	}
	return looked, nil
}
