package editor

import (
	"context"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
)

// press is a button that saves an event: its value, and the key of its text.
type press struct{ do, key string }

// settle sets the form's status to that of the pressed button. "publish" does not change a private event, and "save" changes
// no status.
func settle(f *frame.Form) {
	do := f.Get("do")
	if do != sendBack {
		f.Values.Del("review_note")
	}
	switch {
	case do == sendBack:
		f.Set("status", string(calendar.Draft))
	case do == "draft", do == "pending", do == "publish" && f.Get("status") != string(calendar.Private):
		f.Set("status", do)
	}
}

// sendBack is the value of the button that makes an event a draft again and asks its author to change it.
const sendBack = "back"

// sendsBack reports whether the user may send the event back to its author.
func (ed *eventEditor) sendsBack(ctx context.Context) bool {
	e := ed.event
	return e != nil && e.Status == calendar.Pending && e.Series == nil && e.Author != 0 && frame.May(ctx, submissions.Right) &&
		e.Author != tenancy.Current(ctx).Principal.UserID
}

// wantNote adds a problem if the form sends an event back without a note.
func wantNote(ctx context.Context, f *frame.Form) {
	if f.Get("do") == sendBack && f.Text("review_note") == "" {
		f.Wrong("review_note", frame.Tell(ctx, "review.empty"))
	}
}

// findNote finds the history entry of the user who sent the event back.
func (w *Pages) findNote(ctx context.Context, ed *eventEditor) error {
	if ed.event == nil || ed.event.ReviewNote == "" {
		return nil
	}
	past, err := w.editing.Revisions(ctx, "event", frame.WholeID(ed.event))
	if err != nil {
		return err
	}
	for i := range past.Events {
		if _, changed := past.Events[i].Before["review_note"]; changed {
			ed.noted = &past.Events[i]
			break
		}
	}
	return nil
}

// noteFrom returns a sentence about who has sent the event back, and when.
func (ed *eventEditor) noteFrom(ctx context.Context) string {
	if ed.noted == nil {
		return frame.Tell(ctx, "review.returned")
	}
	return frame.TellWith(ctx, "review.from", "Name", history.ActorText(ctx, ed.noted), "Date", frame.ShortTime(ctx, ed.noted.At))
}

// stands returns the status of the stored event. A new event is a draft.
func (ed *eventEditor) stands() calendar.Status {
	if ed.event == nil {
		return calendar.Draft
	}
	return ed.event.Status
}

// presses returns the two buttons that save the event: first the one that moves it towards publication, then the
// one that leaves or lowers its status.
func (ed *eventEditor) presses(ctx context.Context, now time.Time) (first, second press) {
	publishes := frame.May(ctx, frame.Publishing)
	defer func() {
		first.key = frame.DespiteDoubts(ed.doubts, first.do, first.key)
	}()
	switch ed.stands() {
	case calendar.Publish, calendar.Future, calendar.Private:
		return press{"save", "press.update"}, press{"draft", "press.back"}
	case calendar.Pending:
		if publishes {
			return press{"publish", "press.publish"}, press{"save", "press.save"}
		}
		return press{"save", "press.save"}, press{"draft", "press.back"}
	}
	switch {
	case !publishes:
		first = press{"pending", "press.submit"}
	case ed.scheduled(now):
		first = press{"publish", "press.schedule"}
	default:
		first = press{"publish", "press.publish"}
	}
	return first, press{"draft", "press.draft"}
}

// scheduled reports whether the event's date of publication is in the future.
func (ed *eventEditor) scheduled(now time.Time) bool {
	return ed.event != nil && ed.event.Dated && ed.event.Date.After(now)
}

// standing returns a sentence about who can see the event.
func (ed *eventEditor) standing(ctx context.Context) string {
	switch {
	case ed.event == nil:
		return frame.Tell(ctx, "standing.new")
	case ed.event.Status == calendar.Future:
		return frame.TellWith(ctx, "standing.future", "Date", frame.ShortTime(ctx, ed.event.Date))
	}
	return frame.Tell(ctx, "standing."+string(ed.event.Status))
}

// removal returns the key of what removing the event is called: a date leaves its series, anything else goes to the trash.
func (ed *eventEditor) removal() string {
	if ed.event.Series != nil {
		return "do.remove"
	}
	return "do.trash"
}

// savedWord returns the key of the message for a saved event. The message names the status if it has changed.
func savedWord(before calendar.Status, e *calendar.Event) string {
	if e == nil || e.Status == before {
		return "saved"
	}
	return "saved." + string(e.Status)
}

// findReports finds the mistakes that visitors have reported in the event. The form of one date has only those in this date.
func (w *Pages) findReports(ctx context.Context, ed *eventEditor) (err error) {
	ed.reports, err = w.sent.ReportsAbout(ctx, submissions.Subject{Kind: "event", ID: frame.WholeID(ed.event)})
	if ed.event.Series != nil {
		ed.reports = slices.DeleteFunc(ed.reports, func(r *submissions.Report) bool { return r.Date != ed.event.ID })
	}
	return err
}
