package recur

// together rejects combinations of parts that RFC 5545 §3.3.10 forbids.
func (p *parser) together(r Rule, seen map[string]bool) {
	if seen["COUNT"] && seen["UNTIL"] {
		p.wrong("UNTIL", CountUntil, "")
	}
	freq := r.Freq.String()
	if len(r.ByWeekNo) > 0 && r.Freq != Yearly {
		p.wrong("BYWEEKNO", NotWithFreq, freq)
	}
	if len(r.ByYearDay) > 0 && r.Freq != Yearly {
		p.wrong("BYYEARDAY", NotWithFreq, freq)
	}
	if len(r.ByMonthDay) > 0 && r.Freq == Weekly {
		p.wrong("BYMONTHDAY", NotWithFreq, freq)
	}
	for _, d := range r.ByDay {
		if d.N != 0 && (r.Freq == Daily || r.Freq == Weekly || len(r.ByWeekNo) > 0) {
			p.wrong("BYDAY", Numbered, d.String())
		}
	}
	if len(r.BySetPos) > 0 && len(r.ByMonth)+len(r.ByWeekNo)+len(r.ByYearDay)+len(r.ByMonthDay)+
		len(r.ByDay)+len(r.ByHour)+len(r.ByMinute) == 0 {
		p.wrong("BYSETPOS", SetPosAlone, "")
	}
}
