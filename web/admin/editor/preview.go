package editor

import (
	"errors"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// findPreview reads the preview of the event, which people without an account can see.
func (w *Pages) findPreview(v *frame.Visit, ed *eventEditor) error {
	if !ed.shares() {
		return nil
	}
	p, err := w.calendar.Previews().Of(v.Ctx, ed.event.ID)
	switch {
	case errors.Is(err, calendar.ErrNotFound), errors.Is(err, calendar.ErrTrashed), errors.Is(err, tenancy.ErrForbidden):
		return nil
	case err != nil:
		return err
	}
	ed.preview = p
	return nil
}

// shares reports whether the event can have a preview: it must be stored, unpublished, and not a date of a series.
func (ed *eventEditor) shares() bool {
	return ed.event != nil && ed.event.Status != calendar.Publish && ed.event.Series == nil
}

// changePreview creates or revokes the address of a preview.
func (w *Pages) changePreview(v *frame.Visit) (*frame.Reply, error) {
	back := &frame.Reply{Redirect: frame.EventAddress(v.ID) + "#preview", Say: "preview.revoked"}
	if v.Form.Get("do") == "revoke" {
		return back, w.calendar.Previews().Revoke(v.Ctx, v.ID)
	}
	back.Say = "preview.made"
	_, err := w.calendar.Previews().Make(v.Ctx, v.ID)
	return back, err
}

// share creates a preview of an event that was just saved, if the form requests one.
func (w *Pages) share(v *frame.Visit, e *calendar.Event, r *frame.Reply) (*frame.Reply, error) {
	if v.Form.Get("do") != "share" || e == nil || e.Series != nil || e.Status == calendar.Publish {
		return r, nil
	}
	r.Redirect, r.Say = frame.EventAddress(e.ID)+"#preview", "preview.made"
	_, err := w.calendar.Previews().Make(v.Ctx, e.ID)
	return r, err
}
