package programme

import (
	"strings"

	"github.com/kalends/kalends/web/ui"
)

// TextType is the media type of Text.
const TextType = "text/plain; charset=utf-8"

// Text returns the programme as lines: the name of each day, and a line for each event.
func (p *Programme) Text() string {
	var b strings.Builder
	b.WriteString(ui.Joined(p.Title, p.Period) + "\n")
	for _, part := range p.Parts() {
		b.WriteString("\n" + part.Name + "\n")
		for _, e := range part.Entries {
			b.WriteString(e.Time + "  " + e.Text() + "\n")
		}
	}
	return b.String()
}

// Text is the entry in a line, without its time.
func (e *Entry) Text() string { return ui.Joined(e.Title, e.Where()) }

// Where returns the second line of an entry: its place, price and note, or "".
func (e *Entry) Where() string { return ui.Joined(e.Place, e.Price, e.Note) }
