package webhooks

import (
	"context"
	"crypto/rand"
	"errors"
	"math"

	"github.com/kalends/kalends/tenancy"
)

// atOnce is how many objects, of one version or several, a webhook follows in one step.
const atOnce = 500

// follow brings all webhooks of the scope's site up to date.
func (s *Sender) follow(ctx context.Context) error {
	list, err := s.Rounds.Active(ctx)
	if err != nil {
		return tenancy.Wrap("list webhooks", err)
	}
	looked := int64(math.MaxInt64)
	var failed error
	for _, w := range list {
		version, err := s.catchUp(ctx, w)
		if errors.Is(err, errOff) {
			continue
		}
		if err != nil { // the others follow all the same
			failed, version = tenancy.Wrap("follow the history", err), w.Seen.Version
		}
		looked = min(looked, version)
	}
	if failed == nil && looked < math.MaxInt64 {
		failed = s.Rounds.Looked(ctx, looked)
	}
	return failed
}

// errOff says that a webhook was switched off.
var errOff = errors.New("the webhook was switched off")

// acting returns a context that acts as the user who created a webhook. If they are no longer an administrator, it switches
// the webhook off and returns errOff.
func (s *Sender) acting(ctx context.Context, w *Webhook) (context.Context, error) {
	who, err := s.Actors.Acting(ctx, w.User, w.Credential)
	if err != nil && !errors.Is(err, tenancy.ErrCredentials) {
		return nil, err
	}
	if err != nil || who.RequireFor(tenancy.WriteWebhooks, tenancy.ManageSite) != nil {
		return nil, errors.Join(errOff, s.Rounds.SwitchOff(ctx, w.ID, Owner, s.Clock()))
	}
	scope := *tenancy.Current(ctx)
	scope.Principal = who
	return tenancy.With(ctx, scope), nil
}

// catchUp queues the news of a webhook, and returns the version up to which it has followed the history.
func (s *Sender) catchUp(ctx context.Context, w *Webhook) (int64, error) {
	acting, err := s.acting(ctx, w)
	if err != nil {
		return 0, err
	}
	who := tenancy.Current(acting).Principal
	selection, err := w.Filter.Selection(acting, s.Clock())
	if err == nil && selection != nil {
		err = s.Changes.Look(acting, selection, true)
	}
	if err != nil {
		return 0, err
	}
	for {
		steps, to, more, err := s.Rounds.Steps(ctx, w, w.kinds(who), selection, atOnce)
		if err != nil {
			return 0, err
		}
		var all []News
		for i := range steps {
			all = append(all, w.news(&steps[i], who)...)
		}
		var named []Named
		for _, n := range fold(all) {
			named = append(named, Named{n, newName()})
		}
		if to != w.Seen {
			if err := s.Rounds.Put(ctx, w, to, named, s.Clock()); err != nil {
				return 0, err
			}
			w.Seen = to
		}
		if !more {
			return to.Version, nil
		}
	}
}

// newName returns the name of a new message.
func newName() string { return "msg_" + rand.Text() }
