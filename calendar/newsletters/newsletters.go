// Package newsletters sends visitors letters about upcoming events by e-mail. It determines who has subscribed to
// what, when a letter is due and what it lists; any node can send it. Addresses are used for nothing else, and
// nobody can see them.
package newsletters

import (
	"context"
	"errors"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/tenancy"
)

// Errors of letters besides invalid arguments.
var (
	ErrClosed = errors.New("site sends no letters")
	ErrMany   = errors.New("too many subscriptions wait to be confirmed")
	ErrLost   = errors.New("another node sends the letters of the site")
)

// UnconfirmedLife is how long a subscription is kept until it is confirmed.
const UnconfirmedLife = 7 * 24 * time.Hour

// Limits limit the unconfirmed subscriptions of a day. They are checked in the transaction that adds a
// subscription. A network may have OfNetwork of them, and only Few once there are Waiting in total, so that others
// can still use the form. When there are Most, the form closes for everyone.
type Limits struct{ OfClient, OfNetwork, Few, Waiting, Most int }

var limits = Limits{OfClient: 20, OfNetwork: 200, Few: 5, Waiting: 1000, Most: 10_000}

// Period is how often letters come.
type Period string

// The periods.
const (
	Weekly    Period = "weekly" // on Thursdays
	Daily     Period = "daily"
	DayBefore Period = "day_before" // for reminders: the day before events that a visitor has kept
)

// hour is the hour of the morning at which letters are due, in the site's time zone.
const hour = 6

// Next returns the time at which the first letter after an instant is due.
func (p Period) Next(now time.Time, place *time.Location) time.Time {
	day := args.DayOf(args.WallTime(now, place))
	for {
		at := args.Resolve(day.Add(hour*time.Hour), place)
		if at.After(now) && (p != Weekly || day.Weekday() == time.Thursday) {
			return at
		}
		day = day.AddDate(0, 0, 1)
	}
}

// First returns when the first letter of a subscription is due that is confirmed now. Reminders of the next day are
// due immediately.
func (p Period) First(now time.Time, place *time.Location) time.Time {
	if p == DayBefore {
		return args.Resolve(args.DayOf(args.WallTime(now, place)).Add(hour*time.Hour), place)
	}
	return p.Next(now, place)
}

// Days returns the days covered by the letter that is due at an instant.
func (p Period) Days(at time.Time, place *time.Location) calendar.Days {
	first := args.DayOf(args.WallTime(at, place))
	switch p {
	case DayBefore:
		next := first.AddDate(0, 0, 1)
		return calendar.Days{First: next, Last: next}
	case Daily:
		return calendar.Days{First: first, Last: first.AddDate(0, 0, 1)}
	}
	return calendar.Days{First: first, Last: first.AddDate(0, 0, 6)}
}

// late is how late a letter may still be sent.
func (p Period) late() time.Duration {
	switch p {
	case DayBefore:
		return (24 - hour) * time.Hour
	case Daily:
		return 12 * time.Hour
	}
	return 36 * time.Hour
}

// Filter says which events a letter lists. The zero value lists all events. The filter of a reminder has only the
// events that a visitor has kept.
type Filter struct {
	services.Keeping

	Search            string   `json:"search,omitempty"`
	Categories        []int64  `json:"categories,omitempty"`
	Tags              []int64  `json:"tags,omitempty"`
	Cities            []string `json:"cities,omitempty"`
	Venues            []int64  `json:"venues,omitempty"`
	Organizers        []int64  `json:"organizers,omitempty"`
	CategoriesExclude []int64  `json:"categories_exclude,omitempty"`
	TagsExclude       []int64  `json:"tags_exclude,omitempty"`
	VenuesExclude     []int64  `json:"venue_exclude,omitempty"`
	Audience          []string `json:"audience,omitempty"`
	Spoken            []string `json:"event_language,omitempty"`
	Accessibility     []string `json:"accessibility,omitempty"`
	// Values of fields that the site adds, by their keys.
	Fields   map[string][]string `json:"fields,omitempty"`
	Free     bool                `json:"free,omitempty"`
	Featured bool                `json:"featured,omitempty"`
	Area     *calendar.Circle    `json:"area,omitempty"`
	Taking   string              `json:"taking,omitempty"` // "online", "here", or "" for either
	Children bool                `json:"children,omitempty"`
}

// Fields are the arguments of a subscription besides its filter.
type Fields struct {
	Email  args.Opt[args.Email] `arg:"email,required,nonempty"`
	Period args.Opt[string]     `arg:"period,default=weekly,enum=weekly|daily"`
}

// Subscription is a visitor's subscription to letters.
type Subscription struct {
	ID        int64
	Email     string
	Language  string
	Period    Period
	Filter    Filter
	Home      string // scheme and host of links
	Created   time.Time
	Confirmed time.Time // zero: not yet
	Expires   time.Time // unless it is confirmed
	Issue     time.Time // when the next letter is due, which determines the days it covers
	Tries     int       // to send this letter
	Refused   int       // number of consecutive permanent refusals

	Client, Network []byte // digests of the client that subscribed, and of its network
}

// Numbers are the numbers of a site's subscriptions that administrators can see.
type Numbers struct {
	Confirmed, Waiting int       // Confirmed does not count reminders
	Weekly, Daily      int       // of Confirmed
	Reminders          int       // confirmed, too
	Ended              int       // since the beginning
	Month              int       // letters sent this month
	Last               time.Time // when the last letter was sent; zero: never
	Next               []Coming  // the next letter of each period that has subscribers, and the next weekly one
}

// Coming is the next time at which letters are due, and to how many people.
type Coming struct {
	Period Period
	At     time.Time
	To     int
}

// Result is the result of sending a letter.
type Result struct {
	*Subscription

	Sent    bool
	Drop    bool      // the subscription ends
	Over    bool      // it ends because nothing of what it was about is left
	Issue   time.Time // the next letter, or the same one
	Next    time.Time // the next try; zero: none
	Tries   int
	Refused int
}

// Hold is a node's claim on the letters of a site.
type Hold struct {
	Key string
	For time.Duration
}

// Store keeps subscriptions. Its calls do not raise the version of the site.
type Store interface {
	// Hold stores an unconfirmed subscription, or returns ErrMany. It stores nothing if the e-mail address already
	// has an unconfirmed subscription from the last day.
	Hold(ctx context.Context, s *Subscription, limits Limits) error
	// Get returns a subscription, or calendar.ErrNotFound.
	Get(ctx context.Context, id int64, now time.Time) (*Subscription, error)
	// Confirm confirms a subscription. It replaces another subscription of the same e-mail address with the same
	// filter; a reminder replaces all earlier reminders. It returns calendar.ErrNotFound if there is none. The
	// first letter is due at next. Confirm can be repeated.
	Confirm(ctx context.Context, id int64, next, now time.Time) error
	// Leave deletes a subscription if it exists.
	Leave(ctx context.Context, id int64, now time.Time) error
	// Numbers returns the numbers. month is the first day of the present month.
	Numbers(ctx context.Context, month time.Time) (*Numbers, error)

	// Take claims sites with work that is due, one from each database server. Neither Take nor Site needs a scope.
	Take(ctx context.Context, hold *Hold) ([]int64, error)
	// Site returns a site, or tenancy.ErrNoSite.
	Site(ctx context.Context, id int64) (*tenancy.Site, error)
	// Extend keeps the claim on the scope's site, or returns ErrLost.
	Extend(ctx context.Context, hold *Hold) error
	// Due returns the subscriptions with work that is due, up to a maximum number. If letters is not set, it
	// returns only unconfirmed ones.
	Due(ctx context.Context, letters bool, most int) ([]*Subscription, error)
	// Done stores the result of a letter, or returns ErrLost.
	Done(ctx context.Context, hold *Hold, r *Result, month time.Time) error
	// Release gives up the claim and deletes subscriptions that were not confirmed in time. The site is due again
	// when it has work, but not before the time before.
	Release(ctx context.Context, hold *Hold, before time.Time) error
}

// Issue is a letter to be written.
type Issue struct {
	Period Period
	Days   calendar.Days
	Events []*calendar.Event
	More   int // number of further events
	About  *About
	Leave  string // address of the page for unsubscribing
}

// Post sends messages.
type Post interface {
	// Deliver returns once the server has accepted a message. If the server refuses it, the error is a *mail.Refusal.
	Deliver(ctx context.Context, m *mail.Message) error
}

// Writer writes the texts of messages in the language of the scope.
type Writer interface {
	// Question asks for confirmation of a subscription. It contains no text that the visitor typed. about is nil if what it is
	// about no longer exists.
	Question(ctx context.Context, p Period, about *About, link string) *mail.Message
	// Letter writes an issue. It returns nil if there is nothing to list.
	Letter(ctx context.Context, i *Issue) *mail.Message
}
