package wording

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostWords is the maximum number of words that a search looks for, and of words that it excludes: each is compared with every
// text that the others leave.
const mostWords = 10

// ParseSearch splits a search text into words, phrases in quotes, and excluded words, which begin with a dash (rule 5.6). Each
// is folded like the stored texts. If there are more than ten words, those from the tenth on become one phrase. Excluded words
// beyond the tenth are ignored.
func ParseSearch(text string) Search {
	s := Search{Text: text}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimLeftFunc(text, unicode.IsSpace) {
		without := len(text) > 1 && text[0] == '-'
		if without {
			text = text[1:]
		}
		var word string
		quoted := text[0] == '"'
		word, text = nextWord(text)
		switch folded := Fold(word); {
		case folded == "":
		case without:
			s.Without = append(s.Without, folded)
		default:
			s.Words = append(s.Words, folded)
			if quoted {
				s.Quoted = append(s.Quoted, folded)
			}
		}
	}
	if last := mostWords - 1; len(s.Words) > mostWords {
		s.Words = append(s.Words[:last:last], strings.Join(s.Words[last:], " "))
	}
	s.Words = withoutRedundant(s.Words, strings.Contains)
	s.Without = withoutRedundant(s.Without, func(other, word string) bool { return strings.Contains(word, other) })
	s.Without = s.Without[:min(len(s.Without), mostWords)]
	return s
}

// withoutRedundant returns the words that no other word implies.
func withoutRedundant(words []string, implies func(other, word string) bool) []string {
	var list []string
	for i, word := range words {
		implied := func(other string) bool { return implies(other, word) }
		later := func(other string) bool { return other != word && implied(other) }
		if !slices.ContainsFunc(list, implied) && !slices.ContainsFunc(words[i+1:], later) {
			list = append(list, word)
		}
	}
	return list
}

// nextWord cuts the first word or quoted phrase off text.
func nextWord(text string) (word, rest string) {
	if text[0] == '"' {
		if end := strings.IndexByte(text[1:], '"'); end >= 0 {
			return text[1 : end+1], text[end+2:]
		}
		text = text[1:]
	}
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		return text[:end], text[end:]
	}
	return text, ""
}

// Phrase returns the search for a text as a whole, as people type it.
func Phrase(text string) string { return `"` + strings.ReplaceAll(text, `"`, " ") + `"` }

// Search is a folded text search: all words must occur, and none of the excluded ones.
type Search struct {
	Words, Without []string
	Text           string   // as sent
	Quoted         []string // words in quotes, among Words
	Typed          []string // of Words that were loosened, in their order, as they were before; nil: none was
}

// leastInflected is the minimum number of letters of words whose other forms are searched as well. leastStem is the
// minimum number of letters that must remain.
const (
	leastInflected = 5
	leastStem      = 4
)

// Inflected returns the words that may be inflected forms.
func (s *Search) Inflected() (words []string) {
	for _, word := range s.Words {
		if utf8.RuneCountInString(word) >= leastInflected && !slices.Contains(s.Quoted, word) &&
			!strings.ContainsFunc(word, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) }) {
			words = append(words, word)
		}
	}
	return words
}

// Loosened returns the search with words shortened to the beginning that they share with one of their stems, so
// that it also finds other forms: "concert" for "concerts". A word that would become too short stays unchanged.
func (s *Search) Loosened(stems map[string][]string) Search {
	loose := *s
	loose.Words, loose.Typed = slices.Clone(s.Words), s.Words
	for i, word := range s.Words {
		for _, stem := range stems[word] {
			if short := inCommon(word, Fold(stem)); short != "" {
				loose.Words[i] = short
				break
			}
		}
	}
	if slices.Equal(loose.Words, s.Words) {
		return *s
	}
	return loose
}

// inCommon returns the beginning that a word shares with its stem, or "" if it is too short or the whole word. Stems may end
// in another letter than their words, such as "librari".
func inCommon(word, stem string) string {
	letters, n := []rune(word), 0
	for _, c := range stem {
		if n >= len(letters) || letters[n] != c {
			break
		}
		n++
	}
	if utf8.RuneCountInString(stem)-n > 1 || n < leastStem || n == len(letters) || n*5 < len(letters)*3 {
		return ""
	}
	if letters[n-1] == 'i' && n > leastStem { // libraries and library
		n--
	}
	return string(letters[:n])
}

// InWord reports whether a rune is part of a word: a letter, a digit, or a mark. The vowels of Indian scripts and of Thai are
// marks.
func InWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
