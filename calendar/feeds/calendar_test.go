package feeds

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/tenancy"
)

// calendarWith returns the lines of a calendar file with these events, as a visitor in German gets it.
func calendarWith(t *testing.T, about About, events ...services.FeedEvent) []string {
	t.Helper()
	site := &tenancy.Site{ID: 1, UID: "ABC", Slug: "riverton", Name: "Riverton", Language: "en", Location: time.UTC}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: "de", Base: tenancy.Base{Origin: "https://riverton.example", Prefix: "/de"}})
	next := func(context.Context) (some []services.FeedEvent, _ error) {
		some, events = events, nil
		return some, nil
	}
	d := calendarOf(ctx, next, about, 1, time.Time{}, published, false)
	a, err := d.Answer(ctx, "/events.ics", func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.ReplaceAll(strings.ReplaceAll(string(a.Body), "\r\n ", ""), ";LANGUAGE=en", "")
	return strings.Split(whole, "\r\n")
}

// gig is an event of one hour on a Monday.
func gig(with ...func(*calendar.Event)) *calendar.Event {
	start := time.Date(2030, 5, 6, 20, 0, 0, 0, time.UTC)
	e := &calendar.Event{Post: calendar.Post{ID: 7, Status: calendar.Publish, Slug: "gig", Date: published, Modified: modified}, Title: "Gig",
		Timezone: "UTC", Start: start, End: start.Add(time.Hour), StartUTC: start, EndUTC: start.Add(time.Hour)}
	for _, change := range with {
		change(e)
	}
	return e
}

// has fails for lines that are missing, and for lines beginning with the texts that must not be there.
func has(t *testing.T, what string, lines, want, without []string) {
	t.Helper()
	all := "\n" + strings.Join(lines, "\n") + "\n"
	for _, line := range want {
		if !strings.Contains(all, "\n"+line+"\n") {
			t.Errorf("%s: no %q in %s", what, line, all)
		}
	}
	for _, begin := range without {
		if strings.Contains(all, "\n"+begin) {
			t.Errorf("%s: %q in %s", what, begin, all)
		}
	}
}

// A calendar file tells of an event what its page tells the reader, and no more.
func TestCalendarOfAnEvent(t *testing.T) {
	t.Parallel()
	full := func(e *calendar.Event) {
		e.Description, e.Categories = "<p>Bring <b>friends</b>; and, cake</p>", []calendar.Term{{Name: "Rock, Roll", Color: ""}, {Name: "Live", Color: "#ff0000"}}
		e.Tags = []calendar.Term{{Name: "späti"}}
		e.Venues = []calendar.Venue{{Name: "Hall", Address: "1 Street", City: "Bonn", GeoLat: new(50.7), GeoLng: new(7.1)}, {Name: "Second"}}
		e.Organizers = []calendar.Organizer{{Name: "Without address"}, {Name: "Ann", Email: "ann@example.org"}, {Name: "Ben", Email: "ben@example.org"}}
		e.Image = &calendar.Image{Key: "key", File: "a b.png", MIME: "image/png"}
		e.Attendance = calendar.Attendance{Mode: "online", URL: "https://live.example"}
	}
	for what, c := range map[string]struct {
		with          func(*calendar.Event)
		want, without []string
	}{
		"bare": {func(*calendar.Event) {}, []string{"UID:7@abc", "SUMMARY:Gig", "DTSTART:20300506T200000Z", "DTEND:20300506T210000Z",
			"CLASS:PUBLIC", "STATUS:CONFIRMED", "URL:https://riverton.example/de/event/gig/",
			"DESCRIPTION:https://riverton.example/de/event/gig/"}, []string{"X-ALT-DESC", "LOCATION", "GEO", "ORGANIZER",
			"CATEGORIES", "IMAGE", "CONFERENCE", "RRULE", "RECURRENCE-ID", "COMMENT"}},
		"full": {full, []string{`DESCRIPTION:Bring friends\; and\, cake\n\nOnline · https://live.example\nhttps://riverton.example/de/event/gig/`, `LOCATION:Hall\, 1 Street\, Bonn`, "GEO:50.700000;7.100000",
			`CATEGORIES:Rock\, Roll,Live,späti`, "COLOR:red"}, []string{"LOCATION:Second"}},
		"masked":                     {func(e *calendar.Event) { full(e); e.Masked = true }, []string{"SUMMARY:Gig"}, []string{"DESCRIPTION", "LOCATION", "GEO", "ORGANIZER", "CATEGORIES", "IMAGE", "CONFERENCE", "COMMENT", "COLOR"}},
		"cancelled":                  {func(e *calendar.Event) { e.Happening = calendar.Happening{Status: "cancelled", Reason: "Storm"} }, []string{"STATUS:CANCELLED", "COMMENT:Storm"}, nil},
		"postponed":                  {func(e *calendar.Event) { e.Happening.Status = "postponed" }, []string{"STATUS:TENTATIVE"}, nil},
		"moved":                      {func(e *calendar.Event) { e.Happening.Status = "rescheduled" }, []string{"STATUS:CONFIRMED"}, nil},
		"a draft":                    {func(e *calendar.Event) { e.Status = calendar.Draft }, []string{"CLASS:PRIVATE"}, nil},
		"its own UID, kept as it is": {func(e *calendar.Event) { e.UID = "Import@Elsewhere" }, []string{"UID:Import@Elsewhere"}, nil},
		"all day": {func(e *calendar.Event) {
			e.AllDay, e.Start, e.End = true, e.Start.Truncate(24*time.Hour), e.Start.Truncate(24*time.Hour).Add(24*time.Hour-time.Second)
		}, []string{"DTSTART;VALUE=DATE:20300506"}, nil},
		"one place on the map alone is none": {func(e *calendar.Event) { e.Venues = []calendar.Venue{{Name: "Hall", GeoLat: new(50.7)}} },
			[]string{"LOCATION:Hall"}, []string{"GEO"}},
		"online alone": {func(e *calendar.Event) {
			e.Attendance = calendar.Attendance{Mode: "online", URL: "https://live.example/a,b"}
			e.Description = "<p>One</p>\n<p>Two</p><ul><li>a <a href=\"/x\">link</a></li><li>b</li></ul>"
		}, []string{`LOCATION:https://live.example/a\,b`, `DESCRIPTION:One\n\nTwo\n\n• a link (https://riverton.example/x)\n• b\n\n` +
			`Online · https://live.example/a\,b\nhttps://riverton.example/de/event/gig/`}, nil},
		"without text": {func(e *calendar.Event) {
			e.Cost, e.Tickets = []string{"0", "12"}, []calendar.Ticket{{Name: "Day & night", URL: "https://shop.example/1"}, {Name: "At the door"}}
		}, []string{`DESCRIPTION:Preis · Kostenlos – 12\nTickets · Day & night · https://shop.example/1\nhttps://riverton.example/de/event/gig/`}, nil},
		"what visitors filter by": {func(e *calendar.Event) {
			e.Facts = calendar.Facts{Audience: []string{"children", "families"}, Languages: []string{"fr", "zxx"}, Registration: "2030-05-01 23:59:00", EndUnknown: true}
			e.Venues = []calendar.Venue{{Name: "Hall", Accessibility: []string{"wheelchair"}}}
		}, []string{`DESCRIPTION:ab 20:00\nAnmeldung bis 2030-05-01\nZielgruppe · Kinder\, Familien\nBarrierefreiheit · Stufenlos mit Rollstuhl\n` +
			`Sprache · Französisch\, Ohne Worte\nhttps://riverton.example/de/event/gig/`}, nil},
		"online, nobody knows where": {func(e *calendar.Event) { e.Attendance.Mode = "online" }, []string{"LOCATION:Online"}, nil},
		"links for later": {func(e *calendar.Event) {
			e.Attendance = calendar.Attendance{Mode: "online", URL: "https://live.example", Shown: "started"}
		}, []string{"LOCATION:Online"}, []string{"CONFERENCE", "DESCRIPTION:Online"}},
		"links for nobody": {func(e *calendar.Event) {
			e.Attendance = calendar.Attendance{Mode: "online", URL: "https://live.example", Shown: "never"}
		}, []string{"LOCATION:Online"}, []string{"CONFERENCE", "DESCRIPTION:Online"}},
	} {
		has(t, what, calendarWith(t, About{}, services.FeedEvent{Event: gig(c.with)}), c.want, c.without)
	}
	lines := strings.Join(calendarWith(t, About{}, services.FeedEvent{Event: gig(full)}), "\n")
	for _, part := range []string{"mailto:ann@example.org", "URI;FEATURE=VIDEO:https://live.example", `<a href="https://live.example">`, "https://riverton.example/media/key/a%20b.png"} {
		if strings.Count(lines, part) != 1 {
			t.Errorf("%q is %d times in %s", part, strings.Count(lines, part), lines)
		}
	}
	if strings.Contains(lines, "ben@example.org") {
		t.Errorf("two organizers in %s", lines)
	}
}

// What is gone is told as cancelled, without anything that it said.
func TestCalendarOfWhatIsGone(t *testing.T) {
	t.Parallel()
	e := gig(func(e *calendar.Event) {
		e.Sequence, e.Description, e.Venues = 4, "<p>secret</p>", []calendar.Venue{{Name: "secret"}}
		e.Happening.Reason = "secret"
	})
	lines := calendarWith(t, About{}, services.FeedEvent{Event: e, Gone: true})
	has(t, "gone", lines, []string{"UID:7@abc", "STATUS:CANCELLED", "SEQUENCE:4"}, []string{"SUMMARY:Gig", "DESCRIPTION", "LOCATION", "URL:https://riverton.example/de/event"})
	if strings.Contains(strings.Join(lines, "\n"), "secret") {
		t.Errorf("%v", lines)
	}
}

// A series is one event with one rule. What other rules add are dates, and what is skipped stays skipped.
func TestCalendarOfASeries(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2030, 5, n, 20, 0, 0, 0, time.UTC) }
	weekly := func(count int, days ...time.Weekday) recur.Rule {
		r := recur.Rule{Freq: recur.Weekly, Count: count, WeekStart: time.Monday}
		for _, d := range days {
			r.ByDay = append(r.ByDay, recur.Day{Weekday: d})
		}
		return r
	}
	for what, c := range map[string]struct {
		set           recur.Set
		want, without []string
	}{
		"one rule": {recur.Set{Rules: []recur.Rule{weekly(3, time.Monday)}, Except: []time.Time{day(13)}, Dates: []time.Time{day(15)}},
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=MO", "EXDATE:20300513T200000Z", "RDATE:20300515T200000Z"}, nil},
		"dates of the rule come once": {recur.Set{Rules: []recur.Rule{weekly(3, time.Monday)}, Dates: []time.Time{day(15), day(13), day(15)}},
			[]string{"RDATE:20300515T200000Z"}, nil},
		"a start that the rule does not yield": {recur.Set{Rules: []recur.Rule{weekly(0, time.Tuesday)}, Dates: []time.Time{day(6), day(14)}},
			[]string{"RRULE:FREQ=WEEKLY;BYDAY=TU", "RDATE:20300506T200000Z"}, nil},
		"dates alone": {recur.Set{Dates: []time.Time{day(9), day(8)}}, []string{"RDATE:20300509T200000Z,20300508T200000Z"}, []string{"RRULE"}},
		"the rule that yields the start is the rule": {recur.Set{Rules: []recur.Rule{weekly(2, time.Tuesday), weekly(2, time.Monday)}},
			[]string{"RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=MO", "RDATE:20300507T200000Z,20300514T200000Z"}, nil},
		"dates of both rules come once": {recur.Set{Rules: []recur.Rule{weekly(2, time.Monday), weekly(2, time.Monday, time.Tuesday)}, Dates: []time.Time{day(13), day(30)}},
			[]string{"RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=MO", "RDATE:20300507T200000Z,20300530T200000Z"}, nil},
	} {
		e := gig(func(e *calendar.Event) { e.Recurrence = &c.set })
		has(t, what, calendarWith(t, About{}, services.FeedEvent{Event: e}), c.want, append(c.without, "RECURRENCE-ID"))
	}
	series := gig(func(e *calendar.Event) {
		e.Recurrence = &recur.Set{Rules: []recur.Rule{weekly(3, time.Monday)}}
		e.Sequence = 2
	})
	other := gig(func(e *calendar.Event) {
		e.ID, e.Title, e.Series = 9, "Other", &calendar.Series{ID: 7, OriginalStart: day(13)}
		e.Start, e.End, e.Sequence = day(14), day(14).Add(time.Hour), 1
	})
	lines := calendarWith(t, About{}, services.FeedEvent{Event: series, Exceptions: []*calendar.Event{other}})
	has(t, "an exception", lines, []string{"SUMMARY:Other", "RECURRENCE-ID:20300513T200000Z", "DTSTART:20300514T200000Z", "SEQUENCE:2"}, []string{"UID:9", "SEQUENCE:1"})
	if n := strings.Count(strings.Join(lines, "\n"), "UID:7@abc"); n != 2 {
		t.Errorf("%d components of the series: %v", n, lines)
	}
}

// A calendar is called as its page and its site are, in as far as they have names.
func TestCalendarsHaveNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, site, want string }{
		{"Jazz", "Riverton", "Jazz – Riverton"}, {"", "Riverton", "Riverton"}, {"Jazz", "", "Jazz"}, {"", "", ""},
	} {
		scope := &tenancy.Scope{Site: &tenancy.Site{Name: c.site, Language: "en"}}
		if got := titleOf(scope, About{Title: c.title}); got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.title, c.site, got, c.want)
		}
	}
	has(t, "a calendar", calendarWith(t, About{Title: "Jazz", Path: "/category/jazz/"}),
		[]string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kalends//Kalends//DE", "URL:https://riverton.example/de/category/jazz/",
			"X-WR-CALNAME:Jazz – Riverton", "END:VCALENDAR"}, []string{"BEGIN:VEVENT"})
}
