package submissions

import (
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

func TestSimilarTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Spring concert", "Spring Concert!", true},
		{"Fête de la musique", "Fete de la Musique 2027", true},
		{"Spring concert of the choir", "Concert of the choir", true},
		{"Great spring concert", "Spring concert tonight", true},
		{"Spring concert", "Autumn concert", false},
		{"Jazz night", "Poetry night", false},
		{"Jazz", "Jazz at the harbour", true},
		{"!!!", "???", false},
		{"", "Jazz", false},
		{"春のコンサート", "春のコンサート", true},
		{"春のコンサート", "秋のコンサート", false},
		{"संगीत संध्या", "संगीत संध्या 2027", true}, // an evening of music
		{"संगीत संध्या", "सत्य योग", false},         // yoga, written with the same consonants
		{"ดนตรีในสวน", "ตลาดนัด", false},            // music in the park, a market
	} {
		if got, back := similarTitles(c.a, c.b), similarTitles(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q and %q: %t, %t", c.a, c.b, got, back)
		}
	}
}

// What may be the same has a similar title, or is at the same venue at the same time.
func TestSimilarEvents(t *testing.T) {
	t.Parallel()
	start := time.Date(2027, 6, 1, 17, 0, 0, 0, time.UTC)
	event := func(title string, from, to time.Duration, venue string) *calendar.Event {
		return &calendar.Event{Post: calendar.Post{ID: 2, Status: calendar.Publish}, Title: title, StartUTC: start.Add(from), EndUTC: start.Add(to), Venues: []calendar.Venue{{Name: venue}}}
	}
	e := event("Choir", 0, 2*time.Hour, "Hall")
	e.ID = 1
	there := func(v *calendar.Venue) bool { return wording.Fold(v.Name) == "hall" }
	trashed, itself, masked := event("Choir", 0, time.Hour, "Hall"), event("Choir", 0, time.Hour, "Hall"), event("Secret", 0, time.Hour, "Hall")
	trashed.Status, itself.ID, masked.Masked = calendar.Trash, 1, true
	named := event("Choir", 0, time.Hour, "Hall")
	named.Masked = true
	for name, c := range map[string]struct {
		other *calendar.Event
		want  bool
	}{
		"the title at another time":    {event("The choir", 5*time.Hour, 6*time.Hour, "Park"), true},
		"the venue at the same time":   {event("Band", time.Hour, 3*time.Hour, "HALL"), true},
		"the venue right afterwards":   {event("Band", 2*time.Hour, 3*time.Hour, "Hall"), false},
		"the venue right before":       {event("Band", -time.Hour, 0, "Hall"), false},
		"another venue":                {event("Band", 0, time.Hour, "Park"), false},
		"a moment at the same start":   {event("Band", 0, 0, "Hall"), true},
		"what is in the trash":         {trashed, false},
		"itself":                       {itself, false},
		"a venue behind a password":    {masked, false}, // rule 5.7
		"a title that everybody sees":  {named, true},
		"it takes place all the while": {event("Band", -time.Hour, 9*time.Hour, "Hall"), true},
	} {
		if got := similar(e, []*calendar.Event{c.other}, there); (len(got) == 1) != c.want {
			t.Errorf("%s: similar %t", name, !c.want)
		}
	}
}

// Whatever takes place on the days of an event is looked at, and nothing else.
func TestDaysOfEvent(t *testing.T) {
	t.Parallel()
	place, err := args.LocationOf("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	f := during(time.Date(2027, 3, 28, 19, 0, 0, 0, time.UTC), time.Date(2027, 3, 29, 1, 0, 0, 0, time.UTC), place)
	before, _ := f.StartsBefore.Get()
	after, _ := f.EndsAfter.Get()
	got := []string{after.In(time.UTC, noon).Format(time.DateTime), before.In(time.UTC, noon).Format(time.DateTime)}
	if !slices.Equal(got, []string{"2027-03-27 22:59:59", "2027-03-29 22:00:00"}) || !bool(f.StrictDates.Or(false)) {
		t.Errorf("ends after, starts before: %v", got)
	}
}

// What a submission is follows from its event; only whether its sender withdrew it is remembered.
func TestStatusOfSubmission(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		noted Status
		event calendar.Status
		want  Status
	}{
		{"", calendar.Pending, Waiting},
		{Approved, calendar.Pending, Waiting}, // taken back
		{Withdrawn, calendar.Pending, Waiting},
		{"", calendar.Draft, Accepted},
		{Approved, calendar.Draft, Accepted},
		{"", calendar.Publish, Approved},
		{"", calendar.Future, Approved},
		{Withdrawn, calendar.Publish, Approved},
		{"", calendar.Trash, Refused},
		{Approved, calendar.Trash, Refused},
		{Withdrawn, calendar.Trash, Withdrawn},
	} {
		if got := statusOf(c.noted, &calendar.Event{Post: calendar.Post{Status: c.event}}); got != c.want {
			t.Errorf("%q, the event is %s: %s", c.noted, c.event, got)
		}
	}
	for event, want := range map[calendar.Status]Status{calendar.Draft: Returned, calendar.Pending: Waiting, calendar.Trash: Refused, calendar.Private: Accepted} {
		if got := statusOf("", &calendar.Event{Post: calendar.Post{Status: event}, ReviewNote: "Why?"}); got != want {
			t.Errorf("with a note, the event is %s: %s", event, got)
		}
	}
	row := &Stored{Event: 4, Sent: &Sent{Title: "Choir"}, Settle: Refused, Settled: noon, By: 7, Message: "No"}
	if s := row.with(&calendar.Event{Post: calendar.Post{Status: calendar.Pending}}); !s.Settled.IsZero() || s.By != 0 || s.Message != "" || s.Title != "Choir" {
		t.Errorf("one that waits again tells of a decision: %+v", s)
	}
	if s := row.with(&calendar.Event{Post: calendar.Post{Status: calendar.Trash}}); !s.Settled.Equal(noon) || s.By != 7 || s.Message != "No" {
		t.Errorf("a decision isn't told: %+v", s)
	}
}
