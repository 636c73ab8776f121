package quick

import (
	"strings"
	"time"
)

// addTime adds a time whose half of the day is "" if nothing says it. In "7 to 9 pm", both are in the evening.
func (r *reader) addTime(i int, at time.Duration, half string) {
	const noon = 12 * time.Hour
	ranged := r.word(i-1) == "–" || r.w.Until[r.word(i-1)]
	if ranged && len(r.times) == 1 && r.open && half == "pm" && r.times[0]+noon < at {
		r.times[0] += noon
	}
	r.open = half == "" && !strings.HasPrefix(r.word(i), "0")
	r.times = append(r.times, at)
}

// clockAt parses a time that begins at a word, and returns its half of the day ("" if none is given) and its number of
// words. A lone number is a time only if something next to it says so.
func (r *reader) clockAt(i int) (at time.Duration, half string, n int, ok bool) {
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
	switch next := r.word(i + n); {
	case r.w.Morning[next] && half == "":
		half, said, n = "am", true, n+1
	case r.w.Evening[next] && half == "":
		half, said, n = "pm", true, n+1
	case r.w.Clock[next] && (!r.numbered(i) || !r.full(i+n+1)):
		said, n = true, n+1
	}
	if !said && !r.timeBeside(i) {
		return 0, "", 0, false
	}
	at, ok = wall(atoi(m[1]), atoi(m[2]), half)
	if ok && i > 0 && r.words[i-1] == "–" {
		r.used[i-1] = true
	}
	return at, half, n, ok
}

// halves are the halves of the day that may end a time.
var halves = map[string]string{"a": "am", "am": "am", "p": "pm", "pm": "pm"}

// half parses the half of the day before a time, in the same word or the previous one: 午後7時, 오후 7시. It returns the
// time and the number of words of both.
func (r *reader) half(i int) (half, rest string, n int) {
	word := r.word(i)
	for half, list := range map[string]map[string]bool{"am": r.w.Morning, "pm": r.w.Evening} {
		if list[word] && !r.w.Fillers[word] && startsWithDigit(r.word(i+1)) {
			return half, r.word(i + 1), 2
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
	ranged := r.word(i-1) == "–" || r.w.Until[r.word(i-1)]
	return r.w.Clock[r.word(i-1)] || ranged && len(r.times) == 1 || r.word(i+1) == "–" && clock.MatchString(r.word(i+2)) || r.beforeUntil(i)
}

// beforeUntil reports whether a number is followed by "until" and a time: 8 bis 13 Uhr.
func (r *reader) beforeUntil(i int) bool {
	next := r.word(i + 1)
	return r.w.Until[next] && r.full(i+2) && (!r.numbered(i) || !r.w.Fillers[next] && !r.w.Clock[next])
}

// numbered reports whether a number belongs to the word before it, as in "Room 3 at 19:30".
func (r *reader) numbered(i int) bool {
	before := r.word(i - 1)
	return i > 0 && !r.used[i-1] && before != "–" && !r.w.Fillers[before] && !r.w.Clock[before] && !r.w.Until[before]
}

// full reports whether a word is a time, and not only a number.
func (r *reader) full(i int) bool {
	m := clock.FindStringSubmatch(r.word(i))
	if m == nil {
		return false
	}
	after := r.word(i + 1)
	return m[2] != "" || m[3] != "" || strings.HasSuffix(m[0], "h") || r.w.Clock[after] || r.w.Morning[after] || r.w.Evening[after]
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
