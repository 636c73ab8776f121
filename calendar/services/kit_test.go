package services

import (
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
)

func editorOf(t *testing.T) *tenancy.Scope { return scopeOf(t, 7, tenancy.Editor) }

func scopeOf(t *testing.T, user int64, role tenancy.Role) *tenancy.Scope {
	t.Helper()
	site := &tenancy.Site{Language: "en"}
	site.SetTimezone("Europe/Berlin")
	site.Settings.PerPage = 15
	return &tenancy.Scope{Site: site, Principal: tenancy.Principal{UserID: user, Role: role}, Language: "en"}
}

// noon is the moment at which the tests take place.
var noon = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

func at(text string) time.Time {
	t, err := time.Parse(time.DateTime, text)
	if err != nil {
		panic(err)
	}
	return t
}

// seriesOf returns a series by its first start and end and its rule, or dates.
func seriesOf(t *testing.T, zone, start, end, rule string, dates ...string) *calendar.Event {
	t.Helper()
	e := &calendar.Event{Post: calendar.Post{ID: 5, Status: calendar.Publish, Slug: "choir"}, Title: "Choir", Timezone: zone, Start: at(start), End: at(end), Recurrence: &recur.Set{}}
	if rule != "" {
		parsed, problems := recur.ParseRule(rule, e.Clock())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		e.Recurrence.Rules = append(e.Recurrence.Rules, parsed)
	}
	for _, date := range dates {
		e.Recurrence.Dates = append(e.Recurrence.Dates, at(date))
	}
	return e
}
