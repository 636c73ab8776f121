package imports

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// item is an entry of the file while it is processed.
type item struct {
	*Entry
	key    Key
	file   reading.Entry
	values args.Values // arguments, including those that the import adds to all entries
	known  *Identity   // nil: unknown so far
	moved  *Key        // its previous key
	fresh  *Identity   // its new identity
	leads  []Lead      // addresses elsewhere
	part   *Identity   // for a series made of single events: the identity of the first event
	adopt  *calendar.Event
	merely bool // the entry is only recorded in the report
}

// take queues an entry, and writes the queue when it has enough for a transaction.
func (r *run) take(ctx context.Context, e *reading.Entry) error {
	it := &item{Entry: &Entry{Number: e.Number, Line: e.Line, UID: e.UID, Recurrence: e.Recurrence, Title: e.Title, Start: e.Start},
		file: *e, key: r.key(e)}
	for _, w := range e.Warnings {
		it.Warnings = append(it.Warnings, finding(w))
	}
	switch {
	case len(e.Problems) > 0:
		for _, p := range e.Problems {
			it.Problems = append(it.Problems, finding(p))
		}
		it.Result, it.merely = Refused, true
	case e.Within:
		r.within(it)
	case e.Superseded:
		it.end(Same, warning("superseded", "", ""))
	case r.here[it.key] != e.Number && e.UID == "":
		it.end(Same, warning("twice", "", ""))
	case r.here[it.key] != e.Number:
		it.end(Same, warning("superseded", "", ""))
	default:
		it.values = r.values(e)
		it.known = r.known[it.key]
		it.fresh = &Identity{
			Key:      it.key,
			Place:    r.placeOf(e),
			Digest:   digest(it.values),
			Sequence: e.Sequence,
			Modified: e.Modified,
			Said:     it.values,
		}
		if r.file.Format == reading.TEC && e.Series != "" {
			it.part = partOf(e.Series)
		}
	}
	if it.merely && !e.Within {
		if known := r.known[it.key]; known != nil {
			it.Event = known.shown()
		}
	}
	r.queue = append(r.queue, it)
	if r.weight += it.weight(); r.weight >= batchWeight {
		return r.flush(ctx)
	}
	return nil
}

// placeOf is the function placeOf, but also resolves a venue of a copied site.
func (r *run) placeOf(e *reading.Entry) []byte {
	if r.linked == nil {
		return placeOf(e)
	}
	venue := ""
	for _, one := range listOf(e.Values["venue"]) {
		if id, old := oldID(one); old && r.linked.file[linkedKey{"venue", id}] != nil {
			venue = r.linked.file[linkedKey{"venue", id}].Name
			break
		}
	}
	return placeDigest(e.Title, e.Start, venue, e.Values["recurrence"] != nil)
}

// partOf returns the identity of a single event of a copied site that is a date of a series here.
func partOf(uid string) *Identity {
	return &Identity{Key: Key{UID: uid, Recurrence: withinSeries}, Place: []byte{}, Digest: []byte{}, Said: args.Values{}}
}

// within handles a single event of a copied site that is a date of a series here: its address redirects to that date.
func (r *run) within(it *item) {
	s := r.series[it.file.Series]
	if s.refused {
		it.end(Refused, warning("series-refused", "", ""))
		return
	}
	it.end(Same, warning("within-series", "", ""))
	it.Event = s.event
	if known := r.known[it.key]; s.event != 0 && (known == nil || known.Event != s.event) {
		it.fresh = partOf(it.UID)
		it.fresh.Event = s.event
		it.leads = r.leads(it, s.event)
		for i := range it.leads {
			it.leads[i].At, _ = time.Parse(time.DateTime, it.Start)
		}
	}
}

// leads returns the addresses of an entry on a copied site that are to redirect to an event here.
func (r *run) leads(it *item, event int64) (list []Lead) {
	if slug, _ := it.file.Values["slug"].(string); slug != "" {
		list = append(list, Lead{Slug: wording.SoughtSlug(slug), Event: event})
	}
	if it.file.ID != 0 && it.file.ID != event {
		list = append(list, Lead{Slug: calendar.FormerID(it.file.ID), Event: event})
	}
	return list
}

// batchWeight is the weight at which the queue is written in one transaction. A series weighs more than a single event,
// because it may have thousands of dates. An entry that is only recorded weighs less.
const (
	batchWeight  = 1000
	noteWeight   = 1
	eventWeight  = 4
	seriesWeight = 100
)

func (it *item) weight() int {
	switch {
	case it.merely, it.known != nil && it.unchanged():
		return noteWeight
	case it.values["recurrence"] != nil:
		return seriesWeight
	}
	return eventWeight
}

// end sets the result of an entry that does not write an event.
func (it *item) end(result Result, found ...Finding) {
	it.Result, it.merely = result, true
	if result == Refused || result == Off && it.Event == 0 {
		it.Problems = append(it.Problems, found...)
		return
	}
	it.Warnings = append(it.Warnings, found...)
}

// shown returns the event id that responses show for an entry.
func (i *Identity) shown() int64 {
	if i.Date != 0 {
		return i.Date
	}
	return i.Event
}

// values returns the arguments of an entry, including those that the import adds to all entries.
func (r *run) values(e *reading.Entry) args.Values {
	values := maps.Clone(e.Values)
	if values == nil {
		values = args.Values{}
	}
	if e.Recurrence != "" {
		delete(values, "recurrence")
	} else {
		for _, name := range []string{"categories", "tags", "venue", "organizer"} {
			if more, given := r.in.Asked[name]; given && more != nil && more != "" {
				values[name] = slices.Concat(listOf(values[name]), listOf(more))
			}
		}
	}
	if e.Cancelled || e.Void {
		values["event_status"] = "cancelled"
	}
	return values
}

// listOf returns the entries of an argument that is a list or a single entry. A text is split at commas.
func listOf(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	case string:
		var list []any
		for part := range strings.SplitSeq(v, ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
		return list
	}
	return []any{v}
}

// eventTable describes the arguments of an event.
var eventTable = args.TableOf(reflect.TypeFor[calendar.EventFields]())

// fields parses arguments of an entry. Unless the file is JSON, categories and tags are names, even if they look like numbers.
func (r *run) fields(values args.Values, mode args.Mode) (*calendar.EventFields, error) {
	f := &calendar.EventFields{}
	err := eventTable.Parse(r.settled(values), mode, f)
	if r.file.Format != reading.JSON {
		nameTerms(&f.Categories, values["categories"])
		nameTerms(&f.Tags, values["tags"])
	}
	r.names.resolve(f)
	return f, err
}

// fieldsFor is fields for an entry. The report mentions names that several entries of the site have.
func (r *run) fieldsFor(it *item, values args.Values, mode args.Mode) (*calendar.EventFields, error) {
	r.names.doubts = nil
	f, err := r.fields(values, mode)
	for _, doubt := range r.names.doubts {
		if !slices.ContainsFunc(it.Warnings, func(w Finding) bool { return reflect.DeepEqual(w, doubt) }) {
			it.Warnings = append(it.Warnings, doubt)
		}
	}
	return f, err
}

// nameTerms converts terms that look like ids to names.
func nameTerms(terms *args.Opt[args.Refs], said any) {
	list, ok := said.([]any)
	if !ok {
		return
	}
	refs, given := terms.Get()
	if !given || len(refs) != len(list) {
		return
	}
	for i, entry := range list {
		if name, ok := entry.(string); ok {
			refs[i] = args.Ref{Text: name}
		}
	}
	*terms = args.Some(refs)
}

// statusFor returns the status of a new event: the requested status, unless the status in the file is more
// restrictive.
func (r *run) statusFor(ctx context.Context, said any) (string, bool) {
	asked, given := r.ask.Status.Get()
	if !editor(tenancy.Current(ctx).Principal) {
		asked, given = string(calendar.Draft), true
	}
	of, _ := said.(string)
	rank := []string{"", string(calendar.Publish), string(calendar.Future), string(calendar.Pending), string(calendar.Draft)}
	switch {
	case !given, of == string(calendar.Private) && asked != string(calendar.Draft), of == string(calendar.Trash):
		return of, of != ""
	case slices.Index(rank, asked) > slices.Index(rank, of):
		return asked, true
	}
	return of, of != ""
}
