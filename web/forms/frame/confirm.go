package frame

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
)

// Confirmation is the data of a page that asks for confirmation before something happens to items, usually before they
// are deleted permanently.
type Confirmation struct {
	Action, Back string
	Do           string   // action, "" for deletion
	Title        string   // question, "" for that before deletion
	Names        []Pair   // id and name of each item
	Text         string   // text key of what will happen, "" for deletion
	Notes        []string // what else happens
	Kept         []Pair   // other fields of the form
}

// SeenField is the form field with the version of the site at which the page was shown. For a single item, the
// field's name is followed by a dot and the item's id.
const SeenField = "seen"

// Seen has the versions that the page of a form has shown.
type Seen struct {
	form *Form
	own  map[int64]bool
}

// SeenIn returns the versions that the page of a form has shown.
func SeenIn(f *Form) *Seen { return &Seen{form: f, own: map[int64]bool{}} }

// UpTo returns the version at which the page has shown an item, or 0 if the form does not say.
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

// Still returns the condition that an item is unchanged since the page showed it, except by the same form.
func (s *Seen) Still(id int64) calendar.Condition {
	upTo := s.UpTo(id)
	return func(version int64) error {
		if version > upTo && !s.own[version] {
			return calendar.ErrPrecondition
		}
		return nil
	}
}

// Wrote records a version that the form itself has created.
func (s *Seen) Wrote(version int64) { s.own[version] = true }

// Still returns the condition that an item has a version.
func Still(version int64) calendar.Condition {
	return func(now int64) error {
		if now != version {
			return calendar.ErrPrecondition
		}
		return nil
	}
}

// SeenFields are the fields that say which versions the page has shown.
func SeenFields(f *Form) []Pair {
	return slices.DeleteFunc(f.Kept(), func(p Pair) bool {
		return p.Name != SeenField && !strings.HasPrefix(p.Name, SeenField+".")
	})
}
