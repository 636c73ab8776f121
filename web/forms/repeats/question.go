package repeats

import (
	"context"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// Question asks which dates a change to one date of a series applies to: this one, this and all following ones, or
// all. Its page includes the changed fields; a script shows its form in a dialog (which.js).
type Question struct {
	Event   *calendar.Event // the date
	Series  *calendar.Event
	Without []string     // answers that cannot be chosen
	Action  string       // where the change is sent
	Back    string       // address for cancelling; "": back to the sent form
	Section string       // of the navigation
	Kept    []frame.Pair // the change
	Do      string       // value of the button
	Button  string       // its text
	Danger  bool         // something is removed
}

// AppliesTo is the form field that says which dates of a series a change applies to. Its values are those of the
// API.
const AppliesTo = "applies_to"

// scopes are the answers in order.
var scopes = []string{services.AppliesToThis, services.AppliesToFollowing, services.AppliesToAll}

// ScopeOf returns the answer in a form, and whether it is one of scopes.
func ScopeOf(f *frame.Form) (scope string, said bool) {
	scope = f.Get(AppliesTo)
	if !slices.Contains(scopes, scope) {
		return "", false
	}
	return scope, true
}

// Reply returns the page with the question.
func (q *Question) Reply(v *frame.Visit) *frame.Reply {
	q.Kept = slices.DeleteFunc(q.Kept, func(p frame.Pair) bool { return p.Name == AppliesTo })
	return &frame.Reply{Title: frame.Tell(v.Ctx, "which.title"), Section: q.Section, Body: questionPage(q)}
}

// offered returns the answers to choose from.
func (q *Question) offered() []string {
	return slices.DeleteFunc(slices.Clone(scopes), func(s string) bool { return slices.Contains(q.Without, s) })
}

// about returns a sentence that names the event and its rule.
func (q *Question) about(ctx context.Context) string {
	return frame.TellWith(ctx, "which.about", "Name", q.Event.Title, "When", frame.ShortSpan(ctx, q.Event), "Rule", RuleText(ctx, q.Series))
}

// SeriesOf returns the series of an occurrence, the event itself if it is a series, or nil for an event that happens once.
func SeriesOf(ctx context.Context, events services.Events, e *calendar.Event) (*calendar.Event, error) {
	switch {
	case e.Recurrence != nil:
		return e, nil
	case e.Series == nil:
		return nil, nil //nolint:nilnil // to happen once is no error
	}
	return events.Get(ctx, calendar.Key{ID: e.Series.ID}, "")
}

// RuleText describes the rules of a series, or returns "" for an event that happens once.
func RuleText(ctx context.Context, series *calendar.Event) string {
	if series == nil || series.Recurrence == nil {
		return ""
	}
	return ui.DatesIn(ctx).Recurrence(*series.Recurrence, series.Clock(), "")
}
