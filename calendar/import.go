package calendar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// importBatch is how many events one transaction of an import stores. A series
// counts as several, for it has thousands of dates.
const (
	importBatch  = 250
	importSeries = 25
)

// eventFields are the arguments of a row.
var eventFields = reflect.TypeFor[EventFields]()

// ImportSource is a file of events that is being read.
type ImportSource interface {
	// Next returns the next row. It returns io.EOF after the last one, and
	// another error where the file can't be read on.
	Next() (ImportRow, error)
}

// ImportRow is one event of a file, or one date of a series that differs from it.
// Its categories and tags are named by text alone: a number is a name too.
type ImportRow struct {
	Line     int         // where it begins
	Values   args.Values // the arguments of its event, or what the date has of its own
	Series   string      // what the file calls the series, "" for none
	Original string      // of a date that differs: the start that the rule gives it; else ""
	UID      string      // what calendars call the event, "" for nothing; of a date that differs it means nothing
	Err      error       // why there are no values
}

// ImportOptions are what an import may be told.
type ImportOptions struct {
	DryRun   bool                     // do everything and keep nothing
	Refused  func(row int, err error) // is told of each row that isn't imported, by line
	Noted    func(row int, err error) // is told of each row that is imported, but not as it says
	Progress func(ImportReport)       // is told after each batch how far it is
}

// Import makes the events of a file, with the rights, the rules and the defaults
// of Create. A row whose event the site has already (see ImportKey) changes
// nothing; one that is refused is told and passed over. Pictures are fetched,
// but not in a dry run. Dates that differ from a series come after it and are
// stored after it, each by itself; one that differs already stays. It returns what it did, also beside an error, after
// which what was stored before stays.
func (s Events) Import(ctx context.Context, from ImportSource, o ImportOptions) (ImportReport, error) {
	i := &importing{Events: s, ImportOptions: o, table: args.TableOf(eventFields), tally: newTally(o.DryRun),
		series: map[string]*importedSeries{}}
	err := i.all(tenancy.Importing(ctx), from)
	if err != nil {
		err = fmt.Errorf("import events: %w", err)
	}
	return i.report, err
}

// importing is one import under way.
type importing struct {
	Events
	ImportOptions
	*tally
	table   *args.Table
	pending []*pendingImport
	weight  int // of pending
	dates   []pendingDate
	series  map[string]*importedSeries // by what the file calls them
}

// pendingImport is an event that waits for its batch to be full.
type pendingImport struct {
	EventImport
	line  int
	named *importedSeries // what dates that differ name it by, nil for nothing
	note  error           // what isn't as the row says, nil for nothing
	fresh *Image          // its picture, when its blobs are new
	url   string          // where that came from
}

func (i *importing) all(ctx context.Context, from ImportSource) error {
	for {
		row, err := from.Next()
		if errors.Is(err, io.EOF) {
			return errors.Join(i.flush(ctx), i.room(ctx))
		}
		if err != nil {
			return errors.Join(err, i.flush(ctx))
		}
		i.report.Read++
		if err := i.row(ctx, row); err != nil {
			return errors.Join(err, i.drop(ctx, i.pending))
		}
		if i.weight >= importBatch {
			if err := i.flush(ctx); err != nil {
				return err
			}
		}
	}
}

// room returns a *tenancy.LimitError when a dry run would have made more events
// or occurrences than the site may hold: nothing it made was there for the next batch to count.
func (i *importing) room(ctx context.Context) error {
	scope, err := tenancy.From(ctx)
	if err != nil || !i.DryRun {
		return err
	}
	return scope.Site.Plan.Allow(scope.Site.Usage, tenancy.Usage{Events: int64(i.report.Created), Occurrences: i.stored})
}

// row adds a row to the batch, or tells why it can't be imported. It returns
// only errors that end the import.
func (i *importing) row(ctx context.Context, row ImportRow) error {
	if row.Original != "" {
		return i.date(row)
	}
	named, err := i.name(row)
	fields := &EventFields{}
	if err == nil {
		err = i.fields(row, args.Creating, fields)
	}
	if err != nil {
		i.refuse(row.Line, err)
		return nil
	}
	url := fields.Image.Or(args.Image{}).URL
	switch {
	case url != "" && i.DryRun:
		fields.Image, url = args.Opt[args.Image]{}, ""
	case url != "" && i.awaits(url):
		if err := i.flush(ctx); err != nil { // the picture is the site's then
			return err
		}
	}
	p, err := i.prepare(ctx, fields, row.UID)
	switch {
	case err == nil:
		p.line, p.url, p.named = row.Line, url, named
		i.add(p)
	case !ofRow(err):
		return err
	default:
		i.refuse(row.Line, err)
	}
	return nil
}

// fields reads what a row says.
func (i *importing) fields(row ImportRow, mode args.Mode, into *EventFields) error {
	if row.Err != nil {
		return row.Err
	}
	err := i.table.Parse(row.Values, mode, into)
	nameTerms(&into.Categories, row.Values["categories"])
	nameTerms(&into.Tags, row.Values["tags"])
	return err
}

// add adds an event to the batch.
func (i *importing) add(p *pendingImport) {
	if p.named != nil {
		p.named.become(p.Event)
	}
	i.pending = append(i.pending, p)
	if i.weight++; p.Event.Recurring() {
		i.weight += importSeries - 1
	}
}

// nameTerms turns what looks like ids into names.
func nameTerms(terms *args.Opt[args.Refs], sent any) {
	list, ok := sent.([]any)
	if !ok {
		return
	}
	refs := make(args.Refs, 0, len(list))
	for _, entry := range list {
		if name, ok := entry.(string); ok {
			refs = append(refs, args.Ref{Text: name})
		}
	}
	*terms = args.Some(refs)
}

// prepare does what Create does before the store has its turn.
func (i *importing) prepare(ctx context.Context, f *EventFields, uid string) (*pendingImport, error) {
	uid, err := foreignUID(ctx, uid)
	if err != nil {
		return nil, err
	}
	w, err := i.writing(ctx, f)
	if err != nil {
		return nil, err
	}
	p := &pendingImport{EventImport: EventImport{Event: &Event{}}}
	w.imported = true
	if err = w.apply(ctx, p.Event, true); err == nil {
		p.Links, err = w.links(ctx, i.Calendar)
	}
	p.note, p.Event.UID = w.missed, uid
	if err != nil {
		return nil, i.undo(ctx, w.image, err)
	}
	if w.image != nil && w.image.ID == 0 {
		p.fresh = w.image
	}
	return p, nil
}

// awaits reports whether the picture of that address waits in the batch.
func (i *importing) awaits(url string) bool {
	for _, p := range i.pending {
		if p.url == url {
			return true
		}
	}
	return false
}

// flush stores the batch, and then the dates that differ from series of it or of
// those before.
func (i *importing) flush(ctx context.Context) error {
	batch, dates := i.pending, i.dates
	i.pending, i.dates, i.weight = nil, nil, 0
	err := i.keep(ctx, batch)
	for n := range dates {
		if err == nil {
			err = i.keepDate(ctx, &dates[n])
		}
	}
	if i.Progress != nil {
		i.Progress(i.report)
	}
	return err
}

// keep stores events in one transaction. Where the database refuses it, halves
// of them are stored alone, down to the event that is to blame.
func (i *importing) keep(ctx context.Context, batch []*pendingImport) error {
	if len(batch) == 0 {
		return nil
	}
	list := make([]EventImport, 0, len(batch))
	for _, p := range batch {
		list = append(list, p.EventImport)
	}
	became, err := i.store.Events().Import(ctx, list, i.DryRun)
	half := len(batch) / 2
	switch {
	case err == nil:
		return i.settle(ctx, batch, became)
	case !ofRow(err):
		return errors.Join(err, i.drop(ctx, batch))
	case half == 0:
		i.refuse(batch[0].line, err)
		if batch[0].named != nil {
			batch[0].named.refused = true
		}
		return i.drop(ctx, batch)
	}
	if err := i.keep(ctx, batch[:half]); err != nil {
		return errors.Join(err, i.drop(ctx, batch[half:]))
	}
	return i.keep(ctx, batch[half:])
}

// settle counts what became of a batch, and removes the pictures of events that
// were there already.
func (i *importing) settle(ctx context.Context, batch []*pendingImport, became []Imported) error {
	var unused []*pendingImport
	for n, p := range batch {
		i.count(&p.EventImport, &became[n])
		if p.named != nil {
			p.named.id = i.kept(&became[n])
		}
		switch {
		case became[n].Exists:
			unused = append(unused, p)
		case p.note != nil && i.Noted != nil:
			i.Noted(p.line, p.note)
		}
	}
	return i.drop(ctx, unused)
}

// drop removes the pictures of events that aren't stored.
func (i *importing) drop(ctx context.Context, batch []*pendingImport) error {
	var err error
	for _, p := range batch {
		err = i.undo(ctx, p.fresh, err)
	}
	return err
}

func (i *importing) refuse(line int, err error) {
	i.report.Refused++
	if i.Refused != nil {
		i.Refused(line, err)
	}
}

// ofRow reports whether an error is about one row, so that others may go on.
func ofRow(err error) bool {
	var problems *args.Problems
	return errors.As(err, &problems) || errors.Is(err, ErrRefused)
}
