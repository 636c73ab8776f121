package webhooks

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/tenancy"
)

// Rounds is what a node needs to send messages.
type Rounds interface {
	// Due returns sites with webhooks for which something is to be done, those that wait longest first, at most so many.
	Due(ctx context.Context, now time.Time, most int) ([]int64, error)
	// Sites returns all sites that have webhooks.
	Sites(ctx context.Context) ([]int64, error)
	// Site returns a site, or tenancy.ErrNoSite.
	Site(ctx context.Context, id int64) (*tenancy.Site, error)
	// List returns the active webhooks of the scope's site.
	Active(ctx context.Context) ([]*Webhook, error)
	// Steps returns what the history has of these kinds after the place up to which a webhook followed it, of events only those of the
	// selection if there is one, and the place up to which that is all.
	Steps(ctx context.Context, w *Webhook, kinds []string, in *changes.Selection, most int) (list []Step, to Mark, more bool, err error)
	// Put lets news wait and notes the place. It does nothing if another node was faster.
	Put(ctx context.Context, w *Webhook, to Mark, news []Named, now time.Time) error
	// Looked notes up to which version all webhooks of the scope's site followed the history.
	Looked(ctx context.Context, version int64) error
	// Claim returns messages of the scope's site that are due, for this node alone for a while: at most so many of receivers that
	// answer well, and of others. Once a day it removes tries that are too old.
	Claim(ctx context.Context, well, others int, now time.Time) ([]*Attempt, error)
	// Finish notes what became of an attempt.
	Finish(ctx context.Context, a *Attempt, r *Result) error
	// SwitchOff switches a webhook off by itself. It does nothing if that was done.
	SwitchOff(ctx context.Context, id int64, why Reason, now time.Time) error
	// Tell returns webhooks of the scope's site whose administrators are to be told that they were switched off. They are told
	// again later unless Told follows.
	Tell(ctx context.Context, now time.Time) ([]*Webhook, error)
	// Told notes that the administrators were told.
	Told(ctx context.Context, id int64) error
}

// Named is news under the name of its message.
type Named struct {
	News

	Name string
}

// Courier sends messages.
type Courier interface {
	// Send sends a body to an address with headers, and returns what became of it. It never takes much longer than Patience.
	Send(ctx context.Context, address string, headers map[string]string, body []byte) Answer
}

// Answer is what a receiver answered.
type Answer struct {
	Status  int // 0: nothing
	Body    string
	Wait    time.Duration // for which the receiver wants nothing; 0: it does not say
	Problem string
}

// Patience is how long a receiver has to answer.
const Patience = 15 * time.Second

// Actors says who acts now for what somebody has made.
type Actors interface {
	// Acting returns the user of that id with their role as it is now and, unless it is 0, the key of that id. It returns
	// tenancy.ErrCredentials if one of them is gone.
	Acting(ctx context.Context, user, key int64) (tenancy.Principal, error)
}

// Letters tells people what happened to their webhooks.
type Letters interface {
	// SwitchedOff writes to the administrators of the scope's site.
	SwitchedOff(ctx context.Context, w *Webhook) error
}

// Gauge is told what is sent; nil functions are not called.
type Gauge interface {
	Webhook(sent bool, took time.Duration)
}

// SenderOptions are what a sender needs.
type SenderOptions struct {
	Rounds  Rounds
	Changes changes.Store
	Box     Box
	Courier Courier
	Actors  Actors
	Letters Letters // nil: nobody is told
	Gauge   Gauge   // nil: nothing is counted
	// Object returns an object as the API shows it to the scope's principal, nil if it is not there for them.
	Object func(ctx context.Context, kind string, id int64) ([]byte, error)
	// Scope sets what addresses begin with, for the webhook's home.
	Scope  func(scope *tenancy.Scope, home string)
	Clock  func() time.Time
	Logger *slog.Logger
}

// How many tries a node makes at once: of receivers that answer well, and of others, which so keep nobody waiting.
const (
	wellLanes  = 64
	otherLanes = 16
	ofSite     = 8 // at a time, of one site
	atStore    = 2 // sites whose webhooks ask the database at once
)

// Sender follows the history of sites and sends messages, on each node.
type Sender struct {
	SenderOptions

	store chan struct{} // places for work with the database
	woken chan struct{}

	mu     sync.Mutex
	lanes  [2]int         // free: of receivers that answer well, and of others
	busy   map[int64]bool // sites that are seen to; true: again when that ends
	hooked map[int64]bool // sites that have webhooks
	wanted map[int64]bool // sites for which something is to be done
	flying sync.WaitGroup
}

// NewSender returns a sender.
func NewSender(o SenderOptions) *Sender {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Sender{SenderOptions: o, store: make(chan struct{}, atStore), woken: make(chan struct{}, 1), lanes: [2]int{wellLanes, otherLanes},
		busy: map[int64]bool{}, hooked: map[int64]bool{}, wanted: map[int64]bool{}}
}

// Raised is told of each new version of a site that this node wrote. It costs next to nothing for a site without webhooks. No sender
// heeds nothing.
func (s *Sender) Raised(site int64) {
	if s == nil {
		return
	}
	s.mu.Lock()
	hooked := s.hooked[site]
	s.mu.Unlock()
	if hooked {
		s.Wake(site)
	}
}

// Wake has a site seen to at once. It does not block.
func (s *Sender) Wake(site int64) {
	s.mu.Lock()
	s.hooked[site], s.wanted[site] = true, true
	s.mu.Unlock()
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// The pauses of a sender.
const (
	look    = time.Second      // between two questions for sites for which something is to be done
	refresh = 10 * time.Second // between two questions for sites with webhooks
	mostDue = 100
)

// storeTimeout is how long the database has for what a site needs. Its connection may be dead without notice.
const storeTimeout = 30 * time.Second

// Run sends messages until the context ends, and then waits for those under way.
func (s *Sender) Run(ctx context.Context) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	defer s.flying.Wait()
	var refreshed time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.woken:
			s.start(ctx, s.taken())
			continue
		case <-tick.C:
		}
		if now := time.Now(); now.Sub(refreshed) >= refresh {
			refreshed = now
			s.refresh(ctx)
		}
		s.Round(ctx)
	}
}

// Round sees to the sites for which something is to be done.
func (s *Sender) Round(ctx context.Context) {
	asking, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	sites, err := s.Rounds.Due(asking, s.Clock(), mostDue)
	if err != nil && ctx.Err() == nil {
		s.Logger.Warn("look for messages of webhooks", "error", err)
	}
	s.start(ctx, sites)
}

// refresh asks which sites have webhooks.
func (s *Sender) refresh(ctx context.Context) {
	asking, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	sites, err := s.Rounds.Sites(asking)
	if err != nil {
		return // those that are known stay so
	}
	hooked := make(map[int64]bool, len(sites))
	for _, site := range sites {
		hooked[site] = true
	}
	s.mu.Lock()
	s.hooked = hooked
	s.mu.Unlock()
}

// taken returns the sites that were woken.
func (s *Sender) taken() (list []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for site := range s.wanted {
		list = append(list, site)
	}
	clear(s.wanted)
	return list
}

// start sees to sites, each once at a time.
func (s *Sender) start(ctx context.Context, sites []int64) {
	for _, site := range sites {
		s.mu.Lock()
		_, busy := s.busy[site]
		s.busy[site] = busy // again when it ends
		s.mu.Unlock()
		if !busy {
			s.flying.Go(func() { s.attend(ctx, site) })
		}
	}
}

// attend sees to a site until nothing more is to be done at the moment.
func (s *Sender) attend(ctx context.Context, site int64) {
	for {
		select {
		case s.store <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() == nil {
			if err := s.see(ctx, site); err != nil && ctx.Err() == nil {
				s.Logger.Warn("messages of webhooks", "site", site, "error", err)
			}
			<-s.store
		}
		s.mu.Lock()
		again := s.busy[site] && ctx.Err() == nil
		if again {
			s.busy[site] = false
		} else {
			delete(s.busy, site)
		}
		s.mu.Unlock()
		if !again {
			return
		}
	}
}

// see follows the history of a site, and begins the tries that are due.
func (s *Sender) see(ctx context.Context, id int64) error {
	asking, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	asking = tenancy.AsProvider(asking, tenancy.Provider{Scheduled: true})
	site, err := s.Rounds.Site(asking, id)
	if err != nil {
		return err
	}
	inside, err := tenancy.Enter(asking, site)
	if err != nil {
		return err
	}
	if err := s.follow(inside); err != nil {
		return err
	}
	s.tell(inside)
	return s.claim(inside, ctx)
}

// tell tells administrators which webhooks were switched off.
func (s *Sender) tell(ctx context.Context) {
	list, err := s.Rounds.Tell(ctx, s.Clock())
	for _, w := range list {
		if s.Letters != nil {
			err = s.Letters.SwitchedOff(ctx, w)
		}
		if err == nil {
			err = s.Rounds.Told(ctx, w.ID)
		}
	}
	if err != nil {
		s.Logger.WarnContext(ctx, "tell of a webhook that is switched off", "error", err)
	}
}
