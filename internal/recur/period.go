package recur

// cycleOf returns the number of periods after which the calendar repeats: 400 years are a whole number of weeks. A
// rule without a date in one cycle never has one.
func cycleOf(freq Freq, interval int) int {
	size := map[Freq]int{Daily: 146097, Weekly: 20871, Monthly: 4800, Yearly: 400}[freq]
	return size / gcd(size, interval)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// periodOf returns the number of the period that contains a day.
func (p *plan) periodOf(day int) int {
	switch {
	case p.freq == Daily:
		return day
	case p.freq == Weekly:
		return floorDiv(weekStart(day, p.weekStart)+4-p.weekStart, 7)
	case p.freq == Monthly:
		c := civilOf(day)
		return c.year*12 + c.month - 1
	case p.byWeeks:
		return weekYear(day, p.weekStart)
	}
	return civilOf(day).year
}

// bounds returns the first day of a period and the first day after it.
func (p *plan) bounds(period int) (from, to int) {
	switch {
	case p.freq == Daily:
		return period, period + 1
	case p.freq == Weekly:
		from = period*7 - 4 + p.weekStart
		return from, from + 7
	case p.freq == Monthly:
		year, month := floorDiv(period, 12), floorMod(period, 12)+1
		from = dayOf(year, month, 1)
		return from, from + monthLength(year, month)
	case p.byWeeks:
		return firstWeek(period, p.weekStart), firstWeek(period+1, p.weekStart)
	}
	return dayOf(period, 1, 1), dayOf(period+1, 1, 1)
}

// daysOf appends the days of a period that satisfy the rule, in ascending order.
func (p *plan) daysOf(period int, days []int) []int {
	from, to := p.bounds(period)
	if p.everyDay {
		return append(days, from)
	}
	for c := civilOf(from); c.day < to; {
		if p.months != nil && !p.months[c.month] { // skip to the next month
			if c.day+c.monthLen-c.monthDay+1 >= to {
				break
			}
			c = civilOf(c.day + c.monthLen - c.monthDay + 1)
			continue
		}
		if p.wants(&c) {
			days = append(days, c.day)
		}
		c.next()
	}
	return days
}
