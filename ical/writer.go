// Package ical writes calendars as RFC 5545 and RFC 7986 have them, line by line,
// so that a calendar may be longer than memory. It knows content lines, times and
// time zones, and nothing of where events come from.
package ical

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// Writer writes the content lines of a calendar. After the first error of what it
// writes to it writes nothing more; End returns that error.
type Writer struct {
	out      io.Writer
	line     []byte
	folded   []byte
	language string         // of texts, "" where it isn't known
	zones    map[string]int // that were described, and from which year on
	err      error
}

// NewWriter returns a writer into out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out, zones: map[string]int{}} }

// longest is how many octets a line may have (§3.1).
const longest = 75

// property writes one property, folded so that no line is too long and no
// character is cut. The value stands as it is, but for what would begin another line.
func (w *Writer) property(name, value string) {
	w.line = append(w.line[:0], name...)
	w.line = append(w.line, ':')
	w.line = appendPlain(w.line, value)
	w.fold(w.line)
}

func (w *Writer) fold(line []byte) {
	b := w.folded[:0]
	for room := longest; len(line) > room; room = longest - 1 {
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

// some writes a property unless its value is empty.
func (w *Writer) some(name, value string) {
	if value != "" {
		w.property(name, value)
	}
}

// text writes a property of people's text, none when it is empty.
func (w *Writer) text(name, text string) {
	if text == "" {
		return
	}
	if w.language != "" {
		name += ";LANGUAGE=" + parameter(w.language)
	}
	w.property(name, escape(text))
}

// texts writes a property that is a list of texts.
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

// instant writes a property that is a moment, none for the zero time.
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

// escape writes a text as a value (§3.3.11).
func escape(text string) string { return escapes.Replace(strings.ToValidUTF8(text, "\uFFFD")) }

// appendPlain appends a value without the control characters that no line may
// have (§3.1).
func appendPlain(b []byte, value string) []byte {
	for _, r := range value {
		if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 {
			continue
		}
		b = utf8.AppendRune(b, r)
	}
	return b
}

// parameter writes the value of a parameter, in quotation marks where it needs
// them; it can't hold any (§3.2).
func parameter(value string) string {
	value = strings.ReplaceAll(string(appendPlain(nil, value)), `"`, "'")
	if strings.ContainsAny(value, ":;,") {
		return `"` + value + `"`
	}
	return value
}
