package feeds

import (
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// longestText is the maximum length of a description in bytes. Some programs reject longer ones, and the page has the
// full text.
const longestText = 32 << 10

// descriptionOf returns the description as plain text for reading and as HTML. If it is too long, it is truncated
// and returned only as plain text.
func descriptionOf(scope *tenancy.Scope, e *calendar.Event) (plain, formatted string) {
	plain, formatted = wording.ReadingText(e.Description, scope.Base.Pages()+e.Path()), e.Description
	if len(plain) > longestText {
		plain = strings.ToValidUTF8(plain[:longestText], "") + "…"
	}
	if len(formatted) > longestText || formatted == plain {
		formatted = ""
	}
	return plain, formatted
}

// fact is a line below the description of an event: a label, with a URL or a price.
type fact struct{ name, text, address string }

// Said has functions with which a feed formats texts like pages: the title of an event, its date, its hours, and a
// deadline. Functions may be nil. The texts contain nothing that a password protects.
type Said struct {
	Title, When, Hours func(*calendar.Event) string
	Deadline           func(wall time.Time) string
}

// deadline writes a deadline. Without a function, it is written for people of all languages.
func (s *Said) deadline(wall time.Time) string {
	switch {
	case s.Deadline != nil:
		return s.Deadline(wall)
	case calendar.WholeDay(wall):
		return wall.Format(time.DateOnly)
	}
	return wall.Format("2006-01-02 15:04")
}

// hours returns a text with the start of an event if its end is unknown, because calendar files always have an end.
func (s *Said) hours(scope *tenancy.Scope, e *calendar.Event) string {
	if s.Hours == nil {
		return i18n.Text(scope.Language, "public.from_time", map[string]any{"Time": e.Start.Format("15:04")})
	}
	return s.Hours(e)
}

// factsOf returns facts that people look for, but that calendar programs show only in the text: price, end of
// registration, audience, accessibility, languages, the extra fields that visitors filter by, and tickets.
func factsOf(scope *tenancy.Scope, e *calendar.Event, said *Said) (list []fact) {
	say := func(key string) string { return i18n.Text(scope.Language, key, nil) }
	if cost := prices.Text(scope.Site, scope.Language, e.Cost); cost != "" {
		list = append(list, fact{name: say("public.cost"), text: cost})
	}
	if until, _ := e.RegisterBy(); !until.IsZero() {
		data := map[string]any{"Date": said.deadline(until)}
		list = append(list, fact{text: i18n.Text(scope.Language, "public.registration.until", data)})
	}
	for _, one := range []struct {
		field string
		words []string
	}{{"audience", e.Facts.Audience}, {"accessibility", e.EntryOf()}, {"event_language", e.Facts.Languages}} {
		if len(one.words) > 0 {
			names := make([]string, len(one.words))
			for i, word := range one.words {
				names[i] = i18n.Fact(scope.Language, one.field, word)
			}
			list = append(list, fact{name: say("public.fact." + one.field), text: strings.Join(names, say("admin.comma")+" ")})
		}
	}
	list = append(list, addedFacts(scope, e)...)
	for i := range e.Tickets {
		if t := &e.Tickets[i]; t.URL != "" {
			list = append(list, fact{name: say("public.tickets"), text: t.Name, address: t.URL})
		}
	}
	return list
}

// addedFacts returns the values of the extra fields that visitors filter by.
func addedFacts(scope *tenancy.Scope, e *calendar.Event) (list []fact) {
	for _, f := range e.Fields.Among(scope.Site.FieldsOf(tenancy.FieldOfEvents, true)) {
		if f.Values() == nil {
			continue
		}
		text := scope.FieldText(f)
		one := fact{name: text.Label}
		switch value := e.Fields[f.Key].(type) {
		case string:
			one.text = text.OptionLabel(value)
		case bool:
			one.text = i18n.Text(scope.Language, map[bool]string{true: "public.yes", false: "public.no"}[value], nil)
		}
		list = append(list, one)
	}
	return list
}

// around returns the facts of an entry in a calendar file, preceded by its start and followed by where to attend
// online and the event's page.
func around(scope *tenancy.Scope, e *calendar.Event, online string, said *Said) (list []fact) {
	if e.Facts.EndUnknown && !e.AllDay {
		list = append(list, fact{text: said.hours(scope, e)})
	}
	if online != "" {
		list = append(list, fact{name: i18n.Text(scope.Language, "public.attendance.online", nil), address: online})
	}
	page := fact{address: e.Address(scope.Base.Pages())}
	if from := scope.Site.Sources[e.Origin]; from.Name != "" {
		page.name, page.text = i18n.Text(scope.Language, "public.from", nil), from.Name
	}
	return append(append(list, factsOf(scope, e, said)...), page)
}

// plain returns a fact as a line of plain text.
func (f fact) plain() string {
	var parts []string
	for _, part := range []string{f.name, f.text, f.address} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " · ")
}

// formatted returns a fact as HTML.
func (f fact) formatted() string {
	if f.address == "" {
		return wording.EscapeText(f.plain())
	}
	address := `<a href="` + wording.EscapeTitle(f.address) + `">` + wording.EscapeText(f.address) + "</a>"
	f.address = ""
	if before := f.plain(); before != "" {
		return wording.EscapeText(before) + " · " + address
	}
	return address
}

// entryText returns the text of an event in a calendar, as plain text and as HTML: its description and its facts, of which it
// returns the number.
func entryText(scope *tenancy.Scope, e *calendar.Event, online string, said *Said) (plain, formatted string, n int) {
	plain, formatted = descriptionOf(scope, e)
	facts := around(scope, e, online, said)
	lines, paragraphs := make([]string, len(facts)), make([]string, len(facts))
	for i, f := range facts {
		lines[i], paragraphs[i] = f.plain(), f.formatted()
	}
	if formatted != "" {
		formatted += "\n<p>" + strings.Join(paragraphs, "<br />\n") + "</p>"
	}
	return strings.TrimSpace(plain + "\n\n" + strings.Join(lines, "\n")), formatted, len(facts)
}

// placeOf returns where an event takes place: at its first venue, or online. Most calendar programs show links only
// there and in the text. It returns "" if neither is known.
func placeOf(scope *tenancy.Scope, e *calendar.Event, online string) string {
	switch {
	case len(e.Venues) > 0:
		return strings.Join(append([]string{e.Venues[0].Name}, e.Venues[0].AddressLines()...), ", ")
	case online != "":
		return online
	case e.Attendance.Mode == "online" || e.Attendance.Mode == "mixed":
		return i18n.Text(scope.Language, "public.attendance.online", nil)
	}
	return ""
}

// onlineOf returns the URL for attending an event online. It returns "" if the URL is unknown, or if readers may
// see it only from the start on, because programs keep what they have read.
func onlineOf(scope *tenancy.Scope, e *calendar.Event, now time.Time) string {
	if e.Attendance.Shown == "started" {
		return ""
	}
	online, _ := e.OnlineAt(now, calendar.MayEdit(scope.Principal, &e.Post))
	return online
}
