// Package attention tells people what needs their attention on a site: with numbers beside the navigation, and by e-mail.
package attention

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/tenancy"
)

// Kind is a kind of item that needs attention.
type Kind string

// The kinds, in the order in which messages list them.
const (
	Submission Kind = "submission" // an event that a visitor has submitted
	Review     Kind = "review"     // an event of somebody who may not publish
	Returned   Kind = "returned"   // an event that an editor has sent back to its author
	Report     Kind = "report"     // a mistake that a visitor has reported
	Stale      Kind = "stale"      // an event that takes place soon and has not been changed for a long time
	Source     Kind = "source"     // a source that cannot be read
	Invitation Kind = "invitation" // an invitation that has not been accepted and expires soon
)

// Kinds are all kinds.
var Kinds = []Kind{Submission, Review, Returned, Report, Stale, Source, Invitation}

// How long a source must have failed, how long before it expires an invitation is reported, and after how long
// people are no longer notified of an item.
const (
	Failing  = 3 * 24 * time.Hour
	Expiring = 24 * time.Hour
	Old      = 3 * 24 * time.Hour
)

// MostStale is how many stale events are counted.
const MostStale = 100

// Right is the permission that is needed to deal with an item of the kind.
func (k Kind) Right() tenancy.Permission {
	switch k {
	case Source:
		return tenancy.ManageSite
	case Invitation:
		return tenancy.ManageUsers
	case Returned:
		return tenancy.EditOwn
	case Stale:
		return tenancy.EditOwn | tenancy.Publish
	case Submission, Review, Report:
	}
	return tenancy.EditOthers | tenancy.Publish
}

// Item is an event, a report, a source or an invitation that people have to deal with.
type Item struct {
	Kind  Kind
	Title string    // of the event or source, or the name of the person who is invited
	Note  string    // for a returned event, the changes that an editor asks for; for a report, "event", "venue" or "organizer"
	Since time.Time // may be to come
	By    int64     // the user who caused the item; 0 if that is no user of the site
	For   int64     // whom alone it concerns, 0 if everybody with the right; a stale event also concerns all who edit others' events
	// Within are the editors with an area who may deal with it. Other editors with an area may not.
	Within []int64
}

// concerns reports whether an item concerns a person. Items that the person has caused do not.
func (i *Item) concerns(u *tenancy.User) bool {
	p := u.Principal()
	switch {
	case !p.May(i.Kind.Right()) || i.By != 0 && i.By == u.ID:
		return false
	case i.For != u.ID && !p.Area.Whole() && !slices.Contains(i.Within, u.ID):
		return false
	case i.Kind == Stale && p.May(tenancy.EditOthers):
		return true
	}
	return i.For == u.ID || i.For == 0 && i.Kind != Stale
}

// Person is a user who gets messages.
type Person struct {
	User *tenancy.User
	Told time.Time // Since of the last item in a message to the person
}

// State is the items that wait on a site, and the people to notify.
type State struct {
	Version int64
	Items   []Item // oldest first
	People  []*Person
}

// Hold is a node's claim on a site.
type Hold struct {
	Key string
	For time.Duration
}

// ErrLost says that another node holds the site.
var ErrLost = errors.New("another node looks after the site")

// Store finds the items that wait, and records which sites have been checked.
type Store interface {
	// Counts counts the items that wait on the scope's site at a moment: those in the principal's area, and events that were sent back to
	// the principal. Of stale events it counts at most MostStale, those of the principal unless they edit others' events.
	Counts(ctx context.Context, now time.Time) (map[Kind]int, error)
	// Due returns sites that no node holds and that are due, or have changed since the last look.
	Due(ctx context.Context, now time.Time, most int) ([]int64, error)
	// Site returns a site.
	Site(ctx context.Context, id int64) (*tenancy.Site, error)
	// Take holds the scope's site, and Extend prolongs the hold. Both return ErrLost if another node holds the site.
	Take(ctx context.Context, hold *Hold, now time.Time) error
	Extend(ctx context.Context, hold *Hold, now time.Time) error
	// Look returns the items of the scope's site that are not Old at a time, the newest ones up to most of each
	// kind, and the people to notify.
	Look(ctx context.Context, now time.Time, most int) (*State, error)
	// Told records that a user was notified of everything up to a time. Like Extend, it returns ErrLost
	Told(ctx context.Context, hold *Hold, user int64, to time.Time) error
	// Release ends the hold of a site that was checked at a version. next is the time of the next check; the zero time
	// means after the next change.
	Release(ctx context.Context, hold *Hold, version int64, next time.Time) error
}

// Post sends e-mail. An error may be a *mail.Refusal.
type Post interface {
	Deliver(ctx context.Context, m *mail.Message) error
}

// Writer writes e-mail.
type Writer interface {
	// Waits returns a message to a user about items that the user can deal with.
	Waits(ctx context.Context, to *tenancy.User, items []Item) *mail.Message
}

// Limits of messages.
const (
	hour    = 7                // local hour of daily mail
	soon    = time.Minute      // delay of immediate messages, so that one message covers items that arrive together
	again   = 15 * time.Minute // minimum time between two immediate messages
	settled = 10 * time.Second // delay after which no item with an earlier Since can appear
	daily   = 24 * time.Hour   // time between two checks of an unchanged site, because events become stale with time
)

// News returns the items that a person should be notified of now. It also returns when to check again, or the zero
// time.
func (p *Person) News(items []Item, now time.Time, place *time.Location) (news []Item, next time.Time) {
	for _, one := range items {
		switch {
		case !one.Since.After(p.Told) || !one.concerns(p.User):
		case one.Since.After(now.Add(-settled)):
			if at := one.Since.Add(settled); next.IsZero() || at.Before(next) {
				next = at
			}
		default:
			news = append(news, one)
		}
	}
	if len(news) == 0 {
		return nil, next
	}
	if at := p.when(news[0].Since, place); at.After(now) {
		return nil, at
	}
	return news, next
}

// when returns the time at which a person is notified of items that have waited since a time.
func (p *Person) when(since time.Time, place *time.Location) time.Time {
	if p.User.Told == tenancy.TellAtOnce {
		at, pause := since.Add(soon), p.Told.Add(again)
		if pause.After(at) {
			return pause
		}
		return at
	}
	day := args.DayOf(args.WallTime(since, place))
	at := args.Resolve(day.Add(hour*time.Hour), place)
	if !at.After(since) {
		at = args.Resolve(day.AddDate(0, 0, 1).Add(hour*time.Hour), place)
	}
	return at
}
