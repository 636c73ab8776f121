package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// Repeating enables keeping answers to requests that may come again and returns the interface.
func (p *Platform) Repeating(store tenancy.AnswerStore, clock func() time.Time) *Platform {
	if store != nil {
		p.repeats = &repeats{store: store, clock: clock, again: p.again}
	}
	return p
}

// again returns a response with the present state of the object that a request of the provider has written, or only
// with its id if the object no longer exists. It returns *SecretShownError for an application password whose
// response was lost.
func (p *Platform) again(ctx context.Context, r *Route, request *Call, kept *tenancy.KeptAnswer) (*Answer, error) {
	slug := request.Key.Slug
	if slug == "" {
		slug = fmt.Sprint(cmp.Or[any](request.Values["slug"], ""))
	}
	var answer *Answer
	var err error
	switch {
	case r.Name == "platform.users.create":
		return nil, &SecretShownError{ID: kept.Object}
	case r.Resource == "site":
		answer, err = p.getSite(ctx, Call{Key: calendar.Key{Slug: slug}}, nil)
	case r.Resource == "user":
		answer, err = p.getUser(ctx, Call{Key: calendar.Key{Slug: slug, ID: kept.Object}}, nil)
	case r.Resource == "plan":
		answer, err = p.getPlan(ctx, Call{Key: calendar.Key{Slug: slug}}, nil)
	case kept.Kind == "job":
		answer, err = p.getJob(ctx, Call{Key: calendar.Key{ID: kept.Object}}, nil)
	default:
		return onlyID(ctx, kept.Object), nil
	}
	for _, gone := range []error{tenancy.ErrNoSite, accounts.ErrNoUser, platform.ErrNoPlan, jobs.ErrNoJob} {
		if errors.Is(err, gone) {
			return onlyID(ctx, kept.Object), nil
		}
	}
	return answer, err
}
