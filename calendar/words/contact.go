package words

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar/wording"
)

var (
	phone  = regexp.MustCompile(`^(?:\+\d{6,}|\(?0\d{2,5}\)?[/-]\d{3,}|\+?\d{1,4}(?:-\d{3,}){2,})`)
	digits = regexp.MustCompile(`^[+(]*\d[\d()/.-]+$`) // a part of a telephone number
	email  = regexp.MustCompile(`^[(<]?[^@\s]+@[^@\s]+\.\pL{2,}[.)>]?$`)
	link   = regexp.MustCompile(`^\(?(?:https?://|www\.[^.]+\.)`)
)

// readLink reads the first web address. Others are sentences of the description.
func (r *reader) readLink(i int) bool {
	if r.link != "" || !link.MatchString(r.words[i]) {
		return false
	}
	r.link = strings.TrimRight(strings.TrimLeft(r.plain[i], "("), ".,;)")
	if !strings.Contains(r.link, "://") {
		r.link = "https://" + r.link
	}
	r.use(i, 1, Website)
	return true
}

// contact returns how many words of a telephone number, an e-mail address or a web address begin at word i, with what says that it is
// one; 0 if there is none.
func (r *reader) contact(i int) (n int) {
	if r.free(i) == "" {
		return 0
	}
	plain := wording.ASCIIDigits(r.plain[i])
	if email.MatchString(plain) || link.MatchString(plain) || phone.MatchString(plain) {
		return 1
	}
	if !r.callsPhone(i) {
		return 0
	}
	for digits.MatchString(wording.ASCIIDigits(r.free(i + n + 1))) {
		n++
	}
	if n == 0 {
		return 0
	}
	return n + 1
}

// bare reports whether a word is text that has no field yet.
func (r *reader) bare(i int) bool {
	return i >= 0 && i < len(r.words) && r.field[i] == "" && (r.literal[i] || !slices.Contains([]string{"–", "|", "@"}, r.words[i]))
}

// notes takes how to reach somebody out of the line, with what stands beside it up to the next comma: "registration: Tel. 08152 99120". A
// line has a title before it has notes.
func (r *reader) notes() {
	titled := false
	for i := range r.words {
		begins := r.bare(i) && (r.cuts[i] || !r.bare(i-1))
		n := 0
		if begins && titled {
			_, n = longestOf(r, r.v.Contact, i)
		}
		if n > 0 {
			r.note(i, i, i+n, true)
		} else if n = r.contact(i); n > 0 {
			from := i
			for !r.cuts[from] && r.bare(from-1) {
				from--
			}
			if !titled || !r.textBefore(from) {
				from = i
			}
			r.note(from, i, i+n, titled)
		}
		titled = titled || r.bare(i)
	}
}

// textBefore reports whether there is text without a field before a word.
func (r *reader) textBefore(i int) bool {
	for i--; i >= 0; i-- {
		if r.bare(i) {
			return true
		}
	}
	return false
}

// note makes the words from one index up to another a note, and those after them up to the next comma if beyond is set. Those from
// index at on say how to reach somebody; those around them may be the place.
func (r *reader) note(from, at, until int, beyond bool) {
	end := until
	for beyond && end < len(r.words) && !r.cuts[end] && r.bare(end) {
		end++
	}
	if from == at && end < len(r.words) && r.field[end] == Website && !r.cuts[end] { // Info: www.example.org
		r.use(from, end-from, Website)
		return
	}
	if _, label := longestOf(r, r.v.Contact, from); label == 0 {
		for _, part := range [][2]int{{from, at}, {until, end}} {
			around := r.span(part[0], part[1]-part[0])
			if text := strings.Trim(around, loose+"()"); name(text) && !strings.HasSuffix(around, ":") && r.beside == "" {
				r.beside = text
			}
		}
	}
	r.use(from, end-from, Note)
}

// noted returns the notes of a line as a text.
func (r *reader) noted() string {
	var list []string
	for i := 0; i < len(r.words); {
		n := 1
		for i+n < len(r.words) && r.field[i+n] == r.field[i] && !r.cuts[i+n] {
			n++
		}
		if text := strings.Trim(r.span(i, n), loose); r.field[i] == Note && text != "" {
			list = append(list, text)
		}
		i += n
	}
	return strings.Join(list, ", ")
}

// lastBrackets matches a title that ends with text in parentheses.
var lastBrackets = regexp.MustCompile(`[^\s(\[（]\s*[(\[（]([^()\[\]（）]+)[)\]）]$`)

// MaybePlace returns what may be the place of an event that has none: text in parentheses at the end of its title that looks like a name.
// It returns "" if there is none.
func MaybePlace(title string) string {
	m := lastBrackets.FindStringSubmatch(strings.TrimSpace(title))
	if m == nil {
		return ""
	}
	if text := strings.TrimSpace(m[1]); name(text) {
		return text
	}
	return ""
}

// name reports whether a text looks like a name: it begins with a letter that is not a small one, and has no digits.
func name(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(c) && !unicode.IsLower(c) && !strings.ContainsFunc(text, unicode.IsDigit)
}
