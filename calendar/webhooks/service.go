package webhooks

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Store keeps the webhooks of the scope's site.
type Store interface {
	// List returns all webhooks, the oldest first, with the number of waiting messages and their last deliveries. It also
	// returns the version of the site.
	List(ctx context.Context) (list []*Webhook, version int64, err error)
	// Get returns a webhook, or ErrNoWebhook.
	Get(ctx context.Context, id int64) (*Webhook, error)
	// Create stores a new webhook, which follows the history from now on. It returns *tenancy.LimitError if the site already
	// has most webhooks.
	Create(ctx context.Context, w *Webhook, most int64) error
	// Update changes a webhook. If change returns an error, Update returns it and stores nothing.
	Update(ctx context.Context, id int64, change func(*Webhook) error) (*Webhook, error)
	// Delete removes a webhook with its waiting messages. It returns ErrNoWebhook, or the error of cond about its version.
	Delete(ctx context.Context, id int64, cond calendar.Condition) (*Webhook, error)
	// Deliveries returns one page of the tries of a webhook, the newest first.
	Deliveries(ctx context.Context, id int64, page, perPage int) (tenancy.Page[Delivery], error)
	// Again queues the message of a delivery for sending without delay, or the message that waits for the same object. It
	// returns ErrNoDelivery.
	Again(ctx context.Context, id, delivery int64) error
	// Try queues a test message with a name.
	Try(ctx context.Context, id int64, message string) error
}

// Door says which addresses may be connected to.
type Door interface {
	// Check returns an error for an address to which nothing may be sent.
	Check(u *url.URL) error
}

// Options are what the service needs.
type Options struct {
	Store     Store
	Changes   changes.Store
	Box       Box
	Door      Door // nil: every address may be connected to
	Languages []string
	Home      func(*tenancy.Scope) string // scheme and host of addresses in messages
	Clock     func() time.Time
	Wake      func(site int64) // says that a site has work to do; it does not block
}

// Service is the service over webhooks. Only administrators of a site have access; others get tenancy.ErrUnauthenticated or
// tenancy.ErrForbidden.
type Service struct {
	store     Store
	changes   changes.Store
	box       Box
	door      Door
	languages []string
	home      func(*tenancy.Scope) string
	Now       func() time.Time
	wake      func(site int64)
}

// New returns the service.
func New(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Wake == nil {
		o.Wake = func(int64) {}
	}
	return &Service{o.Store, o.Changes, o.Box, o.Door, o.Languages, o.Home, o.Clock, o.Wake}
}

// managing returns the scope of a principal who may manage webhooks.
func managing(ctx context.Context) (*tenancy.Scope, error) {
	return tenancy.Permitted(ctx, tenancy.WriteWebhooks, tenancy.ManageSite)
}

// looking returns the scope of a principal who may see webhooks.
func looking(ctx context.Context) (*tenancy.Scope, error) {
	return tenancy.PermittedToRead(ctx, tenancy.WriteWebhooks, tenancy.ManageSite)
}

// open reports whether a principal may see and change a webhook. A key with fewer rights than its owner has access only to
// webhooks that were created with it, because the log of others has data that the key must not see.
func (w *Webhook) open(p tenancy.Principal) bool {
	return p.Limits == nil || w.Credential == p.Credential
}

// List returns all webhooks of the site, the oldest first, and the site's version.
func (s *Service) List(ctx context.Context) ([]*Webhook, int64, error) {
	scope, err := looking(ctx)
	if err != nil {
		return nil, 0, err
	}
	list, version, err := s.store.List(ctx)
	list = slices.DeleteFunc(list, func(w *Webhook) bool { return !w.open(scope.Principal) })
	return list, version, tenancy.Wrap("list webhooks", err)
}

// Get returns a webhook, or ErrNoWebhook.
func (s *Service) Get(ctx context.Context, id int64) (*Webhook, error) {
	scope, err := looking(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.store.Get(ctx, id)
	if err == nil && !w.open(scope.Principal) {
		w, err = nil, ErrNoWebhook
	}
	return w, tenancy.Wrap("get webhook", err)
}

// Editable is Get for principals who may change the webhook.
func (s *Service) Editable(ctx context.Context, id int64) (*Webhook, error) {
	if _, err := managing(ctx); err != nil {
		return nil, err
	}
	return s.Get(ctx, id)
}

// Create creates a webhook. It returns the webhook and its secret, which cannot be shown again. The webhook sees no more than
// its creator, and is switched off when they lose their rights.
func (s *Service) Create(ctx context.Context, f *Fields) (w *Webhook, secret string, err error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, "", err
	}
	who := scope.Principal
	if who.UserID == 0 { // there is no user whose rights the webhook could have
		return nil, "", tenancy.ErrForbidden
	}
	w = &Webhook{Payload: Thin, Active: f.Active.Or(true), User: who.UserID, Credential: who.Credential, Home: s.home(scope)}
	if !w.Active {
		w.OffAt = s.Now()
	}
	if err := s.apply(ctx, w, f); err != nil {
		return nil, "", tenancy.Wrap("create webhook", err)
	}
	if err := s.begin(ctx, w); err != nil {
		return nil, "", tenancy.Wrap("create webhook", err)
	}
	made, secret := s.newSecret(scope.Site.ID, f.Ed25519.Or(false))
	w.Secrets = []Secret{made}
	if err := s.store.Create(ctx, w, limit(scope.Site)); err != nil {
		return nil, "", tenancy.Wrap("create webhook", err)
	}
	s.wake(scope.Site.ID)
	return w, secret, nil
}

// begin starts the log of a filter's events, so that it is known later which events leave the filter. It returns
// *args.Problems for a filter that names something that does not exist.
func (s *Service) begin(ctx context.Context, w *Webhook) error {
	selection, err := w.Filter.Selection(ctx, s.Now())
	if err != nil || selection == nil {
		return err
	}
	return args.Within("filter", s.changes.Look(ctx, selection, true))
}

// Update changes a webhook. A webhook that is switched on again continues where it stopped, unless that is too long ago.
func (s *Service) Update(ctx context.Context, id int64, f *Fields, cond calendar.Condition) (*Webhook, error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, err
	}
	wanted := &Webhook{Payload: Thin}
	if err := s.apply(ctx, wanted, f); err != nil { // before the site is held
		return nil, tenancy.Wrap("update webhook", err)
	}
	if f.Filter.Given() {
		if err := s.begin(ctx, wanted); err != nil {
			return nil, tenancy.Wrap("update webhook", err)
		}
	}
	w, err := s.store.Update(ctx, id, func(w *Webhook) error {
		if !w.open(scope.Principal) {
			return ErrNoWebhook
		}
		if err := cond.Check(w.Version); err != nil {
			return err
		}
		if err := s.apply(ctx, w, f); err != nil {
			return err
		}
		if on, given := f.Ed25519.Get(); given {
			s.signPublicly(w, scope.Site.ID, on)
		}
		if on, given := f.Active.Get(); given {
			w.turn(on, s.Now())
		}
		return nil
	})
	if err != nil {
		return nil, tenancy.Wrap("update webhook", err)
	}
	s.wake(scope.Site.ID)
	return w, nil
}

// signPublicly turns signing with ed25519, in addition to the current secret, on or off.
func (s *Service) signPublicly(w *Webhook, site int64, on bool) {
	current := &w.Secrets[0]
	switch {
	case !on:
		current.Seed, current.Pub = nil, nil
	case len(current.Seed) == 0:
		s.addSeed(current, site)
	}
}

// kept is how long after it was switched off a webhook can still catch up with the history.
const kept = 30 * 24 * time.Hour

// turn switches a webhook on or off.
func (w *Webhook) turn(on bool, now time.Time) {
	switch {
	case on == w.Active:
		return
	case on:
		w.Active, w.Off = true, OnPurpose
		if now.Sub(w.OffAt) > kept {
			w.Seen = Mark{} // it begins anew
		}
		w.OffAt = time.Time{}
	default:
		w.Active, w.OffAt = false, now
	}
}

// Delete removes a webhook, or returns ErrNoWebhook.
func (s *Service) Delete(ctx context.Context, id int64, cond calendar.Condition) (*Webhook, error) {
	if _, err := managing(ctx); err != nil {
		return nil, err
	}
	if _, err := s.Get(ctx, id); err != nil {
		return nil, err
	}
	w, err := s.store.Delete(ctx, id, cond)
	return w, tenancy.Wrap("delete webhook", err)
}

// Renew gives a webhook a new secret and returns it. For one day, messages are signed with the former secret as
// well.
func (s *Service) Renew(ctx context.Context, id int64) (w *Webhook, secret string, err error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, "", err
	}
	w, err = s.store.Update(ctx, id, func(w *Webhook) error {
		if !w.open(scope.Principal) {
			return ErrNoWebhook
		}
		made, shown := s.newSecret(scope.Site.ID, w.Public() != "")
		w.renew(made, s.Now())
		secret = shown
		return nil
	})
	if err != nil {
		return nil, "", tenancy.Wrap("renew the secret of a webhook", err)
	}
	return w, secret, nil
}

// Deliveries returns one page of the deliveries of the last 30 days, the newest first, or ErrNoWebhook.
func (s *Service) Deliveries(ctx context.Context, id int64, f *args.Paging) (tenancy.Page[Delivery], error) {
	if _, err := s.Get(ctx, id); err != nil {
		return tenancy.Page[Delivery]{}, err
	}
	list, err := s.store.Deliveries(ctx, id, f.Number(), f.Length())
	return list, tenancy.Wrap("list deliveries", err)
}

// Redeliver sends the message of a delivery again, with the same name. If a message about a later change of the object waits,
// it sends that instead.
func (s *Service) Redeliver(ctx context.Context, id, delivery int64) (*Webhook, error) {
	return s.at(ctx, id, func() error { return s.store.Again(ctx, id, delivery) })
}

// Test sends a test message, even if the webhook is not active.
func (s *Service) Test(ctx context.Context, id int64) (*Webhook, error) {
	return s.at(ctx, id, func() error { return s.store.Try(ctx, id, newName()) })
}

// at queues a message of a webhook by calling do.
func (s *Service) at(ctx context.Context, id int64, do func() error) (*Webhook, error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.Get(ctx, id)
	if err == nil {
		err = do()
	}
	if err != nil {
		return nil, tenancy.Wrap("send a message of a webhook", err)
	}
	s.wake(scope.Site.ID)
	return w, nil
}
