// Package saving saves forms that change an item. It compares the form field by field with what is stored. If someone else has
// saved since it was opened, the person chooses between both versions.
package saving

import (
	"errors"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

// Edit is a form that was sent to change an item, with the item's stored values.
type Edit struct {
	Form, Now *frame.Form // what was typed, and what is stored
	Fields    Fields
	Action    string // address to which the form is sent, and at which it opens
	Section   string // of the pages

	Readable func(f *frame.Form, name, text string) string // returns the content of a field for people; text is its text for comparing
	By       func() (tenancy.Entry, error)                 // returns the history entry of the last save; nil: unknown
	Again    func() (*frame.Reply, error)                  // shows the form
	Store    func() (*frame.Reply, error)
}

// Save saves a form. load returns the form with the stored values, or a reply if there is nothing to save. A form that asks
// for more rows is shown again. If someone else has saved since it was opened, or saves meanwhile, the person chooses between
// the versions of the fields that both have changed. If there are none, the changes of both are stored.
func Save(v *frame.Visit, load func() (*Edit, *frame.Reply, error)) (*frame.Reply, error) {
	for merged := false; ; {
		e, r, err := load()
		if e == nil || err != nil {
			return r, err
		}
		e.resolve()
		switch {
		case e.Form.ShownAgain():
			return e.Again()
		case e.met():
			if r, err = e.settle(v); r != nil || err != nil {
				return r, err
			}
			merged = true
		}
		if r, err = e.Store(); !errors.Is(err, calendar.ErrPrecondition) && !errors.Is(err, platform.ErrChanged) {
			if err == nil && merged && r.Say == "saved" {
				r.Say = "together"
			}
			return r, err
		}
	}
}
