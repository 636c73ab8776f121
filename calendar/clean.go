package calendar

import "strings"

// CleanLine returns a text of one line: tags, entities and line breaks gone
// (reference §14.4).
func CleanLine(s string) string { return CleanTerm(s) }

// CleanInline returns sanitised HTML as CleanHTML does, without making
// paragraphs: descriptions of terms (reference §16.4).
func CleanInline(s string) string {
	return strings.TrimSpace(htmlPolicy.Sanitize(strings.ToValidUTF8(s, "\uFFFD")))
}
