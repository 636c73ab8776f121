package review

import (
	"errors"
	"net/http"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
)

// decide publishes a submission, makes it a draft, or refuses it. It does not override a decision that someone else
// has made in the meantime. If the submission has changed since the editor saw it, it shows the changes first.
func (w *Pages) decide(v *frame.Visit) (*frame.Reply, error) {
	var sub *submissions.Submission
	var err error
	var said string
	seen, do := frame.SeenIn(v.Form), v.Form.Get("do")
	if v.Form.Kind = "submission"; do != "refuse" {
		v.Form.Set("tell", "1") // the form of a refusal, which is on the same page, is as it was at first
	}
	switch do {
	case "publish", "draft":
		if r, err := w.ask(v, do); r != nil || err != nil {
			return r, err
		}
		sub, err = w.submissions.Approve(v.Ctx, v.ID, &submissions.ApprovalFields{Status: args.Some(do)}, seen.Still(v.ID))
		said = "saved." + do
	case "refuse":
		fields := &submissions.RefusalFields{}
		values := args.Values{"tell": v.Form.Ticked("tell"), "message": v.Form.Get("message")}
		if err = refusalTable.Parse(values, args.Creating, fields); err == nil {
			sub, err = w.submissions.Refuse(v.Ctx, v.ID, fields, seen.Still(v.ID))
		}
		said = "declined"
	case "back":
		fields := &submissions.ReturnFields{}
		if v.Form.Text("review_note") == "" {
			v.Form.Wrong("review_note", frame.Tell(v.Ctx, "review.empty"))
			return w.reply(v, &letter{form: v.Form}, http.StatusUnprocessableEntity)
		}
		if err = returnTable.Parse(args.Values{"review_note": v.Form.Get("review_note")}, args.Creating, fields); err == nil {
			sub, err = w.submissions.Return(v.Ctx, v.ID, fields, seen.Still(v.ID))
		}
		said = "submission.returned"
	default:
		return &frame.Reply{Redirect: frame.Address("submissions", v.ID)}, nil
	}
	switch {
	case errors.Is(err, submissions.ErrSettled):
		return &frame.Reply{Redirect: frame.Address("submissions", v.ID), Say: "submission.settled"}, nil
	case errors.Is(err, calendar.ErrPrecondition):
		return w.late(v, seen)
	case err != nil && v.Form.Refuse(v.Ctx, err):
		return w.reply(v, &letter{form: v.Form}, http.StatusUnprocessableEntity)
	case err != nil:
		return nil, err
	}
	undo := frame.UndoOf(editing.Write{ID: sub.Event.ID, Version: sub.Event.Version})
	r := &frame.Reply{Redirect: path, Say: said, Count: 1, Undo: undo}
	if sub.Status == submissions.Approved {
		r.See = sub.Event.Path()
	}
	if places := sub.Places(); sub.Status == submissions.Refused && len(places) == 1 {
		r.Say, r.By = said+".venue", places[0].Name
	}
	if sub.Opened {
		r.Say += frame.WithVenue
	}
	if w.submissions.Tells(sub) && (sub.Status != submissions.Refused || v.Form.Ticked("tell")) && sub.Status != submissions.Accepted {
		r.Say += frame.WithMail
	}
	return r, nil
}

// ask shows possible mistakes in a submission before it is published. If there are none, it returns no reply.
func (w *Pages) ask(v *frame.Visit, do string) (*frame.Reply, error) {
	sub, err := w.submissions.Get(v.Ctx, v.ID)
	if err != nil || sub.Status != submissions.Waiting {
		return nil, err
	}
	then := *sub.Event
	then.Status = calendar.Status(do)
	l := &letter{form: v.Form}
	err = w.editing.Doubt(v.Ctx, v.Form.Get(frame.SureField), editing.Publishing{Was: sub.Event, Event: &then})
	if !errors.As(err, &l.doubts) {
		return nil, err
	}
	v.Form.Kind = "submission"
	v.Form.Set("tell", "1")
	return w.reply(v, l, http.StatusUnprocessableEntity)
}

// late shows the present submission and what has changed since the editor saw it.
func (w *Pages) late(v *frame.Visit, seen *frame.Seen) (*frame.Reply, error) {
	past, err := w.editing.Revisions(v.Ctx, "event", v.ID)
	if err != nil {
		return nil, err
	}
	if !v.Form.Has("tell") && v.Form.Get("do") != "refuse" {
		v.Form.Set("tell", "1")
	}
	return w.reply(v, &letter{form: v.Form, late: true, changed: history.Since(v.Ctx, "event", past, seen.UpTo(v.ID))}, http.StatusConflict)
}
