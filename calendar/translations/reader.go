package translations

import (
	"strings"
)

// textReader parses JSON from the start of a string.
type textReader struct {
	s   string
	at  int
	odd bool // something unsupported was found
}

// field parses the value of a field of Text.
func (r *textReader) field(t *Text, name string) {
	switch name {
	case "title":
		t.Title = r.text()
	case "description":
		t.Description = r.text()
	case "excerpt":
		t.Excerpt = r.text()
	case "slug":
		t.Slug = r.text()
	case "cost":
		r.texts(&t.Cost)
	case "stale":
		r.texts(&t.Stale)
	case "original":
		r.texts(&t.Original)
	case "blank":
		r.texts(&t.Blank)
	case "address":
		t.Address = r.text()
	case "city":
		t.City = r.text()
	case "country":
		t.Country = r.text()
	case "seo_title":
		t.SEOTitle = r.text()
	case "seo_description":
		t.SEODesc = r.text()
	case "version":
		t.Version = r.number()
	case "outdated":
		t.Outdated = r.next("true")
		r.odd = r.odd || !t.Outdated && !r.next("false")
	default:
		r.odd = true
	}
}

// texts parses a list of strings.
func (r *textReader) texts(into *[]string) {
	*into = nil
	r.list('[', ']', func() { *into = append(*into, r.text()) })
}

// object parses an object and calls each to parse the value of every name.
func (r *textReader) object(each func(name string)) {
	r.list('{', '}', func() {
		name := r.text()
		r.expect(':')
		each(name)
	})
}

// list parses the entries between two delimiters, separated by commas.
func (r *textReader) list(from, to byte, each func()) {
	r.expect(from)
	if r.next(string(to)) {
		return
	}
	for !r.odd {
		each()
		if r.next(string(to)) {
			return
		}
		r.expect(',')
	}
}

// next consumes a word if it comes next.
func (r *textReader) next(word string) bool {
	for r.at < len(r.s) && r.s[r.at] == ' ' {
		r.at++
	}
	if !strings.HasPrefix(r.s[r.at:], word) {
		return false
	}
	r.at += len(word)
	return true
}

func (r *textReader) expect(mark byte) { r.odd = !r.next(string(mark)) || r.odd }

// number parses a non-negative integer.
func (r *textReader) number() (n int64) {
	r.next("")
	const most = 18 // always fits
	from := r.at
	for r.at < len(r.s) && r.s[r.at] >= '0' && r.s[r.at] <= '9' && r.at-from < most {
		n = n*10 + int64(r.s[r.at]-'0')
		r.at++
	}
	r.odd = r.odd || r.at == from || r.at-from > 1 && r.s[from] == '0'
	return n
}

// unescaped maps escape characters, except u, to what they stand for.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// text parses a string.
func (r *textReader) text() string {
	if !r.next(`"`) {
		r.odd = true
		return ""
	}
	rest := r.s[r.at:]
	end := special(rest)
	if end >= 0 && rest[end] == '"' {
		r.at += end + 1
		return rest[:end]
	}
	var b strings.Builder
	b.Grow(4 * (end + 16))
	for end >= 0 && end+1 < len(rest) && rest[end] == '\\' && unescaped[rest[end+1]] != 0 {
		b.WriteString(rest[:end])
		b.WriteByte(unescaped[rest[end+1]])
		rest = rest[end+2:]
		end = special(rest)
	}
	if end < 0 || rest[end] != '"' {
		r.odd = true
		return ""
	}
	b.WriteString(rest[:end])
	r.at = len(r.s) - len(rest) + end + 1
	return b.String()
}

// special returns the index of the first quotation mark or backslash, or -1.
func special(text string) int {
	for i := range len(text) {
		if text[i] == '"' || text[i] == '\\' {
			return i
		}
	}
	return -1
}
