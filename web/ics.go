package web

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// eventFile is an event as a file for calendars (RFC 5545).
func (w *public) eventFile(ctx context.Context, a asked) (*shown, error) {
	e, err := w.find(ctx, a)
	if err != nil {
		return nil, err
	}
	return &shown{file: ics(ctx, e), kind: "text/calendar; charset=utf-8", name: e.Slug + ".ics", version: e.Version}, nil
}

// ics writes the file. Times are instants in UTC, which every program shows on
// its owner's clock; days are days.
func ics(ctx context.Context, e *calendar.Event) []byte {
	scope := tenancy.Current(ctx)
	var b icsWriter
	b.line("BEGIN", "VCALENDAR")
	b.line("VERSION", "2.0")
	b.line("PRODID", "-//Kalends//Kalends//"+strings.ToUpper(scope.Language))
	b.line("CALSCALE", "GREGORIAN")
	b.line("BEGIN", "VEVENT")
	b.line("UID", strconv.FormatInt(e.ID, 10)+"@"+homeOf(scope))
	b.line("DTSTAMP", icsTime(e.Modified))
	b.line("LAST-MODIFIED", icsTime(e.Modified))
	b.line("SEQUENCE", strconv.FormatInt(e.Version&(1<<31-1), 10))
	b.times(e)
	b.text("SUMMARY", e.Title)
	b.text("DESCRIPTION", calendar.PlainText(e.Description))
	b.place(e)
	b.line("URL", scope.Base.Pages()+eventPath(e))
	b.terms("CATEGORIES", append(append([]calendar.Term(nil), e.Categories...), e.Tags...))
	for i := range e.Organizers {
		if o := &e.Organizers[i]; o.Email != "" { // calendars know one organizer, by address
			b.line(`ORGANIZER;CN="`+icsParameter(o.Name)+`"`, "mailto:"+icsLine(o.Email))
			break
		}
	}
	b.line("STATUS", "CONFIRMED")
	b.line("END", "VEVENT")
	b.line("END", "VCALENDAR")
	return b.out
}

// icsWriter collects the lines of a file.
type icsWriter struct{ out []byte }

func (b *icsWriter) times(e *calendar.Event) {
	if e.AllDay {
		b.line("DTSTART;VALUE=DATE", e.Start.Format("20060102"))
		b.line("DTEND;VALUE=DATE", lastDay(e.Start, e.End).AddDate(0, 0, 1).Format("20060102")) // the end isn't included
		return
	}
	b.line("DTSTART", icsTime(e.StartUTC))
	if e.EndUTC.After(e.StartUTC) {
		b.line("DTEND", icsTime(e.EndUTC))
	}
}

func (b *icsWriter) place(e *calendar.Event) {
	if len(e.Venues) == 0 {
		return
	}
	v := &e.Venues[0]
	b.text("LOCATION", strings.Join(append([]string{v.Name}, addressLines(v)...), ", "))
	if v.GeoLat != nil && v.GeoLng != nil {
		b.line("GEO", strconv.FormatFloat(*v.GeoLat, 'f', 6, 64)+";"+strconv.FormatFloat(*v.GeoLng, 'f', 6, 64))
	}
}

func (b *icsWriter) terms(name string, terms []calendar.Term) {
	names := make([]string, 0, len(terms))
	for i := range terms {
		names = append(names, icsText(terms[i].Name))
	}
	if len(names) > 0 {
		b.line(name, strings.Join(names, ","))
	}
}

// text writes a property of people's text, none when it is empty.
func (b *icsWriter) text(name, text string) {
	if text != "" {
		b.line(name, icsText(text))
	}
}

// line writes one property, folded so that no line is longer than 75 octets
// and no character is cut (RFC 5545 §3.1).
func (b *icsWriter) line(name, value string) {
	rest, room := name+":"+value, 75
	for len(rest) > room {
		at := room
		for at > 0 && !utf8.RuneStart(rest[at]) {
			at--
		}
		b.out = append(b.out, rest[:at]...)
		b.out = append(b.out, "\r\n "...)
		rest, room = rest[at:], 74
	}
	b.out = append(b.out, rest...)
	b.out = append(b.out, "\r\n"...)
}

func icsTime(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

var icsEscapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)

// icsText escapes a text (RFC 5545 §3.3.11); control characters have no place in
// it.
func icsText(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, icsEscapes.Replace(strings.ToValidUTF8(text, "\uFFFD")))
}

// icsLine is a value that stands as it is: nothing in it begins a new line.
func icsLine(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, value)
}

// icsParameter is a value between quotation marks, which can't hold any.
func icsParameter(value string) string { return strings.ReplaceAll(icsLine(value), `"`, "'") }

// homeOf is the host in the UIDs of a site's events: the same whichever of its
// hosts is asked, so that an event fetched twice is one (RFC 5545 §3.8.4.7).
func homeOf(s *tenancy.Scope) string {
	if s.Site != nil && len(s.Site.Domains) > 0 {
		return s.Site.Domains[0]
	}
	return hostOf(s.Base.Origin)
}

// hostOf returns the host of an origin without its port.
func hostOf(origin string) string {
	if u, err := url.Parse(origin); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return "localhost"
}
