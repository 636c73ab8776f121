package reading

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// description reads the description. It prefers HTML. In plain text, it keeps lines and paragraphs.
func (e *icsEvent) description() {
	for _, name := range []string{"STYLED-DESCRIPTION", "X-ALT-DESC"} {
		p, found := e.first(name)
		if !found || !strings.EqualFold(p.params["FMTTYPE"], "text/html") {
			continue
		}
		body := strings.TrimSpace(e.withoutFacts(bodyOf(p.text()), "<p>"))
		if wording.PlainText(body) != "" {
			e.values["description"] = strings.Join(strings.Fields(body), " ")
			return
		}
	}
	p, _ := e.first("DESCRIPTION")
	if text := descriptionOf(e.withoutFacts(p.text(), "")); text != "" {
		e.values["description"] = text
	}
}

// withoutFacts returns the text of an event from Kalends without the facts that calendar files have below the description: as many
// lines as the file says, or one paragraph of HTML, which ends with the event's page. Texts that end otherwise stay as they are.
func (e *icsEvent) withoutFacts(text, paragraph string) string {
	facts, _ := strconv.Atoi(e.text("X-KALENDS-FACTS"))
	page, lines := e.text("URL"), strings.Split(strings.TrimSpace(text), "\n")
	last := lines[len(lines)-1]
	switch {
	case facts <= 0 || facts > len(lines) || page == "",
		!strings.Contains(last, page) && !strings.Contains(last, html.EscapeString(page)):
		return text
	case paragraph == "":
		return strings.Join(lines[:len(lines)-facts], "\n")
	case strings.HasPrefix(lines[len(lines)-facts], paragraph):
		return strings.Join(lines[:len(lines)-facts], "\n")
	}
	return text
}

// markup matches elements that descriptions in HTML contain.
var markup = regexp.MustCompile(`(?i)<(?:/(?:p|b|i|u|a|ul|ol|li|div|span|strong|em|h[1-6]|body|table)|br ?/?|p|b|i|ul|ol|li|div|html|span [^>]*|a [^>]*|img [^>]*)>`)

// descriptionOf converts a text that may be HTML or plain to a description.
func descriptionOf(text string) string {
	text = strings.TrimSpace(text)
	if markup.MatchString(text) {
		return strings.TrimSpace(bodyOf(text))
	}
	return wording.EscapeText(html.UnescapeString(text)) // The Events Calendar and Meetup escape plain texts, too
}

var (
	beforeBody = regexp.MustCompile(`(?is)^.*<body[^>]*>`)
	afterBody  = regexp.MustCompile(`(?is)</body>.*$`)
	head       = regexp.MustCompile(`(?is)<(?:head|title)\b.*?</(?:head|title)>|<!doctype[^>]*>`)
)

// bodyOf returns the visible part of an HTML page.
func bodyOf(page string) string {
	if len(beforeBody.FindString(page)) > 0 {
		page = beforeBody.ReplaceAllString(page, "")
	}
	return head.ReplaceAllString(afterBody.ReplaceAllString(page, ""), "")
}

// links reads addresses: of the event's page, of its picture, and for online attendance.
func (e *icsEvent) links() {
	if p, found := e.first("URL"); found {
		e.address("website", p.text())
	}
	e.virtual()
	for _, name := range []string{"IMAGE", "ATTACH"} {
		for _, p := range e.all[name] {
			e.picture(p)
		}
	}
}

// address sets an argument to an address, or adds a warning if it is invalid.
func (e *icsEvent) address(name, text string) {
	link, ok := webAddress(text)
	if !ok {
		e.entry.warn("address-left-out", name, text)
		return
	}
	e.values[name] = link
}

// webAddress returns an address in a form that links may have. It returns false for other texts.
func webAddress(text string) (string, bool) {
	text = strings.Trim(strings.TrimSpace(text), "<>")
	if strings.HasPrefix(strings.ToLower(text), "www.") {
		text = "https://" + text
	}
	text = encoded(text)
	parsed, err := url.Parse(text)
	return text, err == nil && (parsed.Scheme == "http" || parsed.Scheme == "https") && args.SafeURL(text)
}

// encoded percent-encodes characters that people write although they are invalid in URLs, such as spaces and
// letters with accents.
func encoded(text string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// picture uses an attachment as the picture of the event, if it is a picture and the event has none yet.
func (e *icsEvent) picture(p property) {
	text := strings.TrimSpace(p.value)
	if text == "" {
		return
	}
	link, ok := webAddress(text)
	kind, _, _ := strings.Cut(strings.ToLower(p.params["FMTTYPE"]), "/")
	picture := p.name == "IMAGE" || kind == "image" || kind == "" && isPictureName(link)
	switch {
	case picture && !ok:
		e.entry.warn("picture-left-out", "image", text)
	case picture && e.values["image"] == nil:
		e.values["image"] = link
	default:
		e.entry.warn("attachment-left-out", "", text)
	}
}

// isPictureName reports whether an address ends like the name of an image file.
func isPictureName(link string) bool {
	parsed, err := url.Parse(link)
	if err != nil {
		return false
	}
	name := strings.ToLower(parsed.Path)
	return slices.ContainsFunc(
		[]string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"},
		func(end string) bool { return strings.HasSuffix(name, end) },
	)
}

// meetings are the properties with the address of an online meeting, in order of preference.
var meetings = []string{"CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL", "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK",
	"X-MICROSOFT-ONLINEMEETINGCONFLINK", "X-ZOOM-MEETING-URL", "X-WEBEX-MEETING-URL", "X-ONLINE-ADDRESS"}

// virtual reads the address for online attendance, which may be in place of the location.
func (e *icsEvent) virtual() {
	for _, name := range meetings {
		for _, p := range e.all[name] {
			if link, ok := webAddress(p.text()); ok && e.values["virtual_url"] == nil {
				e.values["virtual_url"] = link
			}
		}
	}
	link, ok := webAddress(e.text("LOCATION"))
	if ok && e.values["virtual_url"] == nil {
		e.values["virtual_url"] = link
	}
	switch {
	case e.values["virtual_url"] == nil:
	case e.values["venue"] == nil:
		e.values["attendance_mode"] = "online"
	default:
		e.values["attendance_mode"] = "mixed"
	}
}

// termsOf returns the names in a property, each once, without those in but. vCalendar 1.0 separates them by semicolons.
func (e *icsEvent) termsOf(property string, but map[string]bool) (list []any) {
	seen := map[string]bool{}
	for _, p := range e.all[property] {
		separator := byte(',')
		if e.part.calendar.old && strings.Contains(p.value, ";") {
			separator = ';'
		}
		for _, text := range p.texts(separator) {
			if text = oneLine(text); text != "" && !but[text] && !seen[wording.Fold(text)] {
				seen[wording.Fold(text)] = true
				list = append(list, text)
			}
		}
	}
	return list
}

// terms reads categories and tags. A comma within one is escaped.
func (e *icsEvent) terms() {
	tags := map[string]bool{}
	if _, ours := e.first("X-KALENDS-FACTS"); ours { // its CATEGORIES have the tags as well
		for _, p := range e.all["X-TAGS"] {
			for _, text := range p.texts(',') {
				tags[oneLine(text)] = true
			}
		}
	}
	if list := e.termsOf("CATEGORIES", tags); len(list) > 0 {
		e.values["categories"] = list
	}
	if list := e.termsOf("X-TAGS", nil); len(list) > 0 {
		e.values["tags"] = list
	}
	if cost := e.text("X-COST"); cost != "" {
		e.values["cost"] = cost
	}
}
