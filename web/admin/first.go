package admin

import (
	"context"
	"errors"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// firstSteps are the steps shown on a site without events.
type firstSteps struct {
	shown      bool
	categories bool // there are none yet
}

// firstSteps returns the steps that are still to be done.
func (w *Pages) firstSteps(ctx context.Context) (s firstSteps, err error) {
	if s.shown, err = offers.Fresh(ctx, w.calendar); err != nil || !s.shown {
		return s, err
	}
	all, err := offers.Terms(ctx, w.calendar, calendar.Categories)
	s.categories = len(all) == 0
	return s, err
}

// addStarters adds the starter categories that do not exist yet.
func (w *Pages) addStarters(v *frame.Visit) (*frame.Reply, error) {
	var exists *calendar.ExistsError
	for _, name := range frame.Starters(v.Ctx) {
		f := &calendar.CategoryFields{TagFields: calendar.TagFields{Name: args.Some(name)}}
		if _, err := w.calendar.Terms(calendar.Categories).Create(v.Ctx, f); err != nil && !errors.As(err, &exists) {
			return nil, err
		}
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/categories", Say: "saved"}, nil
}
