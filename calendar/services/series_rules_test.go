package services

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// Rule 13.3: one occurrence can't be made a series.
func TestOccurrenceCannotRepeat(t *testing.T) {
	t.Parallel()
	e := seriesOf(t, "Europe/Berlin", "2027-06-01 19:00:00", "2027-06-01 22:00:00", "FREQ=WEEKLY")
	e.Occur(9, e.Start, e.Start, e.End)
	for value, want := range map[string]bool{"FREQ=DAILY": false, "": true} {
		w := &EventWrite{EventFields: &calendar.EventFields{Recurrence: args.Some(args.TextOrObject{Value: value})}, scope: editorOf(t), now: noon}
		if err := w.recurrence(e, false); (err == nil) != want || e.Recurrence != nil {
			t.Errorf("%q: %v", value, err)
		}
	}
	if e.ID != 9 || e.Series.ID != 5 || e.Path() != "/event/choir/2027-06-01/" || e.WholePath() != "/event/choir/" {
		t.Errorf("its path is %s", e.Path())
	}
}
