package ui

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar/wording"
)

// Prose returns a stored description as HTML. Descriptions are cleaned when they are stored. A description with a
// class or an id may be older than the present rules, so it is cleaned again: it must not look like a part of the
// page around it.
func Prose(text string) templ.Component {
	if strings.Contains(text, " class=") || strings.Contains(text, " id=") {
		text = wording.CleanHTML(text)
	}
	return templ.Raw(text)
}
