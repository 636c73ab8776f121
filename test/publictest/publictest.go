// Package publictest has a public site and its events, for tests of the packages of web/public.
package publictest

import (
	"context"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// InLanguage returns a context of a public site in Berlin, read in a language.
func InLanguage(t *testing.T, language string) context.Context {
	t.Helper()
	site := &tenancy.Site{Name: "Demo", Language: "en", Settings: tenancy.DefaultSettings()}
	site.SetTimezone("Europe/Berlin")
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: language, Base: tenancy.Base{Origin: "https://demo.example.org"}})
}

// ClockAt returns a time such as "2026-11-30 19:30", in UTC. It panics on any other text.
func ClockAt(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

// WeeksFrom returns the dates of a site whose weeks begin on a day: 1 for Monday to 7 for Sunday.
func WeeksFrom(start int) ui.Dates {
	site := &tenancy.Site{}
	site.Settings.WeekStart = start
	return ui.DatesOf("en", site)
}

// Event returns an event in UTC, with its start and end as ClockAt reads them.
func Event(start, end string, allDay bool) *calendar.Event {
	e := &calendar.Event{Start: ClockAt(start), End: ClockAt(end), AllDay: allDay, Timezone: "UTC"}
	e.StartUTC, e.EndUTC = e.Start, e.End
	return e
}
