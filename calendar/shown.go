package calendar

// Shown says what a list for editors does with events that are on show: those of more than OnShowAfter days that began before today. It is
// not an API argument.
type Shown int

// OnShowAfter is the number of days above which an event counts as on show, such as an exhibition, and not as an
// event of particular days.
const OnShowAfter = 3

// The values of Shown.
const (
	ShownToo  Shown = iota // they are in their order among all others
	ShownNot               // they are left out, so that the list begins with what is next
	ShownOnly              // there is nothing else
)
