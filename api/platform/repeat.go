package platform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// Repeating enables keeping answers to requests that may come again and returns the interface.
func (p *API) Repeating(store tenancy.AnswerStore, clock func() time.Time) *API {
	p.repeats = api.NewRepeats(store, clock, p.again)
	return p
}

// again returns a response with the present state of the object that a request of the provider has written, or only
// with its id if the object no longer exists. It returns *SecretShownError for an application password whose
// response was lost.
func (p *API) again(ctx context.Context, r *api.Route, request *api.Call, kept *tenancy.KeptAnswer) (*api.Answer, error) {
	slug := request.Key.Slug
	if slug == "" {
		slug = fmt.Sprint(cmp.Or[any](request.Values["slug"], ""))
	}
	var answer *api.Answer
	var err error
	switch {
	case r.Name == "platform.users.create":
		return nil, &api.SecretShownError{ID: kept.Object}
	case r.Resource == "site":
		answer, err = p.getSite(ctx, api.Call{Key: calendar.Key{Slug: slug}}, nil)
	case r.Resource == "user":
		answer, err = p.getUser(ctx, api.Call{Key: calendar.Key{Slug: slug, ID: kept.Object}}, nil)
	case r.Resource == "plan":
		answer, err = p.getPlan(ctx, api.Call{Key: calendar.Key{Slug: slug}}, nil)
	case kept.Kind == "job":
		answer, err = p.getJob(ctx, api.Call{Key: calendar.Key{ID: kept.Object}}, nil)
	default:
		return api.OnlyID(ctx, kept.Object), nil
	}
	for _, gone := range []error{tenancy.ErrNoSite, accounts.ErrNoUser, platform.ErrNoPlan, jobs.ErrNoJob} {
		if errors.Is(err, gone) {
			return api.OnlyID(ctx, kept.Object), nil
		}
	}
	return answer, err
}
