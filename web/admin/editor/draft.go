package editor

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// unsent are the fields of the editor that are not kept in drafts, in addition to secrets.
var unsent = map[string]bool{"event": true, "post_password": true, "image_file": true, "once": true}

// saveDraft stores or drops the draft that someone is typing into the form of an event; the ID is 0 for a new
// event. It does not change the event.
func (w *Pages) saveDraft(v *frame.Visit) (*frame.Reply, error) {
	id, err := strconv.ParseInt(v.Form.Get("event"), 10, 64)
	if err != nil || id < 0 {
		return nil, calendar.ErrNotFound
	}
	back := frame.AdminRoot + "/events/new"
	if id != 0 {
		back = frame.EventAddress(id)
	}
	switch {
	case v.Form.ShownAgain():
		return &frame.Reply{Redirect: back}, nil
	case v.Form.Get("do") == "drop":
		return &frame.Reply{Redirect: back, Say: "draft.dropped"}, w.editing.Drafts().Drop(v.Ctx, id)
	}
	d := &editing.FormDraft{ID: id, Form: map[string][]string{}}
	if d.Base, err = strconv.ParseInt(v.Form.Get("version"), 10, 64); err != nil {
		d.Base = 0
	}
	for _, p := range v.Form.Kept() {
		if !unsent[p.Name] {
			d.Form[p.Name] = append(d.Form[p.Name], p.Value)
		}
	}
	err = w.editing.Drafts().Save(v.Ctx, d)
	if v.Form.Refuse(v.Ctx, err) { // the only possible problem is the draft's length
		return &frame.Reply{Status: http.StatusRequestEntityTooLarge, Text: frame.Tell(v.Ctx, "draft.large")}, nil
	}
	if err != nil {
		return nil, err
	}
	said := []string{frame.TellWith(v.Ctx, "draft.saved", "Time", clockAt(v.Ctx, d.At))}
	others, err := w.editing.Drafts().Others(v.Ctx, id)
	for _, other := range others {
		said = append(said, otherTypes(v.Ctx, other))
	}
	return &frame.Reply{Text: strings.Join(said, " ")}, err
}

func clockAt(ctx context.Context, at time.Time) string {
	return ui.DatesIn(ctx).Clock(ui.WallAt(at, ui.SiteOf(ctx).Location))
}

// otherTypes returns a sentence about another person who is typing into the form of an event.
func otherTypes(ctx context.Context, other editing.Typist) string {
	return frame.TellWith(ctx, "draft.others", "Name", other.Name, "Time", clockAt(ctx, other.At))
}

// offerDraft looks for an earlier draft of an editor. It offers the draft, or fills the form with it if the address
// requests that.
func (w *Pages) offerDraft(v *frame.Visit, ed *eventEditor) error {
	if ed.event != nil && v.User != nil {
		others, err := w.editing.Drafts().Others(v.Ctx, ed.event.ID)
		if err != nil {
			return err
		}
		ed.others = others
	}
	d, err := w.editing.Drafts().Get(v.Ctx, ed.id())
	switch {
	case errors.Is(err, calendar.ErrNotFound) || errors.Is(err, tenancy.ErrForbidden):
		return nil
	case err != nil:
		return err
	}
	if ed.draft = d; v.Query.Get("draft") == "" {
		return nil
	}
	once := ed.form.Get("once")
	ed.typed, ed.guessed, ed.form = true, false, &frame.Form{Kind: "event", Values: d.Form}
	ed.form.Set("once", once)
	return nil
}

// dropDraft deletes the draft of a form that was saved.
func (w *Pages) dropDraft(ctx context.Context, id int64) error {
	return w.editing.Drafts().Drop(ctx, id)
}

// id is the ID of the event, 0 for a new one.
func (ed *eventEditor) id() int64 {
	if ed.event == nil {
		return 0
	}
	return ed.event.ID
}

// overtaken reports whether the event was changed since the draft was started.
func (ed *eventEditor) overtaken() bool { return ed.event != nil && ed.draft.Base != ed.event.Version }
