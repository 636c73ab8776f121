package reading

import (
	"bytes"
	"iter"
	"strings"
)

// contentLine is a content line of a calendar file as it stands there, possibly folded.
type contentLine struct {
	name   string // of the property, in upper case
	raw    []byte // the whole line, without the end of its last physical line
	number int    // of its first physical line, from 1
	at     int    // where it begins in the file
}

// contentLines cuts a text into content lines (RFC 5545 §3.1). Lines end with LF, CR, or CRs and LF, mixed as they
// may be. A physical line that is no property belongs to the text before it, in which somebody left a raw line break;
// without such a text it has the name "".
func contentLines(data []byte, first int) iter.Seq[contentLine] {
	return func(yield func(contentLine) bool) {
		var line contentLine
		number, began := first, false
		for at := 0; at < len(data); {
			end, next := lineEnd(data, at)
			name, continued := "", at < end && (data[at] == ' ' || data[at] == '\t') || at == end
			if !continued {
				name = propertyName(data[at:end], line.name)
				continued = name == "" && textual[line.name]
			}
			switch {
			case continued && began:
				line.raw = data[line.at:end]
			case at == end:
			default:
				if began && !yield(line) {
					return
				}
				line, began = contentLine{name: name, raw: data[at:end], number: number, at: at}, true
			}
			number++
			at = next
		}
		if began {
			yield(line)
		}
	}
}

// lineEnd returns where the physical line that begins at a place ends, and where the next one begins.
func lineEnd(data []byte, at int) (end, next int) {
	for end = at; end < len(data) && data[end] != '\n' && data[end] != '\r'; {
		end++
	}
	if next = end; end == len(data) {
		return end, end
	}
	for next < len(data) && data[next] == '\r' {
		next++
	}
	if next < len(data) && data[next] == '\n' {
		return end, next + 1
	}
	return end, end + 1
}

// propertyName returns the name of the property that a physical line begins with, or "" if it is no property. After a
// text, "Note: bring shoes" and "https://…" belong to it.
func propertyName(line []byte, before string) string {
	n := 0
	for n < len(line) && n < longestName && isNameByte(line[n]) {
		n++
	}
	if n == 0 || n == len(line) || line[n] != ':' && line[n] != ';' {
		return ""
	}
	written := string(line[:n])
	name := strings.ToUpper(written)
	if textual[before] {
		known := properties[name] || strings.HasPrefix(name, "X-")
		if !known || written != name && written != strings.ToLower(name) {
			return ""
		}
	}
	return name
}

// longestName is the greatest length of the name of a property, in bytes.
const longestName = 100

func isNameByte(b byte) bool {
	return b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// textual are the properties whose text may have a raw line break.
var textual = map[string]bool{"SUMMARY": true, "DESCRIPTION": true, "LOCATION": true, "COMMENT": true, "CONTACT": true, "X-ALT-DESC": true,
	"STYLED-DESCRIPTION": true, "CATEGORIES": true, "X-WR-CALDESC": true, "X-APPLE-STRUCTURED-LOCATION": true}

// properties are the names that RFC 5545 and those after it have given.
var properties = setOf("BEGIN END CALSCALE METHOD PRODID VERSION ATTACH CATEGORIES CLASS COMMENT DESCRIPTION GEO LOCATION " +
	"PERCENT-COMPLETE PRIORITY RESOURCES STATUS SUMMARY COMPLETED DTEND DUE DTSTART DURATION FREEBUSY TRANSP TZID TZNAME " +
	"TZOFFSETFROM TZOFFSETTO TZURL ATTENDEE CONTACT ORGANIZER RECURRENCE-ID RELATED-TO URL UID EXDATE EXRULE RDATE RRULE " +
	"ACTION REPEAT TRIGGER CREATED DTSTAMP LAST-MODIFIED SEQUENCE REQUEST-STATUS NAME REFRESH-INTERVAL SOURCE COLOR IMAGE " +
	"CONFERENCE STRUCTURED-LOCATION STRUCTURED-DATA STYLED-DESCRIPTION PARTICIPANT-TYPE CALENDAR-ADDRESS LOCATION-TYPE LINK " +
	"CONCEPT REFID ACKNOWLEDGED PROXIMITY TZUNTIL TZID-ALIAS-OF BUSYTYPE")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// unfolded returns a content line without its folds. They are undone on octets, because a fold may divide a letter. A
// raw line break stays one.
func unfolded(raw []byte) []byte {
	end, next := lineEnd(raw, 0)
	if next == len(raw) {
		return raw[:end]
	}
	text := make([]byte, 0, len(raw))
	text = append(text, raw[:end]...)
	blank := 0 // empty physical lines, which are nothing before a fold and at the end
	for at := next; at < len(raw); {
		end, next := lineEnd(raw, at)
		switch {
		case at == end:
			blank++
		case raw[at] == ' ' || raw[at] == '\t':
			text, blank = append(text, raw[at+1:end]...), 0
		default:
			text = append(text, bytes.Repeat([]byte("\n"), min(blank, 1)+1)...)
			text, blank = append(text, raw[at:end]...), 0
		}
		at = next
	}
	return text
}

// property is one property of a component.
type property struct {
	name   string
	params map[string]string // by name in upper case; of one with several values the first
	value  string            // as written, still escaped
	line   int
}

// parse reads a content line. It reports whether it is one.
func (l contentLine) parse() (property, bool) {
	text := readable(unfolded(l.raw))
	p := property{name: l.name, line: l.number}
	if l.name == "" {
		return p, false
	}
	rest := text[len(l.name):]
	quoted, from, depth, lastQuote := false, 0, 0, strings.LastIndexByte(rest, '"')
	for i := range len(rest) {
		switch c := rest[i]; {
		case c == '"':
			quoted = !quoted
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ':' && from > 0 && isZone(rest[from:]) && (depth > 0 || strings.HasPrefix(rest[i:], "://")):
		case c == ':' && (!quoted || i > lastQuote): // a quotation mark that nobody closed
			p.param(rest[from:i])
			p.value = rest[i+1:]
			if plain, is := p.quotedPrintable(); is {
				p.value = plain
			}
			return p, true
		case c == ';' && !quoted:
			p.param(rest[from:i])
			from, depth = i+1, 0
		}
	}
	return p, false
}

// isZone reports whether a parameter is a TZID without quotation marks, in which programs of Microsoft have colons:
// "tzone://Microsoft/Custom", "(UTC+01:00) Amsterdam, Berlin".
func isZone(param string) bool {
	value, is := cutFold(param, "TZID=")
	return is && !strings.HasPrefix(value, `"`)
}

// param adds a parameter as it is written.
func (p *property) param(text string) {
	name, value, ok := strings.Cut(text, "=")
	name = strings.ToUpper(strings.TrimSpace(name))
	if !ok && name != "QUOTED-PRINTABLE" || p.params[name] != "" {
		return
	}
	if p.params == nil {
		p.params = map[string]string{}
	}
	value = strings.TrimSpace(value)
	if inner, quoted := strings.CutPrefix(value, `"`); quoted {
		value, _, _ = strings.Cut(inner, `"`)
	}
	p.params[name] = caret.Replace(value)
}

// caret undoes the escapes of parameters (RFC 6868).
var caret = strings.NewReplacer("^n", "\n", "^N", "\n", "^^", "^", "^'", `"`)

// text returns the value of a text.
func (p property) text() string {
	list := p.texts(0)
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// texts returns the values of a list of texts that are separated by a byte, or the only value for 0.
func (p property) texts(separator byte) (list []string) {
	var b strings.Builder
	for i := 0; i < len(p.value); i++ {
		c := p.value[i]
		switch {
		case c == '\\' && i+1 < len(p.value):
			i++
			if c = p.value[i]; c == 'n' || c == 'N' {
				c = '\n'
			}
			b.WriteByte(c)
		case c == separator && separator != 0:
			list = append(list, strings.TrimSpace(b.String()))
			b.Reset()
		default:
			b.WriteByte(c)
		}
	}
	return append(list, strings.TrimSpace(b.String()))
}
