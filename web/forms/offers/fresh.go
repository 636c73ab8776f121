package offers

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Fresh reports whether nobody has written an event of the site, and the principal may.
func Fresh(ctx context.Context, c *calendar.Calendar) (bool, error) {
	scope := tenancy.Current(ctx)
	if scope.Site.Usage.Events > 0 || !scope.Principal.May(tenancy.EditOwn) {
		return false, nil
	}
	// The site may be remembered from before its first event.
	counts, err := c.Events().Counts(ctx, &calendar.EventFilter{})
	for _, n := range counts {
		if n > 0 {
			return false, nil
		}
	}
	return err == nil, err
}
