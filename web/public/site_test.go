package public

import (
	"context"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// inLanguage is a context of a public site in Berlin.
func inLanguage(t *testing.T, language string) context.Context {
	t.Helper()
	site := &tenancy.Site{Name: "Demo", Language: "en", Settings: tenancy.DefaultSettings()}
	site.SetTimezone("Europe/Berlin")
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: language, Base: tenancy.Base{Origin: "https://demo.example.org"}})
}

func clockAt(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

func event(start, end string, allDay bool) *calendar.Event {
	e := &calendar.Event{Start: clockAt(start), End: clockAt(end), AllDay: allDay, Timezone: "UTC"}
	e.StartUTC, e.EndUTC = e.Start, e.End
	return e
}
