package services

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Draft returns the event that Create, or Update of the key, would produce, without storing anything. It leaves out
// links and the image, because they need a transaction. If there are problems, it returns all of them, together
// with the event as far as it could be built.
func (s Events) Draft(ctx context.Context, key calendar.Key, f *calendar.EventFields) (*calendar.Event, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteEvents, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	fields := *f
	fields.Image, fields.Password = args.Opt[args.Image]{}, args.Opt[string]{} // deriving a key takes time
	w := &EventWrite{EventFields: &fields, scope: scope, now: s.Now()}
	if key == (calendar.Key{}) {
		e := &calendar.Event{}
		return e, w.Apply(ctx, e, true)
	}
	e, err := s.store.Events().Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("draft event: %w", err)
	}
	if err := calendar.Editable(scope.Principal, &e.Post, nil); err != nil {
		return nil, err
	}
	return e, w.Apply(ctx, e, false)
}
