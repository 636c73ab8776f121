package calendar

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/recur"
)

// importedSeries is a series of a file, as the dates that differ from it name it.
type importedSeries struct {
	name    string
	event   *Event // when it happens, and what it shares with its dates; nil unless it could be read
	id      int64  // once it is stored, or where it is; 0 in a dry run that would make it
	refused bool
}

// pendingDate is a date of a series that is to differ from it.
type pendingDate struct {
	line     int
	series   *importedSeries
	original time.Time // the start that the rule gives it
	fields   *EventFields
}

// become notes the event of the series without its texts, which may be long.
func (s *importedSeries) become(e *Event) {
	slim := *e
	slim.Description, slim.Excerpt = "", ""
	s.event, s.refused = &slim, false
}

// name notes what a row of an event or series calls it. Until it is stored it counts as
// refused.
func (i *importing) name(row ImportRow) (*importedSeries, error) {
	if row.Series == "" {
		return nil, nil //nolint:nilnil // most have no name
	}
	if i.series[row.Series] != nil {
		return nil, args.Invalid("series", "problem.import.series.twice", map[string]any{"Value": row.Series})
	}
	named := &importedSeries{name: row.Series, refused: true}
	i.series[row.Series] = named
	return named, nil
}

// keepStart makes a start that the rules of an imported series miss one of its dates.
// It returns what else is wrong with them.
func (w *eventWrite) keepStart(e *Event, err error) error {
	var problems *args.Problems
	if !errors.As(err, &problems) {
		return err
	}
	for _, p := range problems.Broken() {
		if p.Key != "problem.recurrence."+recur.StartMissed {
			continue
		}
		set := e.Recurrence.WithStart(e.Clock())
		e.Recurrence, w.missed = &set, args.Invalid(p.Arg, "problem.import.start", p.Data)
		return checkRecurrence(&set, e.Clock())
	}
	return err
}

// kept returns the id of an event after its batch, 0 for one that a dry run made.
func (i *importing) kept(became *Imported) int64 {
	if i.DryRun && !became.Exists {
		return 0
	}
	return became.ID
}

// date notes a row of a date that differs from its series, or refuses it.
func (i *importing) date(row ImportRow) error {
	d := pendingDate{line: row.Line, fields: &EventFields{}}
	err := i.fields(row, args.Updating, d.fields)
	if err == nil {
		err = i.find(row, &d)
	}
	if err != nil {
		i.refuse(row.Line, err)
		return nil
	}
	if i.DryRun && d.fields.Image.Given() {
		d.fields.Image = args.Opt[args.Image]{}
	}
	i.dates = append(i.dates, d)
	i.weight++
	return nil
}

// find looks up the series of a date, and which of its dates that is.
func (i *importing) find(row ImportRow, d *pendingDate) error {
	d.series = i.series[row.Series]
	switch {
	case row.Series == "":
		return args.Invalid("series", "problem.import.series.missing", nil)
	case d.series == nil:
		return args.Invalid("series", "problem.import.series.unknown", map[string]any{"Value": row.Series})
	case d.series.refused:
		return d.series.refusal()
	case !d.series.event.Recurring():
		return args.Invalid("series", "problem.import.series.single", map[string]any{"Value": row.Series})
	}
	found := &args.Problems{}
	r := &recurrenceReader{clock: d.series.event.Clock(), now: i.Now(), found: found}
	at := r.dates(row.Original, false)
	if found.Err() != nil || !d.series.event.HappensAt(at[0]) {
		return args.Invalid("original_start", "problem.import.original", map[string]any{"Value": shortened(row.Original)})
	}
	d.original = at[0]
	return d.keepLength()
}

func (s *importedSeries) refusal() error {
	return args.Invalid("series", "problem.import.series.refused", map[string]any{"Value": s.name})
}

// keepLength has a date that names another start end as much later.
func (d *pendingDate) keepLength() error {
	start, moved := d.fields.Start.Get()
	if !moved || d.fields.End.Given() {
		return nil
	}
	e := d.series.event
	end := wall(start.In(e.Clock().Zone, d.original), e.Clock().Zone).Add(e.End.Sub(e.Start))
	date, err := args.ParseDate(end.Format(time.DateTime))
	d.fields.End = args.Some(date)
	return err
}

// keepDate stores a date that differs. It returns only errors that end the import.
func (i *importing) keepDate(ctx context.Context, d *pendingDate) error {
	err := i.vary(ctx, d)
	switch {
	case err == nil:
		i.report.Dates++
	case errors.Is(err, errThere):
		i.report.Unchanged++
	case ofRow(err):
		i.refuse(d.line, err)
	default:
		return err
	}
	return nil
}

// errThere says that a date differs from its series already.
var errThere = errors.New("there already")

// vary makes a date differ from its series; a dry run keeps nothing of it.
func (i *importing) vary(ctx context.Context, d *pendingDate) error {
	if d.series.refused {
		return d.series.refusal()
	}
	at := *d.series.event
	when := at.OccurrenceAt(d.original)
	at.Occur(0, d.original, when.Start, when.End)
	if d.series.id != 0 {
		on := Span{d.original, d.original.Add(time.Second)}
		stored, err := i.store.Events().Get(ctx, Key{ID: d.series.id, On: on})
		switch {
		case errors.Is(err, ErrNotFound):
			return args.Invalid("original_start", "problem.import.original", map[string]any{"Value": d.original.Format(time.DateTime)})
		case err != nil:
			return fmt.Errorf("date of a series: %w", err)
		case len(stored.Series.Changed) > 0:
			return errThere
		}
		at = *stored
	}
	if i.DryRun {
		return i.rehearse(ctx, d, &at)
	}
	_, err := i.Update(ctx, Key{ID: at.ID}, d.fields, nil)
	return err
}

// rehearse applies what a date has of its own, and stores nothing.
func (i *importing) rehearse(ctx context.Context, d *pendingDate, at *Event) error {
	w, err := i.writing(ctx, d.fields)
	if err != nil {
		return err
	}
	was := *at
	if err := w.apply(ctx, at, false); err != nil {
		return err
	}
	if _, err := w.links(ctx, i.Calendar); err != nil {
		return err
	}
	return ofWhole(&was, at)
}
