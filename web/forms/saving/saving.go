// Package saving saves forms that change an item. It compares the form field by field with the stored item. If
// someone else has saved since the form was opened, the person chooses between both versions.
package saving

import (
	"context"
	"errors"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
)

// Edit is a form that was sent to change an item, together with the item's stored values.
type Edit struct {
	Form, Now *frame.Form // the form as typed, and the stored item
	Fields    Fields
	Action    string // address to which the form is sent, and at which it opens
	Section   string // of the pages

	Label    func(ctx context.Context, name string) string // returns the label of a field; nil: that of the form
	Readable func(f *frame.Form, name, text string) string // returns the content of a field for people; text is its text for comparing
	By       func() (tenancy.Entry, error)                 // returns the history entry of the last save; nil: unknown
	Again    func() (*frame.Reply, error)                  // shows the form
	Store    func() (*frame.Reply, error)
}

// Save saves a form. load returns the form with the stored values, or a reply if there is nothing to save. A form
// that asks for more rows is shown again. If someone else has saved since the form was opened, or does so at the
// same time, the person chooses between the versions of the fields that both have changed. If both have changed
// different fields, all changes are stored.
func Save(v *frame.Visit, load func() (*Edit, *frame.Reply, error)) (*frame.Reply, error) {
	for merged := (*other)(nil); ; {
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
			if merged, err = e.other(); err != nil {
				return nil, err
			}
		}
		if r, err = e.Store(); !errors.Is(err, calendar.ErrPrecondition) && !errors.Is(err, platform.ErrChanged) {
			if err == nil && merged != nil && (r.Say == "saved" || r.Say == "saved"+frame.OfDate) {
				merged.tell(v, r)
			}
			return r, err
		}
	}
}

// other is another person who has saved in the meantime.
type other struct{ tenancy.Entry }

// other finds the person who has saved in the meantime, or returns nil if that is unknown.
func (e *Edit) other() (*other, error) {
	by := &other{}
	if e.By == nil {
		return by, nil
	}
	var err error
	by.Entry, err = e.By()
	return by, err
}

// tell adds a message to a reply: whose changes were saved as well. It does nothing if they are by the same person.
func (o *other) tell(v *frame.Visit, r *frame.Reply) {
	switch {
	case o.At.IsZero():
		r.Say = "together"
	case o.UserID == 0 || o.UserID != v.Scope().Principal.UserID:
		r.Say, r.By = "together.by", history.ActorText(v.Ctx, &o.Entry)
	}
}
