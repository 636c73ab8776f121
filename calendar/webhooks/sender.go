package webhooks

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/tenancy"
)

// Rounds is the store that a node needs to send messages.
type Rounds interface {
	// Due returns the sites whose webhooks have work to do, up to a maximum number, the ones that have waited
	// longest first.
	Due(ctx context.Context, now time.Time, most int) ([]int64, error)
	// Sites returns all sites that have webhooks.
	Sites(ctx context.Context) ([]int64, error)
	// Site returns a site, or tenancy.ErrNoSite.
	Site(ctx context.Context, id int64) (*tenancy.Site, error)
	// Active returns the active webhooks of the scope's site.
	Active(ctx context.Context) ([]*Webhook, error)
	// Steps returns the history of these kinds after the mark of a webhook. If there is a selection, it returns only the
	// events in it. It also returns the mark up to which the steps are complete.
	Steps(ctx context.Context, w *Webhook, kinds []string, in *changes.Selection, most int) (list []Step, to Mark, more bool, err error)
	// Put queues news and stores the mark. It does nothing if another node was faster.
	Put(ctx context.Context, w *Webhook, to Mark, news []Named, now time.Time) error
	// Looked stores the version up to which all webhooks of the scope's site have followed the history.
	Looked(ctx context.Context, version int64) error
	// Claim reserves messages of the scope's site that are due for this node for a while: at most well for receivers that
	// respond well, and at most others for other receivers. Once a day it removes old deliveries.
	Claim(ctx context.Context, well, others int, now time.Time) ([]*Attempt, error)
	// Finish stores the result of an attempt.
	Finish(ctx context.Context, a *Attempt, r *Result) error
	// SwitchOff switches a webhook off for a reason. It does nothing if the webhook is off already.
	SwitchOff(ctx context.Context, id int64, why Reason, now time.Time) error
	// Tell returns webhooks of the scope's site that were switched off and whose administrators must be notified.
	// It returns them again later unless Told is called.
	Tell(ctx context.Context, now time.Time) ([]*Webhook, error)
	// Told records that the administrators were notified.
	Told(ctx context.Context, id int64) error
}

// Named is news with the name of its message.
type Named struct {
	News

	Name string
}

// Courier sends messages.
type Courier interface {
	// Send sends a body with headers to an address, and returns the response. It never takes much longer than Patience.
	Send(ctx context.Context, address string, headers map[string]string, body []byte) Answer
}

// Answer is the response of a receiver.
type Answer struct {
	Status  int // 0: nothing
	Body    string
	Wait    time.Duration // pause that the receiver asks for; 0: none
	Problem string
}

// Patience is how long a receiver has to respond.
const Patience = 15 * time.Second

// Actors knows the present rights of the users who created webhooks.
type Actors interface {
	// Acting returns the user with an ID, with their present role and, unless key is 0, with the key with this ID.
	// It returns tenancy.ErrCredentials if the user or the key no longer exists.
	Acting(ctx context.Context, user, key int64) (tenancy.Principal, error)
}

// Letters tells people what happened to their webhooks.
type Letters interface {
	// SwitchedOff writes to the administrators of the scope's site.
	SwitchedOff(ctx context.Context, w *Webhook) error
}

// Gauge measures the messages sent. A nil Gauge is not called.
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
	Letters Letters // nil: no letters are sent
	Gauge   Gauge   // nil: nothing is counted
	// Object returns an object as the API shows it to the scope's principal, or nil if they cannot see it.
	Object func(ctx context.Context, kind string, id int64) ([]byte, error)
	// Scope sets the beginning of the addresses in messages, given the webhook's home.
	Scope  func(scope *tenancy.Scope, home string)
	Clock  func() time.Time
	Logger *slog.Logger
}

// How many attempts a node makes at a time: for receivers that respond well, and for others, so that these do not delay the
// former.
const (
	wellLanes  = 64
	otherLanes = 16
	ofSite     = 8 // at a time, of one site
	atStore    = 2 // sites whose webhooks may query the database simultaneously
)

// Sender follows the history of sites and sends messages, on each node.
type Sender struct {
	SenderOptions

	store chan struct{} // places for work with the database
	woken chan struct{}

	mu     sync.Mutex
	lanes  [2]int         // free lanes: of receivers that answer well, and of others
	busy   map[int64]bool // sites being worked on; true: work on the site again afterwards
	hooked map[int64]bool // sites that have webhooks
	wanted map[int64]bool // sites with work to do
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
	return &Sender{
		SenderOptions: o,
		store:         make(chan struct{}, atStore),
		woken:         make(chan struct{}, 1),
		lanes:         [2]int{wellLanes, otherLanes},
		busy:          map[int64]bool{},
		hooked:        map[int64]bool{},
		wanted:        map[int64]bool{},
	}
}

// Raised is called for each new version of a site that this node wrote. It costs next to nothing for a site without webhooks.
// It does nothing on a nil Sender.
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

// Wake makes the sender attend to a site without delay. It does not block.
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
	look    = time.Second      // between two checks for sites with work to do
	refresh = 10 * time.Second // between two questions for sites with webhooks
	mostDue = 100
)

// storeTimeout is how long the database may take for the work on a site. Its connection may be dead without notice.
const storeTimeout = 30 * time.Second

// Run sends messages until the context ends, and then waits for attempts under way.
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

// Round attends to the sites whose webhooks have work to do.
func (s *Sender) Round(ctx context.Context) {
	asking, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	sites, err := s.Rounds.Due(asking, s.Clock(), mostDue)
	if err != nil && ctx.Err() == nil {
		s.Logger.Warn("look for messages of webhooks", "error", err)
	}
	s.start(ctx, sites)
}

// refresh reads which sites have webhooks.
func (s *Sender) refresh(ctx context.Context) {
	asking, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	sites, err := s.Rounds.Sites(asking)
	if err != nil {
		return // the known ones stay
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

// start attends to sites, to each only once at a time.
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

// attend attends to a site until it has no more work for now.
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

// see follows the history of a site, and starts the attempts that are due.
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
	err = errors.Join(s.follow(inside), s.claim(inside, ctx)) // what waits is sent even if a webhook cannot follow
	list, failed := s.Rounds.Tell(inside, s.Clock())
	for _, w := range list { // the mail server may answer slowly, and no message waits for it
		writing := tenancy.With(tenancy.AsProvider(ctx, tenancy.Provider{Scheduled: true}), *tenancy.Current(inside))
		s.flying.Go(func() { s.tell(writing, w) })
	}
	return errors.Join(err, tenancy.Wrap("look for webhooks that are switched off", failed))
}

// tell tells administrators that a webhook was switched off.
func (s *Sender) tell(ctx context.Context, w *Webhook) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	var err error
	if s.Letters != nil {
		err = s.Letters.SwitchedOff(ctx, w)
	}
	if err == nil {
		err = s.Rounds.Told(ctx, w.ID)
	}
	if err != nil {
		s.Logger.WarnContext(ctx, "tell of a webhook that is switched off", "error", err)
	}
}
