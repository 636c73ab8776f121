package sheets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// importBatch is the number of events that an import stores per transaction. A series counts as importSeries events,
// because it may have thousands of occurrences.
const (
	importBatch  = 250
	importSeries = 25
)

// eventFields is the type of a row's arguments.
var eventFields = reflect.TypeFor[calendar.EventFields]()

// Source is a file of events being read.
type Source interface {
	// Next returns the next row. It returns io.EOF at the end, and another error if the file cannot be read further.
	Next() (Row, error)
}

// Row is one event of a file, or one occurrence that differs from its series. Categories and tags are always
// names, even if they look like numbers.
type Row struct {
	Line     int         // line where the row begins
	Values   args.Values // arguments of the event, or the fields in which an occurrence differs
	Series   string      // the file's name for the series; "" if none
	Original string      // of an occurrence that differs: the start that the rule yields; otherwise ""
	UID      string      // iCalendar UID, or ""; ignored for an occurrence
	Err      error       // why there are no values
}

// Options configures an import.
type Options struct {
	DryRun   bool                     // do everything but store nothing
	Refused  func(row int, err error) // called for each rejected row
	Noted    func(row int, err error) // called for each row that is imported with changes
	Progress func(Report)             // called after each batch
}

// Import creates the events of a file with the permissions, rules and defaults of Create. A row whose event already
// exists (see ImportKey) changes nothing; a rejected row is reported and skipped. Images are fetched except in a dry
// run. Rows of occurrences that differ must follow their series; each is stored separately after it, and one that
// already differs is kept. Import returns its report even with an error; whatever was stored before the error
// remains.
func Import(ctx context.Context, c *calendar.Calendar, store calendar.EventStore, from Source, o Options) (Report, error) {
	i := &importing{Events: c.Events(), Options: o, store: store, table: args.TableOf(eventFields), tally: newTally(o.DryRun),
		series: map[string]*importedSeries{}}
	err := i.all(tenancy.Importing(ctx), from)
	if err != nil {
		err = fmt.Errorf("import events: %w", err)
	}
	return i.report, err
}

// importing is the state of one import.
type importing struct {
	calendar.Events
	Options
	*tally
	store   calendar.EventStore
	table   *args.Table
	pending []*pendingImport
	weight  int // total weight of pending
	dates   []pendingDate
	series  map[string]*importedSeries // by the file's name for them
}

// pendingImport is an event waiting for its batch.
type pendingImport struct {
	calendar.EventImport
	line  int
	named *importedSeries // the series of the file that this event is, if any
	note  error           // what was changed from the row, or nil
	fresh *calendar.Image // its image, if the blobs are new
	url   string          // the address that fresh was fetched from
}

func (i *importing) all(ctx context.Context, from Source) error {
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

// room returns a *tenancy.LimitError if a dry run exceeds the site's limits of events or occurrences. The store
// cannot count these, because nothing of earlier batches was stored.
func (i *importing) room(ctx context.Context) error {
	scope, err := tenancy.From(ctx)
	if err != nil || !i.DryRun {
		return err
	}
	return scope.Site.Plan.Allow(scope.Site.Usage, tenancy.Usage{Events: int64(i.report.Created), Occurrences: i.stored})
}

// row adds a row to the batch or reports why it cannot be imported. It returns only errors that end the import.
func (i *importing) row(ctx context.Context, row Row) error {
	if row.Original != "" {
		return i.date(row)
	}
	named, err := i.name(row)
	fields := &calendar.EventFields{}
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
		if err := i.flush(ctx); err != nil { // afterwards the site has the image
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

// fields parses the arguments of a row.
func (i *importing) fields(row Row, mode args.Mode, into *calendar.EventFields) error {
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

// nameTerms converts terms that look like ids to names.
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

// prepare does what Create does before calling the store.
func (i *importing) prepare(ctx context.Context, f *calendar.EventFields, uid string) (*pendingImport, error) {
	uid, err := foreignUID(ctx, uid)
	if err != nil {
		return nil, err
	}
	w, err := i.Importing(ctx, f)
	if err != nil {
		return nil, err
	}
	p := &pendingImport{EventImport: calendar.EventImport{Event: &calendar.Event{}}}
	if err = w.Apply(ctx, p.Event, true); err == nil {
		p.Links, err = w.Links(ctx)
	}
	p.note, p.Event.UID = w.Missed(), uid
	if err != nil {
		return nil, w.Drop(ctx, err)
	}
	if image := p.Event.Image; image != nil && image.ID == 0 {
		p.fresh = image
	}
	return p, nil
}

// awaits reports whether an image from url is pending in the batch.
func (i *importing) awaits(url string) bool {
	for _, p := range i.pending {
		if p.url == url {
			return true
		}
	}
	return false
}

// flush stores the batch, and then the occurrences that differ from series stored so far.
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

// keep stores events in one transaction. If the database refuses, it splits the batch in halves down to the offending
// event.
func (i *importing) keep(ctx context.Context, batch []*pendingImport) error {
	if len(batch) == 0 {
		return nil
	}
	list := make([]calendar.EventImport, 0, len(batch))
	for _, p := range batch {
		list = append(list, p.EventImport)
	}
	became, err := i.store.Import(ctx, list, i.DryRun)
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

// settle counts the results of a batch and removes the images of events that already existed.
func (i *importing) settle(ctx context.Context, batch []*pendingImport, became []calendar.Imported) error {
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

// drop removes the images of events that were not stored.
func (i *importing) drop(ctx context.Context, batch []*pendingImport) error {
	var err error
	for _, p := range batch {
		err = i.DropImage(ctx, p.fresh, err)
	}
	return err
}

func (i *importing) refuse(line int, err error) {
	i.report.Refused++
	if i.Refused != nil {
		i.Refused(line, err)
	}
}

// ofRow reports whether an error concerns only one row, so that the import can continue.
func ofRow(err error) bool {
	var problems *args.Problems
	return errors.As(err, &problems) || errors.Is(err, calendar.ErrRefused)
}

// longestUID is the maximum length of an iCalendar UID in bytes.
const longestUID = 255

// foreignUID returns the UID of an imported event, or "" if this site generated it, because such a UID is derived
// from the event's id.
func foreignUID(ctx context.Context, uid string) (string, error) {
	scope, err := tenancy.From(ctx)
	switch {
	case err != nil:
		return "", err
	case strings.HasSuffix(strings.ToLower(uid), "@"+strings.ToLower(scope.Site.UID)):
		return "", nil
	case len(uid) > longestUID || strings.ContainsFunc(uid, unicode.IsControl):
		return "", args.Invalid("uid", "problem.import.uid", map[string]any{"N": longestUID})
	}
	return uid, nil
}
