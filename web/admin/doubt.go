package admin

import (
	"errors"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
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
