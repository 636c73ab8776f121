package events

import (
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
)

// timetablePlan lists how a write changes the dates of a series.
type timetablePlan struct {
	t      *content.Tx
	was, e *calendar.Event
	had    *timetable
	of     *calendar.EventLinks
	back   []time.Duration // further shifts of original starts, for series that were divided before

	wanted []wantedDate
	at     map[int64]int // index in wanted by original start, in Unix seconds

	alike   bool // the times stay the same
	moved   dated
	former  formerDates
	added   dated
	dropped []storedOccurrence // plain occurrences to remove
	again   []int64            // removed occurrences that come back
	apart   []storedOccurrence // removed occurrences whose original start moved with the series
	changed []exceptionChange
	gone    []*calendar.Event // occurrences that differed, and are removed or become plain
	parked  []int64           // plain occurrences beyond the number that one write stores
	fewer   int               // of them
	waiting []waitingDate     // dates that are not stored now
}

// wantedDate is a date that a series is to have.
type wantedDate struct {
	original time.Time
	id       int64             // 0 until it gets one
	row      *storedOccurrence // the row of a plain occurrence, nil if none is stored
	apart    bool              // the date is an event of its own, or is stored individually
}

// exceptionChange is an occurrence that differs from its series, before and after the write.
type exceptionChange struct{ was, e *calendar.Event }

func newTimetablePlan(t *content.Tx, was, e *calendar.Event, had *timetable, of *calendar.EventLinks) *timetablePlan {
	return &timetablePlan{t: t, was: was, e: e, had: had, of: of}
}

// make determines what changes, and gives ids to new dates.
func (p *timetablePlan) make() error {
	for _, x := range p.had.exceptions {
		if p.of.Still == nil {
			break
		}
		if err := p.of.Still(x.Version); err != nil {
			return err
		}
	}
	p.e.Exceptions = nil
	if !p.e.Recurring() {
		p.e.StoredUntil, p.e.LastStart, p.e.Several = time.Time{}, time.Time{}, false
		p.dropped, p.gone = p.had.plain, p.had.exceptions
		return nil
	}
	p.alike = p.was.ID != 0 && !p.of.Reset && sameRules(p.was, p.e) && p.was.AllDay == p.e.AllDay && p.was.Timezone == p.e.Timezone &&
		p.was.Start.Equal(p.e.Start) && p.was.End.Equal(p.e.End)
	if p.alike {
		p.planSameTimes()
		return nil
	}
	p.keepDates()
	stored := len(p.had.plain) + len(p.had.exceptions)
	most := max(calendar.StoredAtOnce, stored, min(stored+len(p.had.waiting)+len(p.had.removed), calendar.MostStored))
	starts, until := p.e.Starts(calendar.Horizon(p.t.Now), most)
	p.e.StoredUntil = until
	p.wanted, p.at = make([]wantedDate, len(starts)), make(map[int64]int, len(starts))
	for i, original := range starts {
		p.wanted[i].original, p.at[original.Unix()] = original, i
	}
	shifts := p.likelyShifts()
	p.match(shifts)
	p.moveRemoved(shifts)
	if last := min(p.assignIDs(), len(starts)); last > 0 {
		p.e.LastStart = p.occurrenceAt(last - 1).StartUTC
	}
	if p.t.Last.Post > calendar.MostID {
		return args.Invalid("recurrence", "problem.recurrence.ids", nil)
	}
	return nil
}

// occurrenceAt returns the occurrence at index i of wanted.
func (p *timetablePlan) occurrenceAt(i int) calendar.Occurrence {
	return p.e.OccurrenceAt(p.wanted[i].original)
}

// planSameTimes plans a write that keeps the times of a series. If it still changes more rows than one write stores, the
// last of them wait.
func (p *timetablePlan) planSameTimes() {
	p.e.StoredUntil, p.e.LastStart = p.was.StoredUntil, p.was.LastStart
	for _, x := range p.had.exceptions {
		p.follow(x, p.e.OccurrenceAt(x.Series.OriginalStart))
	}
	p.waiting = slices.Clone(p.had.waiting)
	plain := p.had.plain
	if len(plain) <= calendar.StoredAtOnce || listed(p.was) == listed(p.e) && !plain[0].handed {
		return
	}
	plain = slices.SortedFunc(slices.Values(plain), func(a, b storedOccurrence) int { return a.original.Compare(b.original) })
	p.e.LastStart = p.e.OccurrenceAt(plain[calendar.StoredAtOnce-1].original).StartUTC
	plain = plain[calendar.StoredAtOnce:]
	p.e.StoredUntil = plain[0].original.Add(-time.Second)
	for _, o := range plain {
		p.park(o.id, o.original)
	}
}

// park makes a stored date wait until the next write.
func (p *timetablePlan) park(id int64, original time.Time) {
	p.parked = append(p.parked, id)
	p.fewer++
	p.waiting = append(p.waiting, waitingDate{original: original, id: id})
}

// shifts returns by how much original starts may have moved: by nothing, with the series, with its time of day
// only, or back to where they were before a part of the series was moved.
func (p *timetablePlan) shifts() []time.Duration {
	list := []time.Duration{0}
	if !p.was.Recurring() || p.of.Cut {
		return list
	}
	whole := p.e.Start.Sub(p.was.Start)
	clock := timeOfDay(p.e.Start) - timeOfDay(p.was.Start)
	for _, shift := range append([]time.Duration{whole, clock}, p.back...) {
		if !slices.Contains(list, shift) {
			list = append(list, shift)
		}
	}
	return list
}

// likelyShifts returns the shifts in the order in which they are tried. If at least half of the dates can keep
// their times, dates stay. Otherwise they move with the series, even if one takes the former time of another.
func (p *timetablePlan) likelyShifts() []time.Duration {
	list, stay := p.shifts(), 0
	if len(list) < 2 || p.e.Start.Equal(p.was.Start) {
		return list
	}
	count := func(original time.Time) {
		if _, ok := p.at[original.Unix()]; ok {
			stay++
		}
	}
	for i := range p.had.plain {
		count(p.had.plain[i].original)
	}
	for _, x := range p.had.exceptions {
		count(x.Series.OriginalStart)
	}
	if 2*stay < len(p.had.plain)+len(p.had.exceptions) {
		list[0], list[1] = list[1], list[0]
	}
	return list
}

func timeOfDay(t time.Time) time.Duration {
	return t.Sub(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location()))
}

// keepDates adds dates to the series for occurrences that differ and that its rules no longer produce, unless they
// are to be removed.
func (p *timetablePlan) keepDates() {
	if p.of.Reset || p.of.Cut || len(p.had.exceptions) == 0 {
		return
	}
	set := *p.e.Recurrence
	set.Dates = slices.Clone(set.Dates)
	for _, x := range p.had.exceptions {
		original := x.Series.OriginalStart
		given := slices.ContainsFunc(set.Except, original.Equal) || slices.ContainsFunc(p.shifts(), func(shift time.Duration) bool {
			return p.e.HappensAt(original.Add(shift))
		})
		if !given {
			set.Dates = append(set.Dates, original)
		}
	}
	p.e.Recurrence = &set
}

// match gives the wanted dates the ids of the existing ones.
func (p *timetablePlan) match(shifts []time.Duration) {
	plain, exceptions, waiting := make([]*storedOccurrence, len(p.had.plain)), p.had.exceptions, slices.Clone(p.had.waiting)
	for i := range p.had.plain {
		plain[i] = &p.had.plain[i]
	}
	if p.of.Reset {
		exceptions = nil
	}
	for _, shift := range shifts {
		exceptions = slices.DeleteFunc(slices.Clone(exceptions), func(x *calendar.Event) bool {
			i, ok := p.assignID(x.Series.OriginalStart.Add(shift), x.ID)
			if ok {
				p.wanted[i].apart = true
				p.recordFormer(x.ID, x.Series.OriginalStart, p.wanted[i].original)
				p.follow(x, p.occurrenceAt(i))
			}
			return ok
		})
		plain = slices.DeleteFunc(plain, func(o *storedOccurrence) bool {
			i, ok := p.assignID(o.original.Add(shift), o.id)
			if ok {
				p.wanted[i].row = o
			}
			return ok
		})
		waiting = slices.DeleteFunc(waiting, func(d waitingDate) bool {
			if d.dropped {
				return false
			}
			_, ok := p.assignID(d.original.Add(shift), d.id)
			return ok
		})
	}
	for _, o := range plain {
		p.dropped = append(p.dropped, *o)
	}
	for _, d := range waiting {
		d.dropped = true
		p.waiting = append(p.waiting, d)
	}
	p.gone = slices.DeleteFunc(exceptions, p.addDateFor)
	if p.of.Reset {
		p.gone = p.had.exceptions
	}
}

// addDateFor adds a date to the series for an occurrence that differs and whose time is now taken by another. It reports
// whether it added one; it does not for skipped dates.
func (p *timetablePlan) addDateFor(x *calendar.Event) bool {
	original, set := x.Series.OriginalStart, *p.e.Recurrence
	if p.of.Cut || slices.ContainsFunc(p.shifts(), func(shift time.Duration) bool {
		return slices.ContainsFunc(set.Except, original.Add(shift).Equal)
	}) {
		return false
	}
	set.Dates = append(slices.Clone(set.Dates), original)
	slices.SortFunc(set.Dates, time.Time.Compare)
	p.e.Recurrence = &set
	p.at[original.Unix()] = len(p.wanted)
	p.wanted = append(p.wanted, wantedDate{original: original, id: x.ID, apart: true})
	p.follow(x, p.e.OccurrenceAt(original))
	return true
}

// assignID gives an id to the wanted date at a start, unless that date has one. It returns the date's index, and
// whether it gave the id.
func (p *timetablePlan) assignID(original time.Time, id int64) (int, bool) {
	i, ok := p.at[original.Unix()]
	if !ok || p.wanted[i].id != 0 {
		return 0, false
	}
	p.wanted[i].id = id
	return i, true
}

// moves reports whether the stored row of a date must change. It must if the zone or the original start differs. If only the
// duration differs, moves compares start and end.
func (p *timetablePlan) moves(w *wantedDate) bool {
	if p.was.Timezone != p.e.Timezone || !w.row.original.Equal(w.original) {
		return true
	}
	if p.was.End.Sub(p.was.Start) == p.e.End.Sub(p.e.Start) {
		return false
	}
	o := p.e.OccurrenceAt(w.original)
	return !w.row.start.Equal(o.Start) || !w.row.end.Equal(o.End)
}

// follow makes an occurrence that differs follow its series.
func (p *timetablePlan) follow(x *calendar.Event, when calendar.Occurrence) {
	was := *x
	series := *x.Series
	x.Series = &series
	x.Inherit(p.e, when)
	x.Version, x.Modified = p.t.Version, p.e.Modified
	p.changed = append(p.changed, exceptionChange{&was, x})
	p.e.Exceptions = append(p.e.Exceptions, calendar.Series{ID: x.ID, OriginalStart: when.Original})
}

// moveRemoved moves the skipped dates along with the series, so that people who restore them get them at the
// present time of the series. Dates that the rules no longer produce stay unchanged.
func (p *timetablePlan) moveRemoved(shifts []time.Duration) {
	out := make(map[int64]bool, len(p.e.Recurrence.Except))
	for _, date := range p.e.Recurrence.Except {
		out[date.Unix()] = true
	}
	for i := range p.had.removed {
		o := &p.had.removed[i]
		for _, shift := range shifts {
			if to := o.original.Add(shift); out[to.Unix()] {
				if shift != 0 {
					o.original = to
					p.apart = append(p.apart, *o)
				}
				break
			}
		}
	}
}

// write queues the changes, after the series' own row.
func (p *timetablePlan) write() error {
	planSeries(p.t, p.e)
	usesDates(p.t, len(p.added.ids)-len(p.dropped)-len(p.gone)-p.fewer)
	if p.was.ID != 0 && !p.was.Recurring() {
		p.t.Queue(dropOccurrences, p.t.Site, p.e.ID, []int64{0})
	}
	p.writeRemoved()
	p.writeDropped()
	p.writeParked()
	if !slices.Equal(p.waiting, p.had.stored) {
		if err := keepWaiting(p.t, p.e.ID, p.waiting); err != nil {
			return err
		}
	}
	if len(p.again) > 0 {
		p.t.Queue(forgetRemoved, p.t.Site, p.e.ID, p.again)
	}
	p.added.queue(p.t, insertOccurrences, p.e)
	p.moved.queue(p.t, moveOccurrences, p.e)
	p.writeFormer()
	if p.was.ID != 0 && listed(p.was) != listed(p.e) {
		p.t.Queue(listOccurrences, p.t.Site, p.e.ID, listed(p.e))
	}
	for _, c := range p.changed {
		p.writeException(c)
	}
	return nil
}

// writeRemoved notes the new times of dates that were removed earlier.
func (p *timetablePlan) writeRemoved() {
	if len(p.apart) == 0 {
		return
	}
	var originals []time.Time
	var ids, all []int64
	taken := map[int64]bool{}
	for _, o := range p.apart {
		all = append(all, o.id)
		if at := o.original.Unix(); !taken[at] {
			taken[at] = true
			originals, ids = append(originals, o.original), append(ids, o.id)
		}
	}
	p.t.Queue(forgetRemoved, p.t.Site, p.e.ID, all)
	p.t.Queue(noteRemoved, p.t.Site, p.e.ID, originals, ids, p.t.Now)
}

// writeDropped removes dates that no longer exist, and notes their ids.
func (p *timetablePlan) writeDropped() {
	var originals []time.Time
	var ids []int64
	slices.SortFunc(p.dropped, func(a, b storedOccurrence) int { return a.original.Compare(b.original) })
	for i, o := range p.dropped {
		ids = append(ids, o.id)
		if i >= calendar.StoredAtOnce {
			p.waiting = append(p.waiting, waitingDate{o.original, o.id, true})
		}
	}
	if len(ids) > 0 {
		p.t.Queue(dropOccurrences, p.t.Site, p.was.ID, ids)
	}
	ids = slices.Clip(ids[:min(len(ids), calendar.StoredAtOnce)])
	for i := range ids {
		originals = append(originals, p.dropped[i].original)
	}
	for _, x := range p.gone {
		queueDelete(p.t, x.ID, false)
		i := slices.IndexFunc(p.wanted, func(w wantedDate) bool { return w.id == x.ID })
		if i < 0 {
			originals, ids = append(originals, x.Series.OriginalStart), append(ids, x.ID)
			// The action is not "delete", because the occurrence did not count as an event.
			logEvent(p.t, x, &calendar.Event{Password: x.Password}, "trash", Document(x))
			continue
		}
		plain, when := *p.e, p.occurrenceAt(i)
		plain.Occur(x.ID, when.Original, when.Start, when.End)
		logEvent(p.t, x, &plain, "update", changesOf(x, &plain))
	}
	if len(ids) > 0 {
		p.t.Queue(noteRemoved, p.t.Site, p.e.ID, originals, ids, p.t.Now)
	}
}

// writeParked removes the rows of dates that wait.
func (p *timetablePlan) writeParked() {
	if len(p.parked) > 0 {
		p.t.Queue(parkOccurrences, p.t.Site, p.parked)
	}
	p.parked = nil
}

// writeException writes an occurrence that differs after it followed a change of its series. The change is in the
// history of the series.
func (p *timetablePlan) writeException(c exceptionChange) {
	queueEventRow(p.t, c.was, c.e)
	queueEventLinks(p.t, c.was, c.e)
}
