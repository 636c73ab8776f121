package calendar

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Draft returns the event as Create would make it, or as Update of the key, and
// stores nothing: without the links and the picture, which take a transaction.
// With *args.Problems, all there are, it returns the event as far as it came.
func (s Events) Draft(ctx context.Context, key Key, f *EventFields) (*Event, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return nil, err
	}
	fields := *f
	fields.Image, fields.Password = args.Opt[args.Image]{}, args.Opt[string]{} // a derived key takes its time
	w := &eventWrite{EventFields: &fields, scope: scope, now: s.Now()}
	if key == (Key{}) {
		e := &Event{}
		return e, w.apply(ctx, e, true)
	}
	e, err := s.store.Events().Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("draft event: %w", err)
	}
	if err := editable(scope.Principal, &e.Post, nil); err != nil {
		return nil, err
	}
	return e, w.apply(ctx, e, false)
}
