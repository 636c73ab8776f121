package feeds

import (
	"html"
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

// descriptionOf returns the description as plain text for reading and as HTML. One that is too long is truncated and
// returned as plain text only.
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

// fact is a line below the description of an event: what an address or a price is, and the address or the price.
type fact struct{ name, text, address string }

// factsOf returns what people look for in an entry and most calendar programs show only in its text: where to attend
// online, what it costs, its tickets and its page.
func factsOf(scope *tenancy.Scope, e *calendar.Event, online string) (list []fact) {
	say := func(key string) string { return i18n.Text(scope.Language, key, nil) }
	if online != "" {
		list = append(list, fact{name: say("public.attendance.online"), address: online})
	}
	if cost := costOf(scope, e); cost != "" {
		list = append(list, fact{name: say("public.cost"), text: cost})
	}
	if until, _ := e.RegisterBy(); !until.IsZero() { // for people of all languages, whose programs show the other dates
		list = append(list, fact{text: i18n.Text(scope.Language, "public.registration.until", map[string]any{"Date": until.Format("2006-01-02 15:04")})})
	}
	for i := range e.Tickets {
		if t := &e.Tickets[i]; t.URL != "" {
			list = append(list, fact{name: say("public.tickets"), text: t.Name, address: t.URL})
		}
	}
	page := fact{address: e.Address(scope.Base.Pages())}
	if from := scope.Site.Sources[e.Origin]; from.Name != "" {
		page.name, page.text = say("public.from"), from.Name
	}
	return append(list, page)
}

// costOf returns the price of an event in the language of the reader.
func costOf(scope *tenancy.Scope, e *calendar.Event) string {
	text := html.UnescapeString(prices.Format(e.Cost, prices.CurrencyOf(scope.Site)).Text)
	if rest, free := prices.CutFree(text); free {
		return i18n.Text(scope.Language, "public.free", nil) + rest
	}
	return text
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

// entryText returns the text of an event in a calendar, as plain text and as HTML: its description and its facts.
func entryText(scope *tenancy.Scope, e *calendar.Event, online string) (plain, formatted string) {
	plain, formatted = descriptionOf(scope, e)
	facts := factsOf(scope, e, online)
	lines, paragraphs := make([]string, len(facts)), make([]string, len(facts))
	for i, f := range facts {
		lines[i], paragraphs[i] = f.plain(), f.formatted()
	}
	if formatted != "" {
		formatted += "\n<p>" + strings.Join(paragraphs, "<br />\n") + "</p>"
	}
	return strings.TrimSpace(plain + "\n\n" + strings.Join(lines, "\n")), formatted
}

// placeOf returns where an event takes place: at its first venue, or online. Most calendar programs show links only
// there and in the text. It returns "" if nothing is known.
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

// onlineOf returns the address for attending an event online, or "" if it is not known or readers do not see it before
// the start: programs keep what they once read.
func onlineOf(scope *tenancy.Scope, e *calendar.Event, now time.Time) string {
	if e.Attendance.Shown == "started" {
		return ""
	}
	online, _ := e.OnlineAt(now, calendar.MayEdit(scope.Principal, &e.Post))
	return online
}
