package web

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

func unfold(file []byte) map[string]string {
	values := map[string]string{}
	for line := range strings.SplitSeq(strings.ReplaceAll(string(file), "\r\n ", ""), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		values[name] = value
	}
	return values
}

func icsScope() context.Context {
	return tenancy.With(context.Background(), tenancy.Scope{Site: &tenancy.Site{Location: time.UTC}, Language: "de",
		Base: tenancy.Base{Origin: "https://events.example.org:8443", Prefix: "/de"}})
}

func TestFileOfAnEvent(t *testing.T) {
	t.Parallel()
	e := event("2027-03-14 19:30", "2027-03-14 21:30", false)
	e.StartUTC, e.EndUTC = e.Start.Add(-time.Hour), e.End.Add(-time.Hour)
	e.ID, e.Slug, e.Version = 7, "konzert-im-grünen", 3
	e.Title = `Konzert; mit Chor, Orgel \ "laut"` + "\nATTENDEE:x"
	e.Description = "<p>" + strings.Repeat("Ärger über Öl 湖畔 ", 30) + "</p>"
	e.Venues = []calendar.Venue{{Name: "Saal, groß", City: "Lindau"}}
	e.Organizers = []calendar.Organizer{{Name: `Ann "A" Bee` + "\r\nX:y", Email: "a@example.org"}}
	e.Categories = []calendar.Term{{Name: "Musik, alt"}, {Name: "Chor"}}
	file := ics(icsScope(), e)
	for line := range strings.SplitSeq(string(file), "\r\n") {
		if len(line) > 75 {
			t.Errorf("%d octets: %q", len(line), line)
		}
		if strings.ContainsAny(line, "\r\n") || strings.HasPrefix(line, "ATTENDEE") || strings.HasPrefix(line, "X:") {
			t.Errorf("a line of its own: %q", line)
		}
		if !strings.HasPrefix(line, " ") && strings.Contains(line, "\uFFFD") {
			t.Errorf("a cut character: %q", line)
		}
	}
	values := unfold(file)
	for name, want := range map[string]string{
		"UID": "7@events.example.org", "DTSTART": "20270314T183000Z", "DTEND": "20270314T203000Z",
		"SUMMARY":     `Konzert\; mit Chor\, Orgel \\ "laut"\nATTENDEE:x`,
		"DESCRIPTION": strings.TrimSpace(strings.Repeat("Ärger über Öl 湖畔 ", 30)),
		"LOCATION":    `Saal\, groß\, Lindau`, "CATEGORIES": `Musik\, alt,Chor`,
		"URL":                        "https://events.example.org:8443/de/event/konzert-im-gr%C3%BCnen/",
		`ORGANIZER;CN="Ann 'A' BeeX`: `y":mailto:a@example.org`,
	} {
		if values[name] != want {
			t.Errorf("%s: got %q, want %q", name, values[name], want)
		}
	}
	if !strings.HasPrefix(string(file), "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") || !strings.HasSuffix(string(file), "END:VEVENT\r\nEND:VCALENDAR\r\n") {
		t.Errorf("frame: %q", file)
	}
}

func TestFileOfDays(t *testing.T) {
	t.Parallel()
	values := unfold(ics(icsScope(), event("2027-03-27 00:00", "2027-03-28 23:59", true)))
	if values["DTSTART;VALUE=DATE"] != "20270327" || values["DTEND;VALUE=DATE"] != "20270329" {
		t.Errorf("got %v", values)
	}
	moment := unfold(ics(icsScope(), event("2027-03-27 10:00", "2027-03-27 10:00", false)))
	if _, there := moment["DTEND"]; there || moment["DTSTART"] != "20270327T100000Z" {
		t.Errorf("got %v", moment)
	}
}
