package admin

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// firstSteps are what is offered on a site that nobody has written an event of.
type firstSteps struct {
	shown      bool
	categories bool // there are none yet
}

// firstSteps finds out which of the first steps are left.
func (w *Pages) firstSteps(ctx context.Context) (s firstSteps, err error) {
	if !frame.Fresh(ctx) {
		return s, nil
	}
	all, err := offers.Terms(ctx, w.calendar, calendar.Categories)
	return firstSteps{shown: true, categories: len(all) == 0}, err
}

// addStarters makes the categories to begin with, but those that there are already.
func (w *Pages) addStarters(v *frame.Visit) (*frame.Reply, error) {
	all, err := offers.Terms(v.Ctx, w.calendar, calendar.Categories)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, t := range all {
		there[wording.Fold(t.Name)] = true
	}
	for _, name := range frame.Starters(v.Ctx) {
		if there[wording.Fold(name)] {
			continue
		}
		if _, err := w.calendar.Terms(calendar.Categories).Create(v.Ctx, &calendar.CategoryFields{TagFields: calendar.TagFields{Name: args.Some(name)}}); err != nil {
			return nil, err
		}
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/categories", Say: "saved"}, nil
}
