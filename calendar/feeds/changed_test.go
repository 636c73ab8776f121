package feeds

import (
	"context"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// A feed of upcoming events changes at midnight in the site's time zone. There is no Last-Modified if time alone can
// change a feed at any moment, or if the context was not prepared before reading.
func TestChanged(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) time.Time {
		moment, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{Location: berlin}})
	dated := func(text string) context.Context { return context.WithValue(ctx, datedKey{}, at(text)) }
	now := at("2030-10-27T10:00:00Z") // a day of 25 hours
	midnight := calendar.Midnight(now, berlin)
	for what, c := range map[string]struct {
		ctx   context.Context
		until time.Time
		want  string
	}{
		"whatever the day":    {dated("2030-10-20T10:00:00.9Z"), time.Time{}, "Sun, 20 Oct 2030 10:00:02 GMT"},
		"before today":        {dated("2030-10-26T10:00:00Z"), midnight, "Sat, 26 Oct 2030 22:00:02 GMT"},
		"today":               {dated("2030-10-27T09:00:00Z"), midnight, "Sun, 27 Oct 2030 09:00:02 GMT"},
		"every moment":        {dated("2030-10-26T10:00:00Z"), now, ""},
		"of what isn't known": {ctx, midnight, ""},
	} {
		if got := Told(changed(c.ctx, c.until, now)); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	if !Early("Sun, 27 Oct 2030 10:00:01 GMT", now) || Early("Sun, 27 Oct 2030 10:00:00 GMT", now) || Early("soon", now) {
		t.Error("Early is wrong about a moment in the future, now or an invalid one")
	}
}
