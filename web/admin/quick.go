package admin

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/calendar/words"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/web/admin/editor"
	"github.com/kalends/kalends/web/admin/places"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/ui"
)

// longestQuick is the maximum length, in characters, of a line that is read as an event.
const longestQuick = 300

// quickLine is a line of text and the event read from it.
type quickLine struct {
	text  string
	read  *words.Line
	venue *calendar.Venue // venue that the line names; nil: a new one or none
	wrong string
}

// askQuick shows the event read from a line.
func (w *Pages) askQuick(v *frame.Visit) (*frame.Reply, error) {
	l, err := w.readQuick(v.Ctx, v.Query.Get("text"))
	if err != nil {
		return nil, err
	}
	return quickReply(v, l), nil
}

func quickReply(v *frame.Visit, l *quickLine) *frame.Reply {
	return &frame.Reply{Title: frame.Tell(v.Ctx, "quick.title"), Section: "events", Body: quickPage(l)}
}

// addQuick creates a draft from a line.
func (w *Pages) addQuick(v *frame.Visit) (*frame.Reply, error) {
	l, err := w.readQuick(v.Ctx, v.Form.Get("text"))
	if err != nil {
		return nil, err
	}
	if v.Form.ShownAgain() {
		return quickReply(v, l), nil
	}
	if !l.read.Understood() {
		r := quickReply(v, l)
		r.Status = http.StatusUnprocessableEntity
		return r, nil
	}
	fields, err := frame.Parsed[calendar.EventFields](editor.Table, l.values(v.Ctx), args.Creating)
	if err != nil {
		return w.quickWrong(v, l, err)
	}
	id, err := w.platform.Forms.Once(v.Ctx, v.Form.Get("once"), "event", func(ctx context.Context) (int64, error) {
		e, err := w.calendar.Events().Create(ctx, fields)
		if err != nil {
			return 0, err
		}
		return e.ID, nil
	})
	if err != nil {
		return w.quickWrong(v, l, err)
	}
	return &frame.Reply{Redirect: frame.EventAddress(id), Say: "saved.draft"}, nil
}

func (w *Pages) quickWrong(v *frame.Visit, l *quickLine, err error) (*frame.Reply, error) {
	f := &frame.Form{Kind: "event"}
	if !f.Refuse(v.Ctx, err) {
		return nil, err
	}
	for _, name := range f.Wrongs(history.EventFields) {
		l.wrong = f.Told(v.Ctx, name)
		break
	}
	r := quickReply(v, l)
	r.Status = http.StatusUnprocessableEntity
	return r, nil
}

// readQuick reads a line and finds the venue that it names.
func (w *Pages) readQuick(ctx context.Context, text string) (*quickLine, error) {
	l := &quickLine{text: strings.TrimSpace(frame.Cut(text, longestQuick))}
	l.read = ui.WordsIn(ctx).Read(l.text, words.Now{Wall: ui.WallAt(w.calendar.Now(), ui.SiteOf(ctx).Location)})
	if len([]rune(strings.TrimSpace(text))) > longestQuick {
		l.read.Questions = append(l.read.Questions, words.Question{Why: "line-long"})
	}
	var failed error
	l.read.FindPlace(func(name string) bool {
		id, err := w.places.FindVenue(ctx, name)
		if several := errors.Is(err, places.ErrSeveral); err == nil || several {
			return id != 0 || several
		}
		failed = err
		return false
	})
	if l.read.Place == "" || failed != nil {
		return l, failed
	}
	id, err := w.places.FindVenue(ctx, l.read.Place)
	switch {
	case errors.Is(err, places.ErrSeveral):
		l.read.Questions = append(l.read.Questions, words.Question{Why: "name-several", Text: l.read.Place})
		return l, nil
	case err != nil:
		return nil, err
	case id != 0:
		l.venue, err = w.calendar.Venues().Get(ctx, calendar.Key{ID: id})
		return l, err
	}
	found, err := w.calendar.Venues().Suggest(ctx, l.read.Place, 2)
	if len(found) == 1 && slices.ContainsFunc(found[0].Names().All(), func(name string) bool { // the only venue with the words in its name
		return strings.Contains(wording.Fold(name), wording.Fold(l.read.Place))
	}) {
		l.venue = found[0]
	}
	return l, err
}

// values are the arguments of the event read from a line.
func (l *quickLine) values(ctx context.Context) args.Values {
	values := args.Values{"title": l.read.Title, "start_date": frame.ClockText(l.read.Start), "end_date": frame.ClockText(l.read.End),
		"all_day":  l.read.AllDay,
		"timezone": ui.SiteOf(ctx).Timezone, "status": string(calendar.Draft)}
	if l.read.EndUnknown() {
		values["end_unknown"] = true
	}
	if l.read.Cost != "" {
		values["cost"] = l.read.Cost
	}
	if l.read.Website != "" {
		values["website"] = l.read.Website
	}
	if l.read.Notes != "" {
		values["description"] = wording.EscapeText(l.read.Notes)
	}
	if l.read.Online {
		values["attendance_mode"] = "online"
	}
	if l.read.Rule != "" {
		values["recurrence"] = map[string]any{"rrule": []any{l.read.Rule}}
	}
	switch {
	case l.venue != nil:
		values["venue"] = []any{frame.IDText(l.venue.ID)}
	case l.read.Place != "":
		values["venue"] = []any{map[string]any{"venue": l.read.Place}}
	}
	return values
}

// when returns the time of the event as people read it.
func (l *quickLine) when(ctx context.Context) string {
	return ui.DatesIn(ctx).Event(&calendar.Event{Start: l.read.Start, End: l.read.End, AllDay: l.read.AllDay,
		Facts: calendar.Facts{EndUnknown: l.read.EndUnknown()}}, 0)
}

// repeats returns a sentence about how the event repeats, or "" for a single event.
func (l *quickLine) repeats(ctx context.Context) string {
	if l.read.Rule == "" {
		return ""
	}
	clock := recur.Clock{AllDay: l.read.AllDay, Start: l.read.Start}
	rule, problems := recur.ParseRule(l.read.Rule, clock)
	if len(problems) > 0 {
		return l.read.Rule
	}
	return ui.DatesIn(ctx).Recurrence(recur.Set{Rules: []recur.Rule{rule}}, clock, "")
}

// questions returns sentences about the parts of the line that were not understood.
func (l *quickLine) questions(ctx context.Context) []string {
	list := make([]string, 0, len(l.read.Questions))
	for _, q := range l.read.Questions {
		list = append(list, i18n.T(ctx, "import.finding."+q.Why, map[string]any{"Value": q.Text}))
	}
	return list
}
