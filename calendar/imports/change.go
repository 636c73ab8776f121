package imports

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// change adds a change of a known event to the next transaction. Changes that also create a venue or another item,
// or that concern a series, are written separately.
func (r *run) change(ctx context.Context, w *writer, it *item, changes args.Values) error {
	it.Fields = fieldsOf(changes, it.known.Said, it.fresh.Said, it.known.Kept)
	it.Result = Changed
	if changes["event_status"] == "cancelled" && slices.Contains(it.Fields, "event_status") {
		it.Result = Off
	}
	it.fresh.Event = it.known.Event
	f, err := r.fieldsFor(it, changes, args.Updating)
	if err == nil && !it.known.Series && !f.Recurrence.Given() && plainLinks(f) {
		err = r.changeTogether(ctx, w, it, f)
		if err == nil {
			return nil
		}
	}
	switch {
	case err != nil && ofEntry(err):
		it.refuse(err)
		w.note(it)
		return nil
	case err != nil:
		return err
	}
	w.alone, w.fields[it] = append(w.alone, it), changes
	return nil
}

// plainLinks reports whether a write makes nothing but changes to its event, and fetches nothing.
func plainLinks(f *calendar.EventFields) bool {
	return f.Image.Or(args.Image{}).URL == "" &&
		!slices.ContainsFunc(f.Venue.Or(nil), func(l args.Link[calendar.VenueFields]) bool { return l.New != nil }) &&
		!slices.ContainsFunc(f.Organizer.Or(nil), func(l args.Link[calendar.OrganizerFields]) bool { return l.New != nil }) &&
		!slices.ContainsFunc(f.Categories.Or(nil), func(ref args.Ref) bool { return ref.ID == 0 }) &&
		!slices.ContainsFunc(f.Tags.Or(nil), func(ref args.Ref) bool { return ref.ID == 0 })
}

// changeTogether adds a change to the next transaction.
func (r *run) changeTogether(ctx context.Context, w *writer, it *item, f *calendar.EventFields) error {
	write, err := r.calendar.Events().Writing(ctx, f)
	if err != nil {
		return err
	}
	links, err := write.Links(ctx)
	if err != nil {
		return err
	}
	w.Changes = append(w.Changes, &Change{Event: it.known.Event, Entry: it.was(), Identity: it.fresh,
		Do: func(e *calendar.Event) (calendar.EventLinks, error) {
			if err := mayChange(ctx, e); err != nil {
				return links, err
			}
			if _, there := tenancy.Current(ctx).Site.Sources[e.Origin]; !there {
				e.Origin = r.in.From
			}
			return links, write.Apply(it.giving(ctx), e, false)
		}})
	if it.moved != nil {
		w.Moved = append(w.Moved, Moved{*it.moved, it.key})
	}
	return nil
}

// was records in the entry the data from before the import, for an undo.
func (it *item) was() *Entry {
	if it.known != nil && it.adopt == nil {
		before := *it.known
		it.Was = &before
	}
	return it.Entry
}

// writeAlone writes an entry in its own transaction: a date of a series, or a change that also creates a venue or
// another item.
func (r *run) writeAlone(ctx context.Context, it *item, changes args.Values) error {
	if r.noted[it.Number] {
		return nil
	}
	var err error
	if it.file.Recurrence != "" {
		err = r.date(ctx, it)
	} else {
		err = r.update(ctx, it, it.known.Event, changes)
	}
	if err != nil && (ofEntry(err) || isLimit(err)) {
		it.refuse(err)
		it.fresh, err = nil, nil
	}
	if err != nil || !it.merely {
		return err
	}
	w := r.writer()
	w.note(it)
	return r.write(ctx, w, &w.Batch)
}

// update changes one event, and stores its entry of the report together with it.
func (r *run) update(ctx context.Context, it *item, event int64, changes args.Values) error {
	f, err := r.fieldsFor(it, changes, args.Updating)
	if err != nil {
		return err
	}
	if it.file.Following && it.file.Recurrence != "" {
		f.AppliesTo = args.Some(services.AppliesToFollowing)
	}
	if r.in.DryRun {
		return r.rehearse(ctx, it, event, f)
	}
	b := r.batch()
	b.Notes, b.Known = []*Entry{it.was()}, []*Identity{it.fresh}
	if it.moved != nil {
		b.Moved = []Moved{{*it.moved, it.key}}
	}
	ctx = it.giving(ctx)
	key := calendar.Key{ID: event}
	stored, err := r.storeNoted(ctx, &b, key, f)
	if list := pictureFindings(err); list != nil && f.Image.Given() {
		it.Warnings = append(it.Warnings, list...)
		f.Image = args.Opt[args.Image]{}
		stored, err = r.storeNoted(ctx, &b, key, f)
	}
	if err == nil {
		it.Event = stored.ID
	}
	return err
}

// storeNoted updates an event and stores its entry of the report in the same transaction.
func (r *run) storeNoted(ctx context.Context, b *Batch, key calendar.Key, f *calendar.EventFields) (*calendar.Event, error) {
	e, err := r.calendar.Events().Update(Noting(ctx, b), key, f, nil)
	if errors.Is(err, calendar.ErrPrecondition) {
		return nil, errNotYours
	}
	return e, err
}

// rehearse applies a change to an event without storing it.
func (r *run) rehearse(ctx context.Context, it *item, event int64, f *calendar.EventFields) error {
	e, err := r.events.Get(ctx, calendar.Key{ID: event})
	if err != nil {
		return err
	}
	return r.rehearseOn(ctx, it, e, f)
}

func (r *run) rehearseOn(ctx context.Context, it *item, e *calendar.Event, f *calendar.EventFields) error {
	if err := mayChange(ctx, e); err != nil {
		return err
	}
	write, err := r.begin(ctx, nil, it, f)
	if err != nil {
		return err
	}
	was := *e
	if err := write.Apply(ctx, e, false); err != nil {
		return err
	}
	if _, err := write.Links(ctx); err != nil {
		return err
	}
	if was.Series != nil && !it.file.Following {
		if err := calendar.CheckOccurrence(&was, e); err != nil {
			return err
		}
	}
	it.merely, it.fresh = true, nil
	return nil
}

// date writes one date of a series that differs from the series, or a separate event if there is no such series.
func (r *run) date(ctx context.Context, it *item) error {
	if r.knownDate(it) {
		return nil
	}
	s := r.series[it.UID]
	if s.refused {
		it.end(Refused, warning("series-refused", "", ""))
		return nil
	}
	whole, err := r.whole(ctx, s)
	if err != nil {
		return err
	}
	var at time.Time
	known := false
	if whole != nil && whole.Recurring() {
		at, known = recurrence.Start(it.file.Recurrence, whole.Clock(), r.calendar.Now())
	}
	if !known || !whole.HappensAt(at) {
		return r.single(ctx, it)
	}
	changes := r.onDate(it, whole, at)
	it.Fields = fieldsOf(changes, nil, changes, nil)
	it.Result = Created
	if it.known != nil {
		it.Result = Changed
		it.Fields = fieldsOf(changed(it.known.Said, it.fresh.Said), it.known.Said, it.fresh.Said, nil)
	}
	if changes["event_status"] == "cancelled" && (it.known == nil || slices.Contains(it.Fields, "event_status")) {
		it.Result = Off
	}
	return r.writeDate(ctx, it, s, whole, at, changes)
}

// knownDate decides what to do with a date that was imported before. It reports whether the entry is done.
func (r *run) knownDate(it *item) bool {
	if it.known == nil {
		if s := r.series[it.UID]; it.file.Void && s.event == 0 && s.would == nil {
			it.end(Off, warning("cancels-unknown", "", ""))
			it.fresh = nil
			return true
		}
		return false
	}
	return len(r.settle(it)) == 0
}

// whole returns the series of some dates, as it is stored or as a dry run would store it. It returns nil if there is none.
func (r *run) whole(ctx context.Context, s *seriesOf) (*calendar.Event, error) {
	if s.event == 0 {
		return s.would, nil
	}
	if s.would != nil && s.would.ID == s.event {
		return s.would, nil
	}
	e, err := r.events.Get(ctx, calendar.Key{ID: s.event})
	if err != nil {
		return nil, err
	}
	s.would = e
	return e, nil
}

// onDate returns the arguments of one date of a series. It leaves out arguments that only a series can have, and
// converts times to the series' zone.
func (r *run) onDate(it *item, whole *calendar.Event, at time.Time) args.Values {
	changes := args.Values{}
	for name, value := range it.values {
		if !calendar.OfWhole(name) {
			changes[name] = value
		}
	}
	zone := whole.Clock().Zone
	own := zone
	if name, ok := it.values["timezone"].(string); ok && name != "" {
		if parsed, err := args.ParseZone(name); err == nil {
			own = parsed.Location()
		}
	}
	if !whole.AllDay && offsetAt(own, at) != offsetAt(zone, at) {
		it.Warnings = append(it.Warnings, warning("date-zone", "timezone", own.String()))
	}
	for _, name := range []string{"start_date", "end_date"} {
		text, _ := it.values[name].(string)
		if d, err := args.ParseDate(text); err == nil && !whole.AllDay {
			changes[name] = args.WallTime(d.In(own, at), zone).Format(time.DateTime)
		}
	}
	return changes
}

// offsetAt returns the seconds by which the clocks of a zone differ from UTC at a wall-clock time.
func offsetAt(zone *time.Location, wall time.Time) int {
	_, offset := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), 0, 0, zone).Zone()
	return offset
}

// writeDate changes a date of a series.
func (r *run) writeDate(ctx context.Context, it *item, s *seriesOf, whole *calendar.Event, at time.Time, changes args.Values) error {
	if s.event == 0 { // of a dry run
		f, err := r.fieldsFor(it, changes, args.Updating)
		if err != nil {
			return err
		}
		date := *whole
		when := date.OccurrenceAt(at)
		date.Occur(0, at, when.Start, when.End)
		return r.rehearseOn(ctx, it, &date, f)
	}
	stored, err := r.events.Get(ctx, calendar.Key{ID: s.event, On: calendar.Span{From: at, To: at.Add(time.Second)}})
	if errors.Is(err, calendar.ErrNotFound) {
		it.end(Refused, warning("date-removed", "", ""))
		return nil
	}
	if err != nil {
		return err
	}
	it.fresh.Event, it.fresh.Date = s.event, stored.ID
	it.Event = stored.ID
	if s.adopted && it.known == nil && r.in.Policy != Replace { // the site has its dates as they are
		it.Fields, it.fresh.Version = nil, stored.Version
		it.end(Same)
		return nil
	}
	err = r.update(ctx, it, stored.ID, changes)
	if it.file.Following {
		s.would = nil
	}
	return err
}

// single creates a separate event for a date that its series does not have.
func (r *run) single(ctx context.Context, it *item) error {
	w := r.writer()
	if it.known != nil {
		changes := changed(it.known.Said, it.fresh.Said)
		whole(changes, it.fresh.Said)
		it.Fields = fieldsOf(changes, it.known.Said, it.fresh.Said, it.known.Kept)
		it.Result, it.fresh.Event = Changed, it.known.Event
		return r.update(ctx, it, it.known.Event, changes)
	}
	if it.file.Void {
		it.end(Off, warning("cancels-unknown", "", ""))
		it.fresh = nil
		return nil
	}
	if r.series[it.UID].event != 0 || r.series[it.UID].would != nil {
		it.Warnings = append(it.Warnings, warning("date-unknown", "", ""))
	}
	uid := it.UID
	it.UID = "" // the UID belongs to the series
	err := r.create(ctx, w, it)
	it.UID = uid
	if err != nil {
		return errors.Join(err, r.drop(ctx, w, nil))
	}
	if it.merely { // it was refused; writeAlone records this
		return nil
	}
	for i := range w.Creations {
		w.Creations[i].Event.UID = ""
	}
	return r.write(ctx, w, &w.Batch)
}
