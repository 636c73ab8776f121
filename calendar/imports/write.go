package imports

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// writer collects the content of one transaction.
type writer struct {
	Batch
	fresh  map[*Entry]*calendar.Image // pictures whose files are new
	alone  []*item                    // items to be written separately afterwards
	fields map[*item]args.Values      // the arguments that they change
}

// flush decides on the queued entries and begins to write them. Meanwhile, the next entries can be read and decided on. Entries of
// a series, and those that are written separately, need the result, so flush waits for it.
func (r *run) flush(ctx context.Context) error {
	list := r.queue
	r.queue, r.weight = nil, 0
	if len(list) == 0 {
		return nil
	}
	ctx, err := r.still(ctx)
	if err != nil {
		return err
	}
	if err := r.recognise(ctx, list); err != nil {
		return err
	}
	if err := r.prepare(ctx, list); err != nil {
		return err
	}
	w := r.writer()
	for _, it := range list {
		if it.file.Recurrence != "" && !it.merely {
			w.alone = append(w.alone, it)
			continue
		}
		if err := r.decide(ctx, w, it); err != nil {
			return errors.Join(err, r.drop(ctx, w, nil))
		}
	}
	if err := r.await(); err != nil {
		return errors.Join(err, r.drop(ctx, w, nil))
	}
	r.send(ctx, w)
	if len(w.alone)+len(r.series) == 0 {
		return nil
	}
	if err := r.await(); err != nil {
		return err
	}
	for _, it := range w.alone {
		if err := r.writeAlone(ctx, it, w.fields[it]); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) writer() *writer {
	return &writer{Batch: r.batch(), fresh: map[*Entry]*calendar.Image{}, fields: map[*item]args.Values{}}
}

func (r *run) batch() Batch {
	return Batch{Import: r.in.ID, Hold: r.hold, Source: r.in.Source, Rehearse: r.in.DryRun, Before: r.before, Highest: r.highest}
}

// decide decides what to do with an entry and adds it to the next transaction. It returns only errors that end the import.
func (r *run) decide(ctx context.Context, w *writer, it *item) error {
	var changes args.Values
	var err error
	switch {
	case it.merely:
	case it.adopt != nil:
		changes, err = r.baseline(ctx, it)
	case it.known != nil:
		changes = r.settle(it)
	case it.file.Void:
		it.end(Off, warning("cancels-unknown", "", ""))
		it.fresh = nil
	default:
		return r.create(ctx, w, it)
	}
	switch {
	case err != nil && ofEntry(err):
		it.refuse(err)
	case err != nil:
		return err
	case len(changes) > 0:
		return r.change(ctx, w, it, changes)
	}
	w.note(it)
	return nil
}

// note adds an entry that writes no event to the transaction, together with its new identity.
func (w *writer) note(it *item) {
	w.Notes = append(w.Notes, it.Entry)
	if it.Result == Refused {
		return
	}
	if it.moved != nil {
		w.Moved = append(w.Moved, Moved{*it.moved, it.key})
	}
	if it.fresh != nil && it.fresh.Event != 0 {
		w.Known = append(w.Known, it.fresh)
	}
	w.Leads = append(w.Leads, it.leads...)
}

// refuse marks an entry as refused, and adds the reason.
func (it *item) refuse(err error) {
	it.Result, it.merely, it.Event = Refused, true, 0
	var limit *tenancy.LimitError
	var access *tenancy.AccessError
	switch {
	case errors.As(err, &limit):
		it.Problems = append(it.Problems, Finding{Code: "limit_reached", Key: limit.Key(), Data: limit.Data()})
	case errors.Is(err, errNotYours), errors.As(err, &access):
		it.Problems = append(it.Problems, warning("not-yours", "", ""))
	default:
		it.Problems = append(it.Problems, findings(err)...)
	}
}

// create adds a new event to the next transaction.
func (r *run) create(ctx context.Context, w *writer, it *item) error {
	if r.full != nil {
		it.refuse(r.full)
		w.note(it)
		return nil //nolint:nilerr // the report has the error
	}
	event, links, image, err := r.make(ctx, w, it)
	switch {
	case err != nil && ofEntry(err):
		it.refuse(err)
		w.note(it)
		if s := r.series[it.UID]; s != nil {
			s.refused = true
		}
		return nil
	case err != nil:
		return err
	}
	it.Result, it.fresh.Event = Created, 0
	if image != nil {
		w.fresh[it.Entry] = image
	}
	if s := r.series[it.UID]; s != nil && it.UID != "" {
		would := *event
		would.Description, would.Excerpt = "", ""
		s.would = &would
	}
	w.Creations = append(w.Creations, Creation{r.creation(it, event, links), it.Entry, it.fresh, it.part})
	return nil
}

// creation returns the event to make from an entry. An event of a copied site gets the same id if possible, and its
// former addresses redirect to it.
func (r *run) creation(it *item, event *calendar.Event, links calendar.EventLinks) calendar.EventImport {
	made := calendar.EventImport{Event: event, Links: links}
	if r.file.Format == reading.TEC {
		made.Wanted = it.file.ID
		for _, lead := range r.leads(it, 0) {
			made.Former = append(made.Former, lead.Slug)
		}
	}
	return made
}

// make returns the event of an entry, and its picture if that is new.
func (r *run) make(ctx context.Context, w *writer, it *item) (*calendar.Event, calendar.EventLinks, *calendar.Image, error) {
	values := args.Values{}
	maps.Copy(values, it.values)
	delete(values, "status")
	if status, said := r.statusFor(ctx, it.values["status"]); said {
		values["status"] = status
	}
	f, err := r.fieldsFor(it, values, args.Creating)
	if err != nil {
		return nil, calendar.EventLinks{}, nil, err
	}
	write, err := r.begin(ctx, w, it, f)
	if err != nil {
		return nil, calendar.EventLinks{}, nil, err
	}
	e := &calendar.Event{}
	var links calendar.EventLinks
	if err = write.Apply(it.giving(ctx), e, true); err == nil {
		links, err = write.Links(ctx)
	}
	if err != nil {
		return nil, links, nil, write.Drop(ctx, err)
	}
	if missed := write.Missed(); missed != nil {
		it.Warnings = append(it.Warnings, findings(missed)...)
	}
	e.UID, e.Origin = foreignUID(ctx, it.UID), r.in.From
	if e.Image != nil && e.Image.ID == 0 {
		return e, links, e.Image, nil
	}
	return e, links, nil, nil
}

// foreignUID returns the UID that an event keeps in calendar files, or "" if this site assigns one.
func foreignUID(ctx context.Context, uid string) string {
	suffix := "@" + strings.ToLower(tenancy.Current(ctx).Site.UID)
	if len(uid) > longestUID || strings.HasSuffix(strings.ToLower(uid), suffix) || strings.ContainsFunc(uid, unicode.IsControl) {
		return ""
	}
	return uid
}

// send begins to store a batch. await returns the result; until then, nothing else may be written.
func (r *run) send(ctx context.Context, w *writer) {
	if w.empty() {
		return
	}
	w.Before = r.before
	stored := make(chan error, 1)
	go func() { stored <- r.store.Write(ctx, &w.Batch) }()
	r.sent = func() error { return r.written(ctx, w, &w.Batch, <-stored) }
}

// await waits for the batch that is being stored, and returns its error.
func (r *run) await() error {
	sent := r.sent
	if r.sent = nil; sent == nil {
		return nil
	}
	return sent()
}

// empty reports whether there is nothing to store.
func (b *Batch) empty() bool {
	return len(b.Creations)+len(b.Changes)+len(b.Notes)+len(b.Leads) == 0
}

// write stores a batch.
func (r *run) write(ctx context.Context, w *writer, b *Batch) error {
	if b.empty() {
		return nil
	}
	b.Before = r.before
	return r.written(ctx, w, b, r.store.Write(ctx, b))
}

// written takes note of the result of storing a batch. If the database refused it, written stores the two halves separately, and so
// on down to the refused entry.
func (r *run) written(ctx context.Context, w *writer, b *Batch, err error) error {
	switch {
	case err == nil:
		return r.wrote(w, b)
	case !ofEntry(err) && !isLimit(err):
		return errors.Join(err, r.drop(ctx, w, b))
	case len(b.Creations)+len(b.Changes) == 1:
		return r.refused(ctx, w, b, err)
	}
	first, second := b.halves()
	if err := r.write(ctx, w, first); err != nil {
		return errors.Join(err, r.drop(ctx, w, second))
	}
	if isLimit(err) && r.full != nil {
		for i := range second.Creations {
			c := &second.Creations[i]
			(&item{Entry: c.Entry}).refuse(r.full)
			second.Notes = append(second.Notes, c.Entry)
		}
		err := r.drop(ctx, w, &Batch{Creations: second.Creations})
		second.Creations = nil
		if err != nil {
			return err
		}
	}
	return r.write(ctx, w, second)
}

func isLimit(err error) bool {
	_, ok := errors.AsType[*tenancy.LimitError](err)
	return ok
}

// halves splits the creations and changes of a batch between two batches.
func (b *Batch) halves() (first, second *Batch) {
	one, two := *b, *b
	half := (len(b.Creations) + len(b.Changes)) / 2
	creations, changes := min(half, len(b.Creations)), max(0, half-len(b.Creations))
	one.Creations, two.Creations = b.Creations[:creations], slices.Clone(b.Creations[creations:])
	one.Changes, two.Changes = b.Changes[:changes], b.Changes[changes:]
	one.Notes = slices.Clone(b.Notes)
	two.Notes, two.Known, two.Moved, two.Gone, two.Leads = nil, nil, nil, nil, nil
	return &one, &two
}

// refused records the only creation or change of a batch as refused by the database.
func (r *run) refused(ctx context.Context, w *writer, b *Batch, err error) error {
	var entry *Entry
	if len(b.Creations) == 1 {
		entry = b.Creations[0].Entry
	} else {
		entry = b.Changes[0].Entry
	}
	if limit, ok := errors.AsType[*tenancy.LimitError](err); ok {
		r.full = limit
	}
	(&item{Entry: entry}).refuse(err)
	if s := r.series[entry.UID]; s != nil {
		s.refused = true
	}
	if err := r.drop(ctx, w, &Batch{Creations: b.Creations}); err != nil {
		return err
	}
	note := *b
	note.Creations, note.Changes, note.Notes = nil, nil, append(slices.Clone(b.Notes), entry)
	return r.write(ctx, w, &note)
}

// wrote updates the run's state after a batch was stored.
func (r *run) wrote(w *writer, b *Batch) error {
	for i := range b.Creations {
		c := &b.Creations[i]
		if s := r.series[c.Entry.UID]; s != nil {
			s.event = c.Entry.Event
			if r.in.DryRun {
				s.event = 0
			}
		}
		delete(w.fresh, c.Entry)
	}
	r.before.Events += b.Stored.Events
	r.before.Occurrences += b.Stored.Occurrences
	return nil
}

// drop removes the picture files of events that were not stored: those of a batch, or all if b is nil.
func (r *run) drop(ctx context.Context, w *writer, b *Batch) error {
	var err error
	for entry, image := range w.fresh {
		if b == nil || slices.ContainsFunc(b.Creations, func(c Creation) bool { return c.Entry == entry }) {
			err = r.calendar.DropImage(ctx, image, err)
			delete(w.fresh, entry)
		}
	}
	return err
}

// Outcome returns the entry of a change with its final result.
func (c *Change) Outcome() *Entry {
	if c.Refused == nil {
		return c.Entry
	}
	refused := *c.Entry
	refused.Fields, refused.Version, refused.Was = nil, 0, nil
	(&item{Entry: &refused}).refuse(c.Refused)
	return &refused
}
