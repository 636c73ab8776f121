// Package jsontext writes JSON, member by member, as fast as bytes can be appended, and picks members out of finished
// JSON. It knows no resource.
package jsontext

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar/wording"
)

// Writer appends JSON to a buffer. Keys appear in call order, which is the order that clients know (rule 4.2). Commas
// depend only on the last byte written, so that the writer needs no other state.
type Writer struct {
	Bytes []byte // the JSON written so far; callers may append their own
}

// TimeFormat is the format of all times (rule 8.1).
const TimeFormat = "2006-01-02 15:04:05"

// Comma begins a member or an entry: it writes a comma unless this is the first.
func (w *Writer) Comma() {
	if n := len(w.Bytes); n > 0 {
		switch w.Bytes[n-1] {
		case '{', '[', ':':
		default:
			w.Bytes = append(w.Bytes, ',')
		}
	}
}

// Key writes the key of a member, which has to be plain ASCII. A value has to follow.
func (w *Writer) Key(k string) {
	w.Comma()
	w.Bytes = append(append(append(w.Bytes, '"'), k...), '"', ':')
}

// Named writes a key that a client may have chosen.
func (w *Writer) Named(k string) {
	w.Comma()
	w.Bytes = append(AppendString(w.Bytes, k), ':')
}

// Open begins the object or list of a key.
func (w *Writer) Open(k string, bracket byte) {
	w.Key(k)
	w.Bytes = append(w.Bytes, bracket)
}

// Item begins an object in a list.
func (w *Writer) Item() {
	w.Comma()
	w.Bytes = append(w.Bytes, '{')
}

// Close ends an object or list.
func (w *Writer) Close(bracket byte) { w.Bytes = append(w.Bytes, bracket) }

// Text writes a text.
func (w *Writer) Text(k, v string) {
	w.Key(k)
	w.Bytes = AppendString(w.Bytes, v)
}

// Texts writes a list of strings.
func (w *Writer) Texts(key string, list ...string) {
	w.Open(key, '[')
	for _, one := range list {
		w.Comma()
		w.Bytes = AppendString(w.Bytes, one)
	}
	w.Close(']')
}

// Some writes a text unless it is empty.
func (w *Writer) Some(k, v string) {
	if v != "" {
		w.Text(k, v)
	}
}

// Int writes a whole number.
func (w *Writer) Int(k string, n int64) {
	w.Key(k)
	w.Bytes = strconv.AppendInt(w.Bytes, n, 10)
}

// Number writes a list entry.
func (w *Writer) Number(n int64) {
	w.Comma()
	w.Bytes = strconv.AppendInt(w.Bytes, n, 10)
}

// Digits writes a number as a string, as for author ids.
func (w *Writer) Digits(k string, n int64) {
	w.Key(k)
	w.Bytes = append(w.Bytes, '"')
	w.Bytes = strconv.AppendInt(w.Bytes, n, 10)
	w.Bytes = append(w.Bytes, '"')
}

// Float writes a number without an exponent.
func (w *Writer) Float(k string, f float64) {
	w.Key(k)
	w.Bytes = strconv.AppendFloat(w.Bytes, f, 'f', -1, 64)
}

// Bool writes true or false.
func (w *Writer) Bool(k string, v bool) {
	w.Key(k)
	w.Bytes = strconv.AppendBool(w.Bytes, v)
}

// Raw writes a value that is already JSON.
func (w *Writer) Raw(k, v string) {
	w.Key(k)
	w.Bytes = append(w.Bytes, v...)
}

// Time writes a time as TimeFormat says, in the zone it is in.
func (w *Writer) Time(k string, t time.Time) {
	w.Key(k)
	w.Bytes = append(appendStamp(append(w.Bytes, '"'), t), '"')
}

// appendStamp appends a time in TimeFormat, which is frequent enough to optimize.
func appendStamp(b []byte, t time.Time) []byte {
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(b, TimeFormat)
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

// HTML writes plain text as safe HTML (rule 4.3).
func (w *Writer) HTML(k, v string) {
	w.Key(k)
	w.Bytes = appendHTML(w.Bytes, v)
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Invalid UTF-8 becomes the replacement character.
func AppendString(b []byte, s string) []byte {
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
	return AppendString(b, s)
}
