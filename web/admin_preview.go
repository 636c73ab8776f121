package web

import (
	"errors"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// findPreview looks for the address at which people without an account see the event
// of an editor.
func (w *admin) findPreview(v *visit, ed *eventEditor) error {
	if !ed.shares() {
		return nil
	}
	p, err := w.calendar.Previews().Of(v.ctx, ed.event.ID)
	switch {
	case errors.Is(err, calendar.ErrNotFound), errors.Is(err, calendar.ErrTrashed), errors.Is(err, tenancy.ErrForbidden):
		return nil
	case err != nil:
		return err
	}
	ed.preview = p
	return nil
}

// shares reports whether the event of an editor can have a preview: it is stored, not
// published, and more than one date of a series.
func (ed *eventEditor) shares() bool {
	return ed.event != nil && ed.event.Status != calendar.Publish && ed.event.Series == nil
}

// changePreview makes the address of a preview, or has it lead nowhere.
func (w *admin) changePreview(v *visit) (*reply, error) {
	back := &reply{redirect: eventAddress(v.id) + "#preview", say: "preview.revoked"}
	if v.form.get("do") == "revoke" {
		return back, w.calendar.Previews().Revoke(v.ctx, v.id)
	}
	back.say = "preview.made"
	_, err := w.calendar.Previews().Make(v.ctx, v.id)
	return back, err
}

// share makes a preview of an event that was just saved, when that was asked for.
func (w *admin) share(v *visit, e *calendar.Event, r *reply) (*reply, error) {
	if v.form.get("do") != "share" || e == nil || e.Series != nil || e.Status == calendar.Publish {
		return r, nil
	}
	r.redirect, r.say = eventAddress(e.ID)+"#preview", "preview.made"
	_, err := w.calendar.Previews().Make(v.ctx, e.ID)
	return r, err
}
