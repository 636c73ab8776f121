package api

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// writer appends JSON to a buffer. Keys come out in the order of the calls,
// which is the order clients know (wire.md §4). Commas follow from the last
// byte written, so the writer needs no other state.
type writer struct{ b []byte }

// stamp is the form of every time of the interface (reference §7).
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
	w.b = append(w.b, '"')
	w.b = append(w.b, k...)
	w.b = append(w.b, '"', ':')
}

// open begins the object or list of a key.
func (w *writer) open(k string, bracket byte) {
	w.key(k)
	w.b = append(w.b, bracket)
}

// item begins an object within a list.
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

// number writes an entry of a list.
func (w *writer) number(n int64) {
	w.comma()
	w.b = strconv.AppendInt(w.b, n, 10)
}

// digits writes a number as text, as the interface has author ids.
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

// raw writes JSON that is there already.
func (w *writer) raw(k, v string) {
	w.key(k)
	w.b = append(w.b, v...)
}

func (w *writer) time(k string, t time.Time) {
	w.key(k)
	w.b = append(w.b, '"')
	w.b = t.AppendFormat(w.b, stamp)
	w.b = append(w.b, '"')
}

// html writes plain text as safe HTML text (wire.md §4, "Titles and names").
func (w *writer) html(k, v string) {
	w.key(k)
	w.b = appendHTML(w.b, v)
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string. Bytes that aren't UTF-8 become the
// replacement character.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(append(b, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		b = appendControl(b, c)
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
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

// appendHTML appends s as a JSON string with &, < and > as entities.
func appendHTML(b []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if s[i] == '&' || s[i] == '<' || s[i] == '>' {
			plain = false
			break
		}
	}
	if plain {
		return appendString(b, s)
	}
	return appendString(b, escape(s))
}
