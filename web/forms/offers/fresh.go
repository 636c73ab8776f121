package offers

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/tenancy"
)

// Fresh reports whether the site has no events and the principal may write events.
func Fresh(ctx context.Context, c *services.Calendar) (bool, error) {
	scope := tenancy.Current(ctx)
	if scope.Site.Usage.Events > 0 || !scope.Principal.May(tenancy.EditOwn) {
		return false, nil
	}
	// The remembered site may be older than its first event.
	counts, err := c.Events().Counts(ctx, &calendar.EventFilter{})
	for _, n := range counts {
		if n > 0 {
			return false, nil
		}
	}
	return err == nil, err
}
