package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// unsent are the fields of the editor that no draft keeps, besides secrets.
var unsent = map[string]bool{"event": true, "post_password": true, "image_file": true, "once": true}

// saveDraft keeps what is being typed into the form of an event, 0 for a new
// one, or drops it. The event itself is left alone.
func (w *admin) saveDraft(v *visit) (*reply, error) {
	id, err := strconv.ParseInt(v.form.get("event"), 10, 64)
	if err != nil || id < 0 {
		return nil, calendar.ErrNotFound
	}
	if v.form.get("do") == "drop" {
		back := adminRoot + "/events/new"
		if id != 0 {
			back = eventAddress(id)
		}
		return &reply{redirect: back, say: "draft.dropped"}, w.calendar.Drafts().Drop(v.ctx, id)
	}
	d := &calendar.FormDraft{ID: id, Form: map[string][]string{}}
	if d.Base, err = strconv.ParseInt(v.form.get("version"), 10, 64); err != nil {
		d.Base = 0
	}
	for _, p := range v.form.kept() {
		if !unsent[p.Name] {
			d.Form[p.Name] = append(d.Form[p.Name], p.Value)
		}
	}
	err = w.calendar.Drafts().Save(v.ctx, d)
	if v.form.refuse(v.ctx, err) { // only its length can be wrong with it
		return &reply{status: http.StatusRequestEntityTooLarge, text: tell(v.ctx, "draft.large")}, nil
	}
	if err != nil {
		return nil, err
	}
	return &reply{text: tellWith(v.ctx, "draft.saved", "Time", ui.DatesIn(v.ctx).Clock(ui.WallAt(d.At, v.scope().Site.Location)))}, nil
}

// offerDraft looks for what was typed into an editor before: it is offered, or
// taken when the address asks for it.
func (w *admin) offerDraft(v *visit, ed *eventEditor) error {
	d, err := w.calendar.Drafts().Get(v.ctx, ed.id())
	switch {
	case errors.Is(err, calendar.ErrNotFound) || errors.Is(err, tenancy.ErrForbidden):
		return nil
	case err != nil:
		return err
	}
	if ed.draft = d; v.query.Get("draft") == "" {
		return nil
	}
	once := ed.form.get("once")
	ed.typed, ed.form = true, &form{kind: "event", values: d.Form}
	ed.form.set("once", once)
	return nil
}

// dropDraft forgets what was typed into a form that is saved.
func (w *admin) dropDraft(ctx context.Context, id int64) error {
	return w.calendar.Drafts().Drop(ctx, id)
}

// id is the event's, 0 for a new one.
func (ed *eventEditor) id() int64 {
	if ed.event == nil {
		return 0
	}
	return ed.event.ID
}

// overtaken reports whether the event was changed since the draft was begun.
func (ed *eventEditor) overtaken() bool { return ed.event != nil && ed.draft.Base != ed.event.Version }
