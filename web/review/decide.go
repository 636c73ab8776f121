package review

import (
	"errors"
	"net/http"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/web/frame"
)

// decide publishes what was sent, makes it a draft, or refuses it. What somebody
// else has decided meanwhile stays.
func (w *Pages) decide(v *frame.Visit) (*frame.Reply, error) {
	var sub *submissions.Submission
	var err error
	var said string
	switch do := v.Form.Get("do"); do {
	case "publish", "draft":
		sub, err = w.submissions.Approve(v.Ctx, v.ID, &submissions.ApprovalFields{Status: args.Some(do)})
		said = "saved." + do
	case "refuse":
		fields := &submissions.RefusalFields{}
		values := args.Values{"tell": v.Form.Ticked("tell"), "message": v.Form.Get("message")}
		if err = refusalTable.Parse(values, args.Creating, fields); err == nil {
			sub, err = w.submissions.Refuse(v.Ctx, v.ID, fields)
		}
		said = "trash"
	default:
		return &frame.Reply{Redirect: frame.Address("submissions", v.ID)}, nil
	}
	v.Form.Kind = "submission"
	switch {
	case errors.Is(err, submissions.ErrSettled):
		return &frame.Reply{Redirect: frame.Address("submissions", v.ID), Say: "submission.settled"}, nil
	case err != nil && v.Form.Refuse(v.Ctx, err):
		return w.reply(v, v.Form, http.StatusUnprocessableEntity)
	case err != nil:
		return nil, err
	}
	undo := frame.UndoOf(editing.Write{ID: sub.Event.ID, Version: sub.Event.Version})
	return &frame.Reply{Redirect: path, Say: said, Count: 1, Undo: undo}, nil
}
