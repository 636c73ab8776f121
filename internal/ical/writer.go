// Package ical writes calendars in the format of RFC 5545 and RFC 7986. It streams content lines, so that a calendar
// may be larger than memory. It knows lines, times and time zones, but not where events come from.
package ical

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// Writer writes the content lines of a calendar. After the first error of the underlying writer it writes nothing
// more; End returns that error.
type Writer struct {
	out      io.Writer
	line     []byte
	folded   []byte
	language string         // of texts; "" if unknown
	zones    map[string]int // described zones, and the year their descriptions start in
	err      error
}

// NewWriter returns a Writer that writes to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out, zones: map[string]int{}} }

// maxLineOctets is the maximum length of a line in octets (§3.1).
const maxLineOctets = 75

// property writes one property, folded so that no line is too long and no character is split. The value is written
// unescaped, but without control characters, which could start another line.
func (w *Writer) property(name, value string) {
	w.line = append(w.line[:0], name...)
	w.line = append(w.line, ':')
	w.line = appendPlain(w.line, value)
	w.fold(w.line)
}

func (w *Writer) fold(line []byte) {
	b := w.folded[:0]
	for room := maxLineOctets; len(line) > room; room = maxLineOctets - 1 {
		at := room
		for at > 0 && !utf8.RuneStart(line[at]) {
			at--
		}
		b = append(b, line[:at]...)
		b = append(b, "\r\n "...)
		line = line[at:]
	}
	w.folded = append(append(b, line...), "\r\n"...)
	if w.err == nil {
		_, w.err = w.out.Write(w.folded)
	}
}

// optional writes a property unless its value is empty.
func (w *Writer) optional(name, value string) {
	if value != "" {
		w.property(name, value)
	}
}

// text writes a property with human-readable text unless it is empty.
func (w *Writer) text(name, text string) {
	if text == "" {
		return
	}
	if w.language != "" {
		name += ";LANGUAGE=" + parameter(w.language)
	}
	w.property(name, escape(text))
}

// texts writes a property whose value is a list of texts.
func (w *Writer) texts(name string, list []string) {
	escaped := make([]string, 0, len(list))
	for _, text := range list {
		if text != "" {
			escaped = append(escaped, escape(text))
		}
	}
	if len(escaped) == 0 {
		return
	}
	if w.language != "" {
		name += ";LANGUAGE=" + parameter(w.language)
	}
	w.property(name, strings.Join(escaped, ","))
}

// instant writes a property whose value is an instant, unless t is zero.
func (w *Writer) instant(name string, t time.Time) {
	if !t.IsZero() {
		w.property(name, utc(t))
	}
}

const (
	dateForm  = "20060102"
	localForm = "20060102T150405"
)

func utc(t time.Time) string { return t.UTC().Format(localForm) + "Z" }

var escapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`,
	"\u2028", `\n`, "\u2029", `\n`, "\u0085", `\n`)

// escape returns text as a TEXT value (§3.3.11).
func escape(text string) string { return escapes.Replace(strings.ToValidUTF8(text, "\uFFFD")) }

// appendPlain appends a value without the control characters that are not allowed in lines (§3.1).
func appendPlain(b []byte, value string) []byte {
	for _, r := range value {
		if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 {
			continue
		}
		b = utf8.AppendRune(b, r)
	}
	return b
}

// parameter returns a parameter value, quoted if necessary. Double quotes, which it cannot contain, become single
// quotes (§3.2).
func parameter(value string) string {
	value = strings.ReplaceAll(string(appendPlain(nil, value)), `"`, "'")
	if strings.ContainsAny(value, ":;,") {
		return `"` + value + `"`
	}
	return value
}
