package newsletters

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/leased"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/rate"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Signer makes and reads the codes in links.
type Signer interface {
	Code(site, id int64) string
	Read(site int64, code string) (id int64, ok bool)
}

// Options are what the service needs.
type Options struct {
	Store    Store
	Calendar *services.Calendar
	Attempts *accounts.Attempts
	Post     Post // nil: nothing is sent, and nobody can subscribe
	Writer   Writer
	Signer   Signer
	Home     func(*tenancy.Scope) string             // scheme and host of addresses in messages
	Scope    func(scope *tenancy.Scope, home string) // sets the beginning of addresses
	Children func(context.Context) ([]int64, error)  // the categories for children
	Pace     time.Duration                           // from one message of this node to the next; 0: 20 ms
	Clock    func() time.Time                        // nil means time.Now
	Counter  *numbers.Counter                        // of the events in letters; nil: they are not counted
	Logger   *slog.Logger                            // nil disables logging
}

// Service is the service over letters.
type Service struct {
	Options

	works  *leased.Works[int64]
	budget *rate.Budget
}

// New returns the service. Letters are sent by Run.
func New(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Pace == 0 {
		o.Pace = 20 * time.Millisecond
	}
	return &Service{
		Options: o,
		works:   leased.New[int64](ErrLost, beat, storeTimeout),
		budget:  &rate.Budget{Each: o.Pace, Most: burst, Clock: time.Now},
	}
}

// Writes reports whether this installation sends e-mail.
func (s *Service) Writes() bool { return s != nil && s.Post != nil }

// Stopped reports whether the site's plan allows no letters at all.
func Stopped(site *tenancy.Site) bool { return site.Plan.Letters != nil && *site.Plan.Letters == 0 }

// Open reports whether people can subscribe to the scope's site.
func (s *Service) Open(ctx context.Context) bool {
	site := tenancy.Current(ctx).Site
	return s.Writes() && site != nil && site.Settings.Mailing.Open() && site.Standing() == tenancy.Active && !Stopped(site)
}

// Subscribe stores a subscription. Its letters come once the e-mail address is confirmed. Anyone may call it, and it never
// reveals whether the site knows the address. It returns ErrClosed or ErrMany.
func (s *Service) Subscribe(ctx context.Context, f *Fields, filter Filter) error {
	scope, err := tenancy.From(ctx)
	switch {
	case err != nil:
		return err
	case !s.Open(ctx):
		return ErrClosed
	}
	if err := s.Attempts.Pass(ctx, ErrMany, "letters by "+scope.Client()); err != nil {
		return err
	}
	now := s.Clock().UTC()
	client, network := sha256.Sum256([]byte("letters "+scope.Client())), sha256.Sum256([]byte("letters network "+scope.Network()))
	period := Period(f.Period.Or(string(Weekly)))
	if !filter.None() {
		period = DayBefore
	}
	err = s.Store.Hold(ctx, &Subscription{
		ID:       random(),
		Email:    string(f.Email.Or("")),
		Language: scope.Language,
		Period:   period,
		Filter:   filter,
		Home:     s.Home(scope),
		Created:  now,
		Expires:  now.Add(UnconfirmedLife),
		Issue:    now,
		Client:   client[:],
		Network:  network[:],
	}, limits)
	if err != nil {
		return fmt.Errorf("store subscription: %w", err)
	}
	s.works.Wake()
	return nil
}

// random returns a random number that nobody can guess and that does not repeat.
func random() int64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return int64(binary.BigEndian.Uint64(b[:]) >> 1)
}

// known returns the ID of the subscription in a code. It returns calendar.ErrNotFound if the code is invalid or s is nil.
func (s *Service) known(ctx context.Context, code string) (int64, error) {
	scope, err := tenancy.From(ctx)
	switch {
	case err != nil:
		return 0, err
	case s == nil:
		return 0, calendar.ErrNotFound
	}
	id, ok := s.Signer.Read(scope.Site.ID, code)
	if !ok {
		return 0, calendar.ErrNotFound
	}
	return id, nil
}

// Find returns the subscription of a link, or calendar.ErrNotFound.
func (s *Service) Find(ctx context.Context, code string) (*Subscription, error) {
	id, err := s.known(ctx, code)
	if err != nil {
		return nil, err
	}
	found, err := s.Store.Get(ctx, id, s.Clock().UTC())
	return found, tenancy.Wrap("find subscription", err)
}

// Confirm confirms a subscription, because the link proves the e-mail address. It returns the subscription, or
// calendar.ErrNotFound. It can be repeated.
func (s *Service) Confirm(ctx context.Context, code string) (*Subscription, error) {
	found, err := s.Find(ctx, code)
	if err != nil || !found.Confirmed.IsZero() {
		return found, err
	}
	now := s.Clock().UTC()
	next := found.Period.First(now, tenancy.Current(ctx).Site.Location)
	if err := s.Store.Confirm(ctx, found.ID, next, now); err != nil {
		return nil, fmt.Errorf("confirm subscription: %w", err)
	}
	found.Confirmed, found.Issue = now, next
	return found, nil
}

// Leave ends a subscription without delay. It returns calendar.ErrNotFound for an invalid link. It is not an error
// if the subscription has already ended.
func (s *Service) Leave(ctx context.Context, code string) error {
	id, err := s.known(ctx, code)
	if err != nil {
		return err
	}
	return tenancy.Wrap("leave", s.Store.Leave(ctx, id, s.Clock().UTC()))
}

// Numbers returns the numbers of the site's subscriptions to administrators.
func (s *Service) Numbers(ctx context.Context) (*Numbers, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if !scope.Principal.MayRead(tenancy.ManageSite) {
		return nil, scope.Principal.Require(tenancy.ManageSite)
	}
	found, err := s.Store.Numbers(ctx, s.month(scope.Site))
	if err != nil {
		return nil, tenancy.Wrap("count subscriptions", err)
	}
	for _, one := range []Coming{{Period: Weekly, To: found.Weekly}, {Period: Daily, To: found.Daily}} {
		if one.Period == Weekly || one.To > 0 {
			one.At = one.Period.Next(s.Clock(), scope.Site.Location)
			found.Next = append(found.Next, one)
		}
	}
	return found, nil
}

// month returns the first day of the present month of a site.
func (s *Service) month(site *tenancy.Site) time.Time {
	now := args.WallTime(s.Clock(), site.Location)
	return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// reader returns the scope of the reader of a letter: an anonymous reader in a language, or in the site's own
// language if the site does not offer it.
func reader(site *tenancy.Site, language string, base tenancy.Base) tenancy.Scope {
	if !site.Offers(language) {
		language = site.Language
	}
	scope := tenancy.Scope{Site: site, Language: language, Base: base}
	scope.At(language)
	scope.Base.Prefix = "/" + language
	return scope
}

// Issue returns the issue of a filter that is due at an instant, as everyone may see it. It returns nil if there is nothing to
// list, or errOver. The scope must be anonymous.
func (s *Service) Issue(ctx context.Context, p Period, f Filter, at time.Time) (*Issue, error) {
	site := tenancy.Current(ctx).Site
	about, err := s.About(ctx, f)
	switch {
	case errors.Is(err, calendar.ErrNotFound) && p == DayBefore:
		return nil, errOver
	case errors.Is(err, calendar.ErrNotFound):
		return nil, nil //nolint:nilnil // what it was about is gone: nothing is on
	case err != nil:
		return nil, err
	}
	i := &Issue{Period: p, Days: p.Days(at, site.Location), About: about}
	if p == DayBefore {
		return s.reminder(ctx, i, f.Keeping)
	}
	c := f.choice()
	if f.Children {
		if c.Children, err = s.Children(ctx); err != nil {
			return nil, fmt.Errorf("categories for children: %w", err)
		}
	}
	if err := s.list(ctx, i, c, at); err != nil || len(i.Events) == 0 {
		return nil, err
	}
	return i, nil
}

// reminder completes an issue with the events of the next day. It returns nil if there are none.
func (s *Service) reminder(ctx context.Context, i *Issue, k services.Keeping) (*Issue, error) {
	events, err := s.Calendar.Events().KeptFor(ctx, k, i.Days.First)
	if err != nil {
		return nil, fmt.Errorf("events of a reminder: %w", err)
	}
	if len(events) == 0 {
		return nil, nil //nolint:nilnil // nothing is on
	}
	i.Events, i.More = events[:min(len(events), mostListed)], max(len(events)-mostListed, 0)
	return i, nil
}

// choice returns the filter as visitors choose it in a list.
func (f *Filter) choice() *calendar.Choice {
	c := &calendar.Choice{}
	if f.Search != "" {
		c.Search = args.Some(f.Search)
	}
	refs := func(into *args.Opt[args.Refs], ids []int64) {
		list := args.Refs{}
		for _, id := range ids {
			list = append(list, args.Ref{ID: id})
		}
		if len(list) > 0 {
			*into = args.Some(list)
		}
	}
	refs(&c.Categories, f.Categories)
	refs(&c.Tags, f.Tags)
	refs(&c.CategoriesExclude, f.CategoriesExclude)
	refs(&c.TagsExclude, f.TagsExclude)
	ids := func(into *args.Opt[args.IDs], list []int64) {
		if len(list) > 0 {
			*into = args.Some(args.IDs(list))
		}
	}
	ids(&c.Venue, f.Venues)
	ids(&c.Organizer, f.Organizers)
	ids(&c.VenueExclude, f.VenuesExclude)
	if f.Featured {
		c.Featured = args.Some(true)
	}
	if len(f.Spoken) > 0 {
		c.Spoken = args.Some(args.Texts(f.Spoken))
	}
	if len(f.Audience) > 0 {
		c.Audience = args.Some(args.Texts(f.Audience))
	}
	if len(f.Accessibility) > 0 {
		c.Accessibility = args.Some(args.Texts(f.Accessibility))
	}
	if len(f.Fields) > 0 {
		fields := args.Members{}
		for key, values := range f.Fields {
			fields[key] = strings.Join(values, ",")
		}
		c.Fields = args.Some(fields)
	}
	c.Cities, c.Free, c.Taking = f.Cities, f.Free, f.Taking
	if f.Area != nil {
		c.GeolocLat, c.GeolocLng, c.GeolocRadius = args.Some(f.Area.Lat), args.Some(f.Area.Lng), args.Some(f.Area.Km)
	}
	return c
}

// Preview returns the next weekly letter about all events, or nil if there is nothing to list. It is for administrators of the
// scope's site.
func (s *Service) Preview(ctx context.Context) (*mail.Message, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if !scope.Principal.MayRead(tenancy.ManageSite) {
		return nil, scope.Principal.Require(tenancy.ManageSite)
	}
	own := reader(scope.Site, scope.Language, scope.Base)
	ctx = tenancy.With(ctx, own)
	issue, err := s.Issue(ctx, Weekly, Filter{}, Weekly.Next(s.Clock(), scope.Site.Location))
	if err != nil || issue == nil {
		return nil, err
	}
	issue.Leave = own.Base.Pages() + Path + "leave/"
	return s.Writer.Letter(ctx, issue), nil
}
