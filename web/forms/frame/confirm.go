package frame

import (
	"strconv"

	"github.com/kalends/kalends/calendar"
)

// Confirmation asks before something is gone for good.
type Confirmation struct {
	Action, Back string
	Names        []Pair   // id and name of what goes
	Text         string   // key, "" for the usual
	Notes        []string // what else happens
	Kept         []Pair   // other fields of the form
}

// SeenField is the field of a form that says up to which version of the site its page has shown what the form decides about. A
// field of its own for one item begins with it, then a dot and the item's id.
const SeenField = "seen"

// Seen is what a page has shown when somebody decides on it.
type Seen struct {
	form *Form
	own  map[int64]bool
}

// SeenIn returns what the page of a form has shown.
func SeenIn(f *Form) *Seen { return &Seen{form: f, own: map[int64]bool{}} }

// UpTo returns the version up to which the page has shown an item; a page that does not say so has shown nothing.
func (s *Seen) UpTo(id int64) int64 {
	text := s.form.Get(SeenField)
	if one := SeenField + "." + IDText(id); s.form.Has(one) {
		text = s.form.Get(one)
	}
	version, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return version
}

// Still is the condition that an item is as the page has shown it, or as a decision of the same form has left it.
func (s *Seen) Still(id int64) calendar.Condition {
	upTo := s.UpTo(id)
	return func(version int64) error {
		if version > upTo && !s.own[version] {
			return calendar.ErrPrecondition
		}
		return nil
	}
}

// Wrote notes a version that a decision of the form has made.
func (s *Seen) Wrote(version int64) { s.own[version] = true }

// Still lets a write through while the item has that version.
func Still(version int64) calendar.Condition {
	return func(now int64) error {
		if now != version {
			return calendar.ErrPrecondition
		}
		return nil
	}
}
