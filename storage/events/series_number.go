package events

import (
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
)

// assignIDs decides which wanted dates are written, and returns how many of them are stored. New dates get their former id or a
// new one. Dates beyond what one write stores wait.
func (p *timetablePlan) assignIDs() int {
	former, room := p.formerIDs(), calendar.StoredAtOnce
	for i := range p.wanted {
		w := &p.wanted[i]
		moves := w.row != nil && p.moves(w)
		if w.apart || w.row != nil && !moves && !w.row.handed {
			continue
		}
		if room--; room < 0 {
			p.e.StoredUntil = w.original.Add(-time.Second)
			p.addEdited(p.wanted[i:], former)
			p.stopWaiting(former)
			p.parkAll(p.wanted[i:])
			return i
		}
		switch {
		case moves:
			p.recordFormer(w.id, w.row.original, w.original)
			p.moved.add(w.id, p.occurrenceAt(i))
		case w.row != nil: // only its series has changed
		default:
			p.add(w, former)
		}
	}
	p.stopWaiting(former)
	return len(p.wanted)
}

// stopWaiting removes dates that are now stored from the waiting dates.
func (p *timetablePlan) stopWaiting(left formerIDs) {
	p.waiting = slices.DeleteFunc(p.waiting, func(d waitingDate) bool { return left.waiting[d.original.Unix()] == 0 })
}

// formerIDs are the former ids of dates of a series, by their start in Unix seconds.
type formerIDs struct{ removed, waiting map[int64]int64 }

// formerIDs returns the ids that dates of the series had before.
func (p *timetablePlan) formerIDs() formerIDs {
	ids := formerIDs{make(map[int64]int64, len(p.had.removed)+len(p.gone)), make(map[int64]int64, len(p.waiting))}
	for _, d := range p.waiting {
		ids.waiting[d.original.Unix()] = d.id
	}
	for _, o := range p.had.removed {
		ids.removed[o.original.Unix()] = o.id
	}
	for _, x := range p.gone {
		if p.of.Reset {
			ids.removed[x.Series.OriginalStart.Unix()] = x.ID
		}
	}
	return ids
}

// add stores a date that is not stored yet.
func (p *timetablePlan) add(w *wantedDate, former formerIDs) {
	at := w.original.Unix()
	switch {
	case w.id != 0:
	case former.removed[at] != 0:
		w.id = former.removed[at]
		p.again = append(p.again, w.id)
	case former.waiting[at] != 0:
		w.id = former.waiting[at]
		delete(former.waiting, at)
	default:
		w.id = p.t.NextPost()
	}
	p.added.add(w.id, p.e.OccurrenceAt(w.original))
}

// addEdited stores dates that had been removed individually and come back. An undo may restore any number of them,
// but there are few.
func (p *timetablePlan) addEdited(list []wantedDate, former formerIDs) {
	for i := range list {
		if w := &list[i]; w.id == 0 && former.removed[w.original.Unix()] != 0 {
			p.add(w, former)
			w.apart = true
		}
	}
}

// parkAll makes wanted dates that have ids wait.
func (p *timetablePlan) parkAll(list []wantedDate) {
	for _, w := range list {
		switch {
		case w.apart || w.id == 0:
		case w.row != nil:
			p.park(w.id, w.original)
		default:
			p.waiting = append(p.waiting, waitingDate{original: w.original, id: w.id})
		}
	}
}
