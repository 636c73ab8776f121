package layout

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// Pages reads from a calendar what pages share.
type Pages struct{ calendar *services.Calendar }

// New returns the Pages of a calendar.
func New(c *services.Calendar) *Pages { return &Pages{calendar: c} }

// Today returns the current day at the site.
func (w *Pages) Today(ctx context.Context) time.Time {
	return args.DayOf(ui.WallAt(w.calendar.Now(), ui.SiteOf(ctx).Location))
}

// Midnight returns the end of the current day at the site.
func (w *Pages) Midnight(ctx context.Context) time.Time {
	return calendar.Midnight(w.calendar.Now(), ui.SiteOf(ctx).Location)
}

// Yesterday is the day before today, as an argument.
func (w *Pages) Yesterday(ctx context.Context) args.Opt[args.Date] {
	return args.DayArg(w.Today(ctx).AddDate(0, 0, -1))
}
