package sheets

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/recurrence"
)

// importedSeries is a series of a file that occurrences refer to by name.
type importedSeries struct {
	name    string
	event   *calendar.Event // its times and the fields its occurrences inherit; nil if it could not be read
	id      int64           // id once stored or found; 0 in a dry run that would create it
	refused bool
}

// pendingDate is an occurrence waiting to be changed.
type pendingDate struct {
	line     int
	series   *importedSeries
	original time.Time // the start that the rule yields
	fields   *calendar.EventFields
}

// become stores the event of the series without its possibly long texts.
func (s *importedSeries) become(e *calendar.Event) {
	slim := *e
	slim.Description, slim.Excerpt = "", ""
	s.event, s.refused = &slim, false
}

// name registers the series that a row defines. It counts as refused until it is stored.
func (i *importing) name(row Row) (*importedSeries, error) {
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

// kept returns the id of an event after its batch, or 0 if a dry run created it.
func (i *importing) kept(became *calendar.Imported) int64 {
	if i.DryRun && !became.Exists {
		return 0
	}
	return became.ID
}

// date queues a row of an occurrence that differs from its series, or rejects it.
func (i *importing) date(row Row) error {
	d := pendingDate{line: row.Line, fields: &calendar.EventFields{}}
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

// find looks up the series of a row and the occurrence in it.
func (i *importing) find(row Row, d *pendingDate) error {
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
	at, known := recurrence.Start(row.Original, d.series.event.Clock(), i.Now())
	if !known || !d.series.event.HappensAt(at) {
		return args.Invalid("original_start", "problem.import.original", map[string]any{"Value": args.Shortened(row.Original)})
	}
	d.original = at
	return d.keepLength()
}

func (s *importedSeries) refusal() error {
	return args.Invalid("series", "problem.import.series.refused", map[string]any{"Value": s.name})
}

// keepLength shifts the end of an occurrence along with its start.
func (d *pendingDate) keepLength() error {
	start, moved := d.fields.Start.Get()
	if !moved || d.fields.End.Given() {
		return nil
	}
	e := d.series.event
	end := args.WallTime(start.In(e.Clock().Zone, d.original), e.Clock().Zone).Add(e.End.Sub(e.Start))
	date, err := args.ParseDate(end.Format(time.DateTime))
	d.fields.End = args.Some(date)
	return err
}

// keepDate stores an occurrence. It returns only errors that end the import.
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

// errThere is returned for an occurrence that already differs from its series.
var errThere = errors.New("there already")

// vary changes an occurrence of a series. A dry run stores nothing.
func (i *importing) vary(ctx context.Context, d *pendingDate) error {
	if d.series.refused {
		return d.series.refusal()
	}
	at := *d.series.event
	when := at.OccurrenceAt(d.original)
	at.Occur(0, d.original, when.Start, when.End)
	if d.series.id != 0 {
		on := calendar.Span{From: d.original, To: d.original.Add(time.Second)}
		stored, err := i.store.Get(ctx, calendar.Key{ID: d.series.id, On: on})
		switch {
		case errors.Is(err, calendar.ErrNotFound):
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
	_, err := i.Update(ctx, calendar.Key{ID: at.ID}, d.fields, nil)
	return err
}

// rehearse applies the row of an occurrence without storing it.
func (i *importing) rehearse(ctx context.Context, d *pendingDate, at *calendar.Event) error {
	w, err := i.Writing(ctx, d.fields)
	if err != nil {
		return err
	}
	was := *at
	if err := w.Apply(ctx, at, false); err != nil {
		return err
	}
	if _, err := w.Links(ctx); err != nil {
		return err
	}
	return calendar.CheckOccurrence(&was, at)
}
