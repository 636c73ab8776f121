package history

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/tenancy"
)

// LastSaved returns a function that finds the author of the stored version of an item.
func LastSaved(ctx context.Context, e *editing.Service, kind string, post *calendar.Post) func() (tenancy.Entry, error) {
	return func() (by tenancy.Entry, err error) {
		past, err := e.Revisions(ctx, kind, post.ID)
		for i := range past.Events {
			if past.Events[i].Position.Version == post.Version {
				by = past.Events[i]
			}
		}
		return by, err
	}
}
