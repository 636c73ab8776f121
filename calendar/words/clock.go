package words

import (
	"strings"
	"time"
)

// readTime reads a time that begins at a word. A second time is the end if a word or sign before it indicates a
// range.
func (r *reader) readTime(i int) bool {
	if _, n := longestOf(r, r.v.Unsure, i); n > 0 {
		_, before := r.v.Clock[r.word(i-1)]
		if m := clock.MatchString(r.word(i + n)); m {
			n++
			if r.v.Clock[r.word(i+n)] {
				n++
			}
			return r.ask(i, n, "time-unsure")
		} else if before || i > 0 && r.field[i-1] == Day {
			return r.ask(i, n, "time-unsure")
		}
	}
	at, half, n, ok := r.clockAt(i)
	switch {
	case n == 0:
		return false
	case !ok:
		return r.ask(i, n, "date-unreadable")
	}
	joined := r.joined(i)
	if len(r.times) > 0 && (len(r.times) > 1 || !joined) {
		return r.ask(i, n, "time-second")
	}
	before := r.word(i - 1)
	if len(r.times) == 0 && r.free(i-1) != "" && r.v.Until[before] && !r.v.Clock[before] && !r.v.Fillers[before] { // until 22:00
		return r.ask(i-1, n+1, "time-unsure")
	}
	r.addTime(i, at, half, joined)
	r.use(i, n, Time)
	for k := i - 1; k >= 0 && joined && r.field[k] == "" && r.words[k] == "–"; k-- {
		r.field[k] = Time
	}
	return true
}

// joined reports whether a word or sign before a word makes it the end of a range.
func (r *reader) joined(i int) bool {
	for k := i - 1; k >= 0; k-- {
		switch {
		case r.word(k) == "–", r.v.Until[r.word(k)] && r.field[k] != Day:
			return true
		case r.field[k] == Day && !r.last.IsZero(): // 5.12. 19:00 – 6.12. 2:00
			return true
		case !r.v.Fillers[r.word(k)] && !r.v.Clock[r.word(k)]:
			return false
		}
	}
	return false
}

// addTime adds a time. half is its half of the day, or "" if the line does not say. In "7 to 9 pm" and "7 pm to 9", both are in
// the evening.
func (r *reader) addTime(i int, at time.Duration, half string, joined bool) {
	const noon = 12 * time.Hour
	if joined && len(r.times) == 1 && r.open && half == "pm" && r.times[0]+noon < at {
		r.times[0] += noon
	}
	later := len(r.times) == 1 && at < r.times[0] && r.times[0] < at+noon
	r.open = half == "" && !strings.HasPrefix(r.word(i), "0")
	if joined && later && r.open && r.said != "" && r.last.IsZero() {
		at += noon
	}
	r.said = half
	if r.open && r.part == "pm" && r.partAt < i && at < noon {
		at += noon
	}
	r.times, r.timeAt = append(r.times, at), append(r.timeAt, i)
}

// clockAt parses a time that begins at a word, and returns its half of the day ("" if none is given) and its number
// of words. A lone number is a time only if something next to it indicates that. It returns false for a time that
// does not exist.
func (r *reader) clockAt(i int) (at time.Duration, half string, n int, ok bool) {
	_, noon := longestOf(r, r.v.Noon, i)
	if noon > 0 && i > 0 && (r.field[i-1] == Day || r.v.Clock[r.word(i-1)]) && !startsWithDigit(r.word(i+noon)) {
		return 12 * time.Hour, "pm", noon, true
	}
	half, word, n := r.half(i)
	if m := hours.FindStringSubmatch(word); m != nil {
		if next := minutes.FindStringSubmatch(r.word(i + n)); next != nil && m[2]+m[3] == "" { // 7시 30분
			m[2], m[3], n = next[1], next[2], n+1
		}
		minute := atoi(m[2])
		if m[3] != "" {
			minute = 30
		}
		at, ok = wall(atoi(m[1]), minute, half)
		return at, half, n, ok
	}
	m := clock.FindStringSubmatch(word)
	if m == nil {
		return 0, "", 0, false
	}
	said := half != "" || m[2] != "" || m[3] != "" || strings.HasSuffix(word, "h")
	if half == "" {
		half = halves[m[3]]
	}
	joint, rest := r.word(i+n), r.word(i+n+1)
	if m[2] == "" && !r.cutAt(i+n) && !r.cutAt(i+n+1) && (joint == "h" || joint == "uhr") &&
		len(rest) == 2 && clock.MatchString(rest) { // 20 h 30
		m[2], n, said = rest, n+2, true
	}
	after, more := r.partAfter(i + n)
	switch next := r.word(i + n); {
	case more > 0 && half == "":
		half, said, n = after, true, n+more
	case r.v.Clock[next] && (!r.numbered(i) || !r.full(i+n+1)):
		said, n = true, n+1
		if after, more := r.partAfter(i + n); more > 0 && half == "" { // 8 Uhr abends
			half, n = after, n+more
		}
	}
	if !said && !r.timeBeside(i) {
		return 0, "", 0, false
	}
	at, ok = wall(atoi(m[1]), atoi(m[2]), half)
	if !ok && strings.Contains(word, ".") {
		return 0, "", 0, false
	}
	return at, half, n, ok
}

// halves maps the suffixes of a time to halves of the day.
var halves = map[string]string{"a": "am", "am": "am", "p": "pm", "pm": "pm"}

// half parses the half of the day before a time, in the same word or the previous ones: 午後7時, 오후 7시, abends um 8. It returns the
// time and the number of words of both.
func (r *reader) half(i int) (half, rest string, n int) {
	word := r.word(i)
	for half, list := range map[string]map[string]bool{"am": r.v.Morning, "pm": r.v.Evening} {
		if _, n := longestOf(r, list, i); n > 0 && !r.v.Fillers[word] {
			at := i + n
			for r.v.Clock[r.word(at)] {
				at++
			}
			if startsWithDigit(r.word(at)) {
				return half, r.word(at), at - i + 1
			}
		}
		for name := range list {
			if rest, found := strings.CutPrefix(word, name); found && startsWithDigit(rest) && unblanked([]rune(name)[0]) {
				return half, rest, 1
			}
		}
	}
	return "", word, 1
}

func startsWithDigit(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }

// timeBeside reports whether the words next to a number make it a time.
func (r *reader) timeBeside(i int) bool {
	ranged := r.word(i-1) == "–" || r.v.Until[r.word(i-1)]
	return r.v.Clock[r.word(i-1)] || ranged && len(r.times) == 1 || r.word(i+1) == "–" && r.full(i+2) || r.beforeUntil(i)
}

// beforeUntil reports whether a number is followed by "until" and a time: 8 bis 13 Uhr.
func (r *reader) beforeUntil(i int) bool {
	next := r.word(i + 1)
	return r.v.Until[next] && r.full(i+2) && (!r.numbered(i) || !r.v.Fillers[next] && !r.v.Clock[next])
}

// numbered reports whether a number belongs to the word before it, as in "Room 3 at 19:30".
func (r *reader) numbered(i int) bool {
	before := r.word(i - 1)
	return i > 0 && r.field[i-1] == "" && !r.cuts[i] && before != "–" && !r.v.Fillers[before] && !r.v.Clock[before] && !r.v.Until[before]
}

// full reports whether a word is a time, and not only a number.
func (r *reader) full(i int) bool {
	m := clock.FindStringSubmatch(r.word(i))
	if m == nil {
		return false
	}
	after := r.word(i + 1)
	return m[2] != "" || m[3] != "" || strings.HasSuffix(m[0], "h") || r.v.Clock[after] || r.v.Morning[after] || r.v.Evening[after]
}

func wall(hour, minute int, half string) (time.Duration, bool) {
	switch {
	case half == "pm" && hour < 12:
		hour += 12
	case half == "am" && hour == 12:
		hour = 0
	}
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute, hour < 24 && minute < 60
}
