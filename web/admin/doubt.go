package admin

import (
	"errors"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
)

// askPublish asks for confirmation before it publishes events with possible mistakes. It returns no reply if there is nothing
// to ask.
func (w *Pages) askPublish(v *frame.Visit, ids []int64, back string) (*frame.Reply, error) {
	events, err := chosen.Events(v, w.calendar, ids)
	if err != nil {
		return nil, err
	}
	list := make([]editing.Publishing, 0, len(events))
	for _, e := range events {
		public := *e
		public.Status = calendar.Publish
		list = append(list, editing.Publishing{Was: e, Event: &public})
	}
	var doubts *editing.Doubts
	if err := w.editing.Doubt(v.Ctx, v.Form.Get(frame.SureField), list...); !errors.As(err, &doubts) {
		return nil, err
	}
	v.Form.Values.Del(frame.SureField)
	return &frame.Reply{Title: frame.Tell(v.Ctx, "do.publish"), Section: "events", Body: doubtsPage(doubts, v.Form.Kept(), back)}, nil
}

// askDraft asks before published events become drafts, because visitors no longer see them then.
func (w *Pages) askDraft(v *frame.Visit, ids []int64, back string) (*frame.Reply, error) {
	if v.Form.Get("sure") != "" {
		return nil, nil //nolint:nilnil // nothing to ask
	}
	events, err := chosen.Events(v, w.calendar, ids)
	if err != nil {
		return nil, err
	}
	principal := tenancy.Current(v.Ctx).Principal
	shown := slices.DeleteFunc(events, func(e *calendar.Event) bool { return !editing.Shown(e) || !calendar.MayEdit(principal, &e.Post) })
	if len(shown) == 0 {
		return nil, nil //nolint:nilnil // nothing to ask
	}
	names, kept := chosen.NamesOf(v.Ctx, shown), frame.SeenFields(v.Form)
	for _, id := range ids {
		if one := frame.IDText(id); !slices.ContainsFunc(names, func(p frame.Pair) bool { return p.Name == one }) {
			kept = append(kept, frame.Pair{Name: "id", Value: one})
		}
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "do.draft"), Section: "events", Body: frame.ConfirmPage(frame.Confirmation{
		Action: v.Path, Back: back, Do: "draft", Title: frame.Counted(v.Ctx, "unpublish.title", len(shown)), Text: "unpublish.text",
		Names: names, Kept: kept})}, nil
}
