package web

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// contentLine is an unfolded line (RFC 5545 §3.1): a name, parameters, a value.
var contentLine = regexp.MustCompile(`^([A-Z][A-Z-]*)((?:;[A-Z-]+=(?:"[^"\x00-\x08\x0a-\x1f\x7f]*"|[^";:,\x00-\x1f\x7f]*))*):([^\x00-\x08\x0a-\x1f\x7f]*)$`)

// icsProperty is a property of a file that was read.
type icsProperty struct{ parameters, value string }

// readICS reads a file by the letter of RFC 5545 and returns the properties of
// its one event, each list in its order.
func readICS(t *testing.T, file []byte) map[string][]icsProperty {
	t.Helper()
	if !utf8.Valid(file) { // §3.1.4
		t.Error("no UTF-8")
	}
	text := string(file)
	if !strings.HasSuffix(text, "\r\n") || strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") || strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\n") {
		t.Error("§3.1: lines end with CRLF")
	}
	for line := range strings.SplitSeq(text, "\r\n") {
		if len(line) > 75 || !utf8.ValidString(line) {
			t.Errorf("§3.1: %d octets: %q", len(line), line)
		}
	}
	var open []string
	calendars, events := map[string][]icsProperty{}, map[string][]icsProperty{}
	for line := range strings.SplitSeq(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n ", ""), "\r\n"), "\r\n") {
		m := contentLine.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("§3.1: no content line: %q", line)
		}
		switch m[1] {
		case "BEGIN":
			open = append(open, m[3])
		case "END":
			if len(open) == 0 || open[len(open)-1] != m[3] {
				t.Fatalf("§3.6: END:%s in %v", m[3], open)
			}
			open = open[:len(open)-1]
		default:
			into := map[int]map[string][]icsProperty{1: calendars, 2: events}[len(open)]
			into[m[1]] = append(into[m[1]], icsProperty{m[2], m[3]})
		}
	}
	for _, name := range []string{"PRODID", "VERSION"} { // §3.6
		if len(calendars[name]) != 1 {
			t.Errorf("§3.6: %d times %s", len(calendars[name]), name)
		}
	}
	for _, name := range []string{"UID", "DTSTAMP", "DTSTART"} {
		if len(events[name]) != 1 {
			t.Errorf("§3.6.1: %d times %s", len(events[name]), name)
		}
	}
	for _, name := range []string{"DESCRIPTION", "GEO", "LAST-MODIFIED", "LOCATION", "ORGANIZER", "SEQUENCE", "STATUS", "SUMMARY", "URL", "DTEND"} {
		if len(events[name]) > 1 {
			t.Errorf("§3.6.1: %d times %s", len(events[name]), name)
		}
	}
	return events
}

func values(t *testing.T, e *calendar.Event) map[string]string {
	t.Helper()
	flat := map[string]string{}
	for name, list := range readICS(t, ics(icsScope(), e)) {
		flat[name+list[0].parameters] = list[0].value
	}
	return flat
}

// icsRules are the rules of RFC 5545 by section.
var icsRules = map[string]func(t *testing.T){
	"3.1 folding: never longer than 75 octets, never within a character": func(t *testing.T) {
		e := concert()
		for length := range 90 {
			e.Title = strings.Repeat("a", length) + strings.Repeat("湖ö🎻", 40)
			if got := values(t, e)["SUMMARY"]; got != e.Title {
				t.Errorf("%d: %q", length, got)
			}
		}
	},
	"3.2 parameters: no quotation mark and no new line in one": func(t *testing.T) {
		e := concert()
		e.Organizers = []calendar.Organizer{{Name: "A \"B\"; C: D, E\r\nX-EVIL:1\x00", Email: "a@example.org\r\nX-EVIL:2"}}
		v := readICS(t, ics(icsScope(), e))
		if o := v["ORGANIZER"]; len(o) != 1 || o[0].parameters != `;CN="A 'B'; C: D, EX-EVIL:1"` || o[0].value != "mailto:a@example.orgX-EVIL:2" || v["X-EVIL"] != nil {
			t.Errorf("%v", v)
		}
	},
	"3.3.11 text: backslash, semicolon, comma and new lines are escaped": func(t *testing.T) {
		e := concert()
		e.Title = "a\\b;c,d\r\ne\nf\rg\x00\x1b:\"h\""
		if got := values(t, e)["SUMMARY"]; got != `a\\b\;c\,d\ne\nf\ng:"h"` {
			t.Errorf("%q", got)
		}
	},
	"3.3.5 date-time: in UTC, which needs no VTIMEZONE": func(t *testing.T) {
		v := values(t, concert())
		has5545(t, v, map[string]string{"DTSTART": "20270714T173000Z", "DTEND": "20270714T193000Z"})
		if strings.Contains(string(ics(icsScope(), concert())), "TZID") {
			t.Error("§3.2.19: TZID, and no VTIMEZONE with it")
		}
	},
	"3.3.4 date: whole days, DTEND the day after the last (3.6.1)": func(t *testing.T) {
		for _, zone := range []string{"UTC", "Asia/Tokyo", "America/New_York"} {
			e := event("2027-07-14 00:00", "2027-07-16 23:59", true)
			e.Timezone, e.StartUTC, e.EndUTC = zone, e.Start.Add(-9*time.Hour), e.End.Add(-9*time.Hour)
			has5545(t, values(t, e), map[string]string{"DTSTART;VALUE=DATE": "20270714", "DTEND;VALUE=DATE": "20270717", "DTSTART": "", "DTEND": ""})
		}
	},
	"3.8.2.2 DTEND: later than DTSTART, else none": func(t *testing.T) {
		has5545(t, values(t, event("2027-07-14 19:30", "2027-07-14 19:30", false)), map[string]string{"DTSTART": "20270714T193000Z", "DTEND": ""})
	},
	"3.8.1.6 GEO: latitude and longitude with a semicolon": func(t *testing.T) {
		e, lat, lng := concert(), 47.5, -9.75
		e.Venues[0].GeoLat, e.Venues[0].GeoLng = &lat, &lng
		has5545(t, values(t, e), map[string]string{"GEO": "47.500000;-9.750000", "LOCATION": `Saal\, Hauptstraße 1\, 88131 Lindau\, Germany`})
	},
	"3.8.1.11 STATUS: one of those of an event": func(t *testing.T) {
		has5545(t, values(t, concert()), map[string]string{"STATUS": "CONFIRMED"})
	},
	"3.8.4.7 UID: the same at every host and in every language, another for another event": func(t *testing.T) {
		site := &tenancy.Site{Location: time.UTC, Domains: []string{"calendar.example.org", "www.example.org"}}
		seen := map[string]bool{}
		for _, base := range []tenancy.Base{{Origin: "https://demo.platform.example:8443"}, {Origin: "https://www.example.org", Prefix: "/de"}} {
			ctx := tenancy.With(icsScope(), tenancy.Scope{Site: site, Language: "ja", Base: base})
			e := concert()
			e.Title, e.Slug, e.Version = base.Origin, "moved", 99
			seen[readICS(t, ics(ctx, e))["UID"][0].value] = true
		}
		if len(seen) != 1 || !seen["7@calendar.example.org"] {
			t.Errorf("%v", seen)
		}
	},
	"3.8.7.2 DTSTAMP and 3.8.7.3 LAST-MODIFIED: when it was last changed, in UTC": func(t *testing.T) {
		e := concert()
		e.Modified = time.Date(2027, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
		has5545(t, values(t, e), map[string]string{"DTSTAMP": "20270102T020405Z", "LAST-MODIFIED": "20270102T020405Z"})
	},
	"3.8.7.4 SEQUENCE: a number that grows with every change": func(t *testing.T) {
		e := concert()
		e.Version = 41
		has5545(t, values(t, e), map[string]string{"SEQUENCE": "41"})
	},
	"3.8.1.2 CATEGORIES: a list, commas within names escaped": func(t *testing.T) {
		e := concert()
		e.Categories, e.Tags = []calendar.Term{{Name: "a, b"}}, []calendar.Term{{Name: "c"}}
		has5545(t, values(t, e), map[string]string{"CATEGORIES": `a\, b,c`})
	},
	"3.8.4.6 URL: of the page": func(t *testing.T) {
		has5545(t, values(t, concert()), map[string]string{"URL": "https://events.example.org:8443/de/event/konzert/"})
	},
}

func has5545(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s: %q, want %q", name, got[name], value)
		}
	}
}

func TestFileByTheRFC(t *testing.T) {
	t.Parallel()
	for name, rule := range icsRules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule(t)
		})
	}
}
