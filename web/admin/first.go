package admin

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/forms/frame"
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

// addStarters adds the starter categories that do not exist yet.
func (w *Pages) addStarters(v *frame.Visit) (*frame.Reply, error) {
	version, err := w.calendar.Terms(calendar.Categories).CreateMissing(v.Ctx, frame.Starters(v.Ctx))
	if err != nil {
		return nil, err
	}
	r := &frame.Reply{Redirect: frame.AdminRoot + "/categories", Say: "saved"}
	frame.OfferUndo(v, r, version)
	return r, nil
}
