package reading

import (
	"bytes"
	"iter"
	"strings"
)

// contentLine is a content line of a calendar file as written, possibly folded.
type contentLine struct {
	name   string // of the property, in upper case
	raw    []byte // the whole line, without the end of its last physical line
	number int    // of its first physical line, from 1
	at     int    // where it begins in the file
}

// contentLines splits a text into content lines (RFC 5545 §3.1). Lines may end with LF, CR, or CRs and LF, in any mixture. A
// physical line that does not begin with a property belongs to the text before it, which then contains a raw line break.
// Without such a text, its name is "".
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

// lineEnd returns the end of the physical line that begins at a position, and the beginning of the next one.
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

// propertyName returns the name of the property at the beginning of a physical line, or "" if there is none. After a text
// property, lines such as "Note: bring shoes" and "https://…" belong to the text.
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

// longestName is the maximum length of the name of a property, in bytes.
const longestName = 100

func isNameByte(b byte) bool {
	return b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// textual are the properties whose text may have a raw line break.
var textual = map[string]bool{"SUMMARY": true, "DESCRIPTION": true, "LOCATION": true, "COMMENT": true, "CONTACT": true, "X-ALT-DESC": true,
	"STYLED-DESCRIPTION": true, "CATEGORIES": true, "X-WR-CALDESC": true, "X-APPLE-STRUCTURED-LOCATION": true}

// properties are the property names defined by RFC 5545 and its successors.
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

// unfolded returns a content line without its folds. It works on bytes, because a fold may divide a letter. Raw line breaks
// stay, and so do those that quoted-printable adds, with the blanks after them.
func unfolded(raw []byte) []byte {
	end, next := lineEnd(raw, 0)
	if next == len(raw) {
		return raw[:end]
	}
	text := make([]byte, 0, len(raw))
	text = append(text, raw[:end]...)
	quoted := isQuotedPrintable(text)
	blank := 0 // empty physical lines, which are nothing before a fold and at the end
	for at := next; at < len(raw); {
		end, next := lineEnd(raw, at)
		switch {
		case at == end:
			blank++
		case quoted && bytes.HasSuffix(text, []byte("=")):
			text, blank = append(append(text, '\n'), raw[at:end]...), 0
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
	params map[string]string // by name in upper case; of several values, the first
	value  string            // as written, still escaped
	line   int
}

// parse reads a content line. It reports whether the line is valid.
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
		case c == ':' && from > 0 && isZone(rest[from:]) && (depth > 0 || strings.HasPrefix(rest[i:], "://") || isMinutes(rest[i+1:])):
		case c == ':' && (!quoted || i > lastQuote): // an unclosed quotation mark
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

// isMinutes reports whether a text begins with the minutes of an offset, and not with a value.
func isMinutes(text string) bool {
	return len(text) > 2 && text[2] == ':' && text[0] <= '5' && strings.Trim(text[:2], "0123456789") == ""
}

// isZone reports whether a parameter is a TZID without quotation marks, in which programs write colons:
// "tzone://Microsoft/Custom", "(UTC+01:00) Amsterdam, Berlin", "UTC+02:00".
func isZone(param string) bool {
	value, is := cutFold(param, "TZID=")
	return is && !strings.HasPrefix(value, `"`)
}

// param adds a parameter from its text.
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

// text returns the value of a text property.
func (p property) text() string {
	list := p.texts(0)
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// texts returns the values of a list of texts with the given separator. If separator is 0, it returns the whole text.
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
