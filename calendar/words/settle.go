package words

import (
	"slices"
	"time"
)

// settle sets the event's times from the parts of the line, and adds questions about missing parts.
func (r *reader) settle(l *Line) {
	missing := func(why string) { l.Questions = append(l.Questions, Question{Why: why}) }
	if l.Title == "" {
		missing("title-missing")
	}
	r.begin()
	asked := r.undated()
	if r.day.IsZero() {
		if !asked {
			missing("start-missing")
		}
		return
	}
	if r.rule != "" && !r.until.IsZero() {
		l.Rule += ";UNTIL=" + r.until.Format("20060102")
		if r.until.Before(r.day) {
			missing("days-order")
		}
	}
	first, last := r.day, r.last
	switch {
	case r.whole && len(r.times) > 0:
		missing("all-day-timed")
		return
	case len(r.times) == 0 && r.part != "" && !slices.Contains(r.why, "time-unsure"):
		missing("time-missing")
		return
	case len(r.times) == 0:
		l.AllDay, l.Start, l.End = true, first, first
		if !last.IsZero() {
			l.End = last
		}
		return
	case !last.IsZero() && (len(r.times) == 1 || r.timeAt[0] >= r.dayAt):
		missing("times-daily")
		return
	}
	l.Start = first.Add(r.times[0])
	l.End = l.Start
	if len(r.times) == 2 {
		switch l.End = first.Add(r.times[1]); {
		case !last.IsZero():
			l.End = last.Add(r.times[1])
		case !l.End.After(l.Start):
			l.End = l.End.AddDate(0, 0, 1)
		}
	}
}

// begin sets the day. For a rule, it is the rule's first day. For today's weekday with a time that has passed, it
// is a week later. Without a day, it is the day of the heading.
func (r *reader) begin() {
	passed := func(day time.Time) bool { return len(r.times) > 0 && day.Add(r.times[0]).Before(r.now.Wall) }
	switch {
	case r.rule != "" && r.day.IsZero():
		if r.day = r.first(r.today); passed(r.day) {
			r.day = r.first(r.today.AddDate(0, 0, 1))
		}
	case r.rule != "":
		r.day = r.first(r.day)
	case r.day.IsZero() && !r.undated():
		r.day = r.now.Day
	case r.again && r.last.IsZero() && passed(r.day):
		r.day = r.day.AddDate(0, 0, 7)
	}
}

// undated reports whether the line has an unclear day.
func (r *reader) undated() bool {
	return slices.ContainsFunc(r.why, func(why string) bool {
		return slices.Contains([]string{"date-unreadable", "weekday-differs", "feast-unclear", "repeats-unclear", "date-past"}, why)
	})
}
