package admin

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/repeats"
	"github.com/kalends/kalends/web/ui"
)

// datesQuestion is the question what a change to one date of a series applies to: this
// one, this and following, or all. It is asked on a page of its own that carries
// the change along; scripts show its form in a dialog (which.js).
type datesQuestion struct {
	event   *calendar.Event // the date; nil: several events are changed at once
	rule    string          // of its series, in words
	without []string        // what can't be chosen, as applies_to has it
	action  string          // where the change is sent
	back    string          // the way out; "": back to the form that was sent
	section string          // of the navigation
	kept    []frame.Pair    // the change
	do      string          // value of the button
	button  string          // its text
	danger  bool            // something is removed
}

// appliesTo is the field of the answer. Its values are those of the API.
const appliesTo = "applies_to"

// scopes are the answers in their order.
var scopes = []string{calendar.AppliesToThis, calendar.AppliesToFollowing, calendar.AppliesToAll}

// scopeOf returns what a form says that its change applies to, and whether it says
// so. Nothing else counts as an answer.
func scopeOf(f *frame.Form) (scope string, said bool) {
	scope = f.Get(appliesTo)
	if !slices.Contains(scopes, scope) {
		return "", false
	}
	return scope, true
}

// reply is the page with the question.
func (q *datesQuestion) reply(v *frame.Visit) *frame.Reply {
	q.kept = slices.DeleteFunc(q.kept, func(p frame.Pair) bool { return p.Name == appliesTo })
	return &frame.Reply{Title: frame.Tell(v.Ctx, "which.title"), Section: q.section, Body: datesQuestionPage(q)}
}

// offered are the answers to choose from.
func (q *datesQuestion) offered() []string {
	return slices.DeleteFunc(slices.Clone(scopes), func(s string) bool { return slices.Contains(q.without, s) })
}

// about says what the question is about.
func (q *datesQuestion) about(ctx context.Context) string {
	if q.event == nil {
		return frame.Tell(ctx, "which.several")
	}
	return frame.TellWith(ctx, "which.about", "Name", q.event.Title, "When", frame.ShortSpan(ctx, q.event), "Rule", q.rule)
}

// label names an answer.
func (q *datesQuestion) label(ctx context.Context, scope string) string {
	if q.event == nil {
		return frame.Tell(ctx, "which.each."+scope)
	}
	return frame.Tell(ctx, "which."+scope)
}

// askWhich asks what the changes of a form apply to. The whole series has some
// fields in common, which can't be changed of one date.
func (w *Pages) askWhich(v *frame.Visit, ed *eventEditor, now *frame.Form) *frame.Reply {
	for _, name := range history.EventFields {
		ed.form.Values.Del("choose." + name)
	}
	q := &datesQuestion{event: ed.event, rule: ruleText(v.Ctx, ed.series), action: editorAddress(ed), section: "events",
		kept: ed.form.Kept(), do: "save", button: frame.Tell(v.Ctx, "save")}
	if slices.ContainsFunc(history.EventFields,
		func(name string) bool { return calendar.OfWhole(name) && hasChanged(v.Ctx, ed.form, name, now) }) {
		q.without = []string{calendar.AppliesToThis}
	}
	return q.reply(v)
}

// askAbout is askWhich, once nothing is wrong with what was typed.
func (w *Pages) askAbout(v *frame.Visit, ed *eventEditor, fields *calendar.EventFields, now *frame.Form) (*frame.Reply, error) {
	alone := *fields
	alone.Recurrence = args.Opt[args.TextOrObject]{}
	if _, err := w.calendar.Events().Draft(v.Ctx, calendar.Key{ID: ed.event.ID}, &alone); err != nil {
		return w.again(v, ed, err)
	}
	if fields.Recurrence.Given() {
		if _, err := repeats.Preview(v.Ctx, w.calendar, ed.form, repeats.In(v.Ctx, ed.form)); err != nil {
			return w.again(v, ed, err)
		}
	}
	return w.askWhich(v, ed, now), nil
}

// removeEvent takes a date out of its series, or it and all that follow, or moves
// the whole series to the trash, as other events.
func (w *Pages) removeEvent(v *frame.Visit) (*frame.Reply, error) {
	e, r, err := w.editable(v)
	if e == nil {
		return r, err
	}
	back := frame.Inside(v.Form.Get("to"))
	scope, said := scopeOf(v.Form)
	series, err := w.seriesOf(v.Ctx, e)
	if err != nil {
		return nil, err
	}
	if e.Series != nil && !said {
		q := &datesQuestion{event: e, rule: ruleText(v.Ctx, series), action: v.Path, back: back, section: "events", kept: v.Form.Kept(),
			do:     "remove",
			button: frame.Tell(v.Ctx, "do.remove"), danger: true}
		return q.reply(v), nil
	}
	gone, err := w.calendar.Events().Delete(v.Ctx, calendar.Key{ID: e.ID}, false, scope, nil)
	if err != nil {
		return nil, err
	}
	r = &frame.Reply{Redirect: back, Say: "removed." + scope, Undo: frame.UndoOf(removalOf(gone))}
	if gone.Series == nil { // nothing is left of it
		r.Say, r.Count = "trash", 1
	}
	return r, nil
}

// goneDate answers a form of a date that its series has lost meanwhile: what was
// typed can become an event of its own.
func (w *Pages) goneDate(v *frame.Visit, gone *calendar.RemovedError) *frame.Reply {
	kept := slices.DeleteFunc(v.Form.Kept(), func(p frame.Pair) bool {
		return p.Name == "version" || p.Name == "base" || p.Name == "once" || p.Name == appliesTo ||
			strings.HasPrefix(p.Name, repeats.Choice)
	})
	v.Form.Kind = "event"
	return &frame.Reply{Status: http.StatusGone, Title: frame.Tell(v.Ctx, "gone.title"), Section: "events",
		Body: goneDatePage(v.Form, append(kept, frame.Pair{Name: "once", Value: frame.NewToken()}), gone.Series)}
}

// seriesOf returns the series of an occurrence, or the event itself when it is one,
// and nil of what happens once.
func (w *Pages) seriesOf(ctx context.Context, e *calendar.Event) (*calendar.Event, error) {
	switch {
	case e.Recurrence != nil:
		return e, nil
	case e.Series == nil:
		return nil, nil //nolint:nilnil // to happen once is no error
	}
	return w.calendar.Events().Get(ctx, calendar.Key{ID: e.Series.ID}, "")
}

// ruleText says the rules of a series in words, "" of what happens once.
func ruleText(ctx context.Context, series *calendar.Event) string {
	if series == nil || series.Recurrence == nil {
		return ""
	}
	return i18n.Recurrence(ui.DatesIn(ctx).Tag, *series.Recurrence, series.Clock())
}
