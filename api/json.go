package api

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar/wording"
)

// writer appends JSON to a buffer. Keys appear in call order, which is the order that clients know (rule 4.2). Commas
// depend only on the last byte written, so that the writer needs no other state.
type writer struct{ b []byte }

// stamp is the format of all times (rule 8.1).
const stamp = "2006-01-02 15:04:05"

func (w *writer) comma() {
	if n := len(w.b); n > 0 {
		switch w.b[n-1] {
		case '{', '[', ':':
		default:
			w.b = append(w.b, ',')
		}
	}
}

func (w *writer) key(k string) {
	w.comma()
	w.b = append(append(append(w.b, '"'), k...), '"', ':')
}

// named writes a key that a client may have chosen.
func (w *writer) named(k string) {
	w.comma()
	w.b = append(appendString(w.b, k), ':')
}

// open begins the object or list of a key.
func (w *writer) open(k string, bracket byte) {
	w.key(k)
	w.b = append(w.b, bracket)
}

// item begins an object in a list.
func (w *writer) item() {
	w.comma()
	w.b = append(w.b, '{')
}

func (w *writer) close(bracket byte) { w.b = append(w.b, bracket) }

func (w *writer) text(k, v string) {
	w.key(k)
	w.b = appendString(w.b, v)
}

// some writes a text unless it is empty.
func (w *writer) some(k, v string) {
	if v != "" {
		w.text(k, v)
	}
}

func (w *writer) int(k string, n int64) {
	w.key(k)
	w.b = strconv.AppendInt(w.b, n, 10)
}

// number writes a list entry.
func (w *writer) number(n int64) {
	w.comma()
	w.b = strconv.AppendInt(w.b, n, 10)
}

// digits writes a number as a string, as for author ids.
func (w *writer) digits(k string, n int64) {
	w.key(k)
	w.b = append(w.b, '"')
	w.b = strconv.AppendInt(w.b, n, 10)
	w.b = append(w.b, '"')
}

func (w *writer) float(k string, f float64) {
	w.key(k)
	w.b = strconv.AppendFloat(w.b, f, 'f', -1, 64)
}

func (w *writer) bool(k string, v bool) {
	w.key(k)
	w.b = strconv.AppendBool(w.b, v)
}

// raw writes a value that is already JSON.
func (w *writer) raw(k, v string) {
	w.key(k)
	w.b = append(w.b, v...)
}

func (w *writer) time(k string, t time.Time) {
	w.key(k)
	w.b = append(appendStamp(append(w.b, '"'), t), '"')
}

// appendStamp appends a time in the format of stamp, which is frequent enough to optimize.
func appendStamp(b []byte, t time.Time) []byte {
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(b, stamp)
	}
	hour, minute, second := t.Clock()
	b = appendPair(appendPair(b, year/100), year%100)
	b = appendPair(append(b, '-'), int(month))
	b = appendPair(append(b, '-'), day)
	b = appendPair(append(b, ' '), hour)
	b = appendPair(append(b, ':'), minute)
	return appendPair(append(b, ':'), second)
}

func appendPair(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }

// html writes plain text as safe HTML (rule 4.3).
func (w *writer) html(k, v string) {
	w.key(k)
	w.b = appendHTML(w.b, v)
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string. Invalid UTF-8 becomes the replacement character.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := plainBytes(s); i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(append(b, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			if i += size; i < len(s) && s[i] < utf8.RuneSelf {
				i += plainBytes(s[i:])
			}
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		b = appendControl(b, c)
		start = i + 1
		i = start + plainBytes(s[start:])
	}
	return append(append(b, s[start:]...), '"')
}

// plainBytes returns the length, in multiples of eight, of a prefix of s that needs no escaping in JSON. It tests
// eight bytes at once: a high bit is set for each byte that is below 0x20, a quote, a backslash or not ASCII.
func plainBytes(s string) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(s)-n >= 8; n += 8 {
		x := uint64(s[n]) | uint64(s[n+1])<<8 | uint64(s[n+2])<<16 | uint64(s[n+3])<<24 |
			uint64(s[n+4])<<32 | uint64(s[n+5])<<40 | uint64(s[n+6])<<48 | uint64(s[n+7])<<56
		quote, slash := x^('"'*ones), x^('\\'*ones)
		if (x|(x-' '*ones)|(quote-ones)&^quote|(slash-ones)&^slash)&high != 0 {
			break
		}
	}
	return n
}

func appendControl(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// appendHTML appends s as a JSON string of safe HTML.
func appendHTML(b []byte, s string) []byte {
	if strings.ContainsAny(s, `&<>"`) {
		s = wording.EscapeTitle(s)
	}
	return appendString(b, s)
}
