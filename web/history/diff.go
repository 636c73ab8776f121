package history

import (
	"html"
	"slices"
	"strings"
	"unicode"

	"github.com/kalends/kalends/calendar/wording"
)

// piece is a part of a text that was kept, removed or added.
type piece struct {
	kind byte // ' ', '-', '+'
	text string
}

// mostCompared limits the work of one comparison, in pairs of words.
const mostCompared = 4_000_000

// compareTexts returns the differences between two texts word by word. From the first difference on, texts that are
// too long to compare are replaced as a whole.
func compareTexts(before, after string) []piece {
	a, b := words(before), words(after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	list := joined(nil, ' ', a[:head])
	list = between(list, a[head:len(a)-tail], b[head:len(b)-tail])
	return joined(list, ' ', a[len(a)-tail:])
}

// between compares by the longest common subsequence.
func between(list []piece, a, b []string) []piece {
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > mostCompared {
		return joined(joined(list, '-', a), '+', b)
	}
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width)
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if a[i] == b[j] {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			list = joined(list, ' ', a[i:i+1])
			i, j = i+1, j+1
		case longest[(i+1)*width+j] >= longest[i*width+j+1]:
			list = joined(list, '-', a[i:i+1])
			i++
		default:
			list = joined(list, '+', b[j:j+1])
			j++
		}
	}
	return joined(joined(list, '-', a[i:]), '+', b[j:])
}

// marked returns the text before or after as HTML, in which what differs is marked.
func marked(list []piece, after bool) string {
	var b strings.Builder
	for _, p := range list {
		switch {
		case p.kind == ' ':
			b.WriteString(html.EscapeString(p.text))
		case (p.kind == '+') == after:
			b.WriteString("<mark>" + html.EscapeString(p.text) + "</mark>")
		}
	}
	return b.String()
}

// joined appends words to the last piece if it has the same kind, or adds a piece.
func joined(list []piece, kind byte, texts []string) []piece {
	if len(texts) == 0 {
		return list
	}
	text := strings.Join(texts, "")
	if n := len(list); n > 0 && list[n-1].kind == kind {
		list[n-1].text += text
		return list
	}
	return append(list, piece{kind, text})
}

// words splits a text into runs of letters and digits, runs of spaces, and single other characters, including each
// letter of scripts without spaces between words.
func words(text string) []string {
	var list []string
	last := 0 // 1 in a word, 2 in spaces
	for _, r := range text {
		kind := 0
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
		case wording.InWord(r):
			kind = 1
		case unicode.IsSpace(r):
			kind = 2
		}
		if kind != 0 && kind == last {
			list[len(list)-1] += string(r)
		} else {
			list = append(list, string(r))
		}
		last = kind
	}
	return list
}
