package admin

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/forms/offers"
)

// firstSteps are the steps shown on a site without events.
type firstSteps struct {
	shown      bool
	categories bool // the site has no categories yet
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
