package moments

import (
	"slices"
	"time"
)

// ReadSpan reads a text as Read does, or as a first and a last day, with or without times: "6.3.2027 – 8.3.2027",
// "6.–8. März 2027", "March 6–8, 2027". last is zero if the text has no last day.
func ReadSpan(text, order string) (first Moment, last time.Time, ok bool) {
	if first, ok = Read(text, order); ok || first.Unsure {
		return first, last, ok
	}
	tokens := tokensOf(text)
	for i := 1; i < len(tokens); i++ {
		if !vocabularyOfAll().until[tokens[i].text] {
			continue
		}
		if from, to, found := span(tokens[:i], tokens[i+1:], order); found {
			from.End, from.Ends = to.At, to.Timed
			return from, to.Day, true
		}
	}
	return first, last, false
}

// span reads the two sides of a span. What one side lacks of its month and year is that of the other side.
func span(left, right []token, order string) (from, to Moment, ok bool) {
	to, ok = readTokens(right, order)
	if _, month := vocabularyOfAll().months[left[0].text]; !ok && month {
		to, ok = readTokens(append(left[:1:1], right...), order)
	}
	if !ok || to.Day.IsZero() || to.Ends {
		return from, to, false
	}
	for n := len(right); n > 0; n-- {
		from, ok = readTokens(append(slices.Clip(left), right[n:]...), order)
		if ok && !from.Day.IsZero() && !from.Ends && from.Day.Before(to.Day) {
			return from, to, true
		}
		if to.Timed { // its time is not that of the beginning
			break
		}
	}
	return from, to, false
}
