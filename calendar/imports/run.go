package imports

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// run is the execution of one import.
type run struct {
	*Service
	hold *Hold
	in   *Import
	ask  Fields
	file *reading.File

	noted   map[int]bool           // entries that are in the report
	here    map[Key]int            // numbers of the file's entries by key; if several have a key, the one that counts
	known   map[Key]*Identity      // of the source
	places  map[string][]*Identity // identities missing from the file, by title, start and venue
	there   map[string][]int64     // events from before the import, likewise; nil until they are read
	unread  map[string]bool        // entries that cannot be read, by UID; or by title if they have none
	bound   map[int64]bool         // events that an entry of this file was recognized as
	series  map[string]*seriesOf   // series with dates that differ, by UID
	names   *names                 // of the site
	first   time.Time              // the earliest start of the file, wall clock
	last    time.Time              // the latest
	before  tenancy.Usage          // usage that a dry run would have added so far
	full    *tenancy.LimitError    // the plan has no more room
	images  map[string]*tried      // pictures that it tried to fetch, by URL
	highest Highest                // ids of a copied site
	linked  *linkedItems           // of a copied site; nil otherwise
	marks   []*Entry               // report entries of venues, organizers and terms that are not stored yet
	queue   []*item                // of the next batch
	weight  int                    // of the queue
	sent    func() error           // waits for the batch that is being stored; nil if none is
}

// seriesOf is a series in the file with dates that differ from it.
type seriesOf struct {
	event   int64           // 0 if it is not stored
	would   *calendar.Event // in a dry run
	refused bool
	adopted bool // the site had it before, from elsewhere
}

// do executes the import, or continues it if it was interrupted.
func (r *run) do(ctx context.Context) (err error) {
	defer func() { err = cmp.Or(err, r.await()) }()
	if r.in.Counts.Read > 0 {
		if r.noted, err = r.store.Noted(ctx, r.in.ID); err != nil {
			return err
		}
	}
	if r.in.Undoes != 0 {
		return r.undo(ctx)
	}
	asked := maps.Clone(r.in.Asked)
	if r.in.URL != "" {
		asked["url"] = r.in.URL // without a URL, some arguments are invalid
	}
	if err := table.Parse(asked, args.Creating, &r.ask); err != nil {
		return err
	}
	if err := r.read(ctx); err != nil {
		return err
	}
	if err := r.survey(ctx); err != nil {
		return err
	}
	if err := r.importLinked(ctx); err != nil {
		return err
	}
	ctx = calendar.TakingPictures(ctx, r.file.Giver)
	for _, dates := range []bool{false, true} {
		if dates && len(r.series) == 0 {
			break
		}
		for e := range r.file.Entries {
			if e.Recurrence != "" != dates || r.noted[e.Number] {
				continue
			}
			if err := r.take(ctx, &e); err != nil {
				return err
			}
		}
		if err := r.flush(ctx); err != nil {
			return err
		}
		if err := r.await(); err != nil {
			return err
		}
	}
	return r.gone(ctx)
}

// read reads the file that was sent, or the file at the address.
func (r *run) read(ctx context.Context) error {
	data, err := r.store.File(ctx, r.in.ID)
	if errors.Is(err, ErrNoFile) && r.in.Address != "" {
		data, err = r.fetch(ctx)
	}
	if err != nil {
		return err
	}
	options, err := r.options(ctx)
	if err != nil {
		return err
	}
	err = r.open(ctx, data, options)
	if err != nil {
		r.in.Columns = columnsOf(r.file)
		return err
	}
	if options.Columns != nil && len(r.file.Columns) > 0 {
		return r.store.SetColumns(ctx, headerOf(r.file), options.Columns)
	}
	return nil
}

// columnsOf returns the columns of a file; or nil without a file.
func columnsOf(file *reading.File) []reading.Column {
	if file == nil {
		return nil
	}
	return file.Columns
}

// options returns the options for reading the import's file.
func (r *run) options(ctx context.Context) (reading.Options, error) {
	columns, err := Columns(r.ask.Columns)
	if err != nil {
		return reading.Options{}, err
	}
	site := tenancy.Current(ctx).Site
	options := reading.Options{
		Zone:        site.Location,
		Languages:   append([]string{site.Language}, site.Others()...),
		Fields:      addedFields(site, tenancy.FieldOfEvents),
		VenueFields: addedFields(site, tenancy.FieldOfVenues),
		Columns:     columns,
		DateOrder:   r.ask.DateOrder.Or(""),
		Edits:       r.in.edits(),
	}
	if format := r.ask.Format.Or("auto"); format != "auto" {
		options.Format = reading.Format(format)
	}
	if format := reading.Format(r.in.Format); format == reading.Gift || format == reading.Kalends {
		options.Format = format
	}
	if zone, ok := r.ask.Timezone.Get(); ok && zone.Name() != "" {
		options.Zone, options.Fixed = zone.Location(), true
	}
	options.Now = wallAt(r.in.sent(), options.Zone)
	if options.Format == reading.Lines {
		if err := r.readNames(ctx); err != nil {
			return options, err
		}
		options.Venue = func(name string) bool { return len(r.names.venues[wording.FoldName(name)]) > 0 }
	}
	return options, nil
}

// open reads a file. For a table, it applies the meanings of columns that people have chosen before.
func (r *run) open(ctx context.Context, data []byte, options reading.Options) error {
	var err error
	if r.file, err = reading.Read(data, options); err != nil && !errors.Is(err, reading.ErrColumns) && !errors.Is(err, reading.ErrTwice) {
		return err
	}
	if options.Columns != nil || len(columnsOf(r.file)) == 0 {
		return err
	}
	said, failed := r.store.Columns(ctx, headerOf(r.file))
	if failed != nil || said == nil {
		return cmp.Or(failed, err)
	}
	options.Columns = said
	if file, failed := reading.Read(data, options); failed == nil {
		r.file, err = file, nil
	}
	return err
}

// headerOf returns the digest of a table's header, under which the meanings of its columns are stored.
func headerOf(file *reading.File) []byte {
	headers := make([]string, 0, len(file.Columns))
	for _, column := range file.Columns {
		headers = append(headers, column.Header)
	}
	return digest(headers)
}

// digest returns a short hash of a value, for comparison.
func digest(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil { // NaN and infinities, which no file contains
		text = fmt.Append(nil, v)
	}
	sum := sha256.Sum256(text)
	return sum[:16]
}

// sourceOf returns the digest of the origin of a file: its URL or, without one, the names of its calendar and
// product. Tables have neither, so all of them count as one source.
func (r *run) sourceOf() []byte {
	if r.in.Source != nil {
		return r.in.Source
	}
	kind := string(r.file.Format)
	if r.file.Format == reading.XLSX {
		kind = string(reading.CSV)
	}
	return digest([]string{kind, r.file.Name, r.file.Product})
}

// survey reads the whole file before anything is written, to find out which entries it has and what the site knows
// about them.
func (r *run) survey(ctx context.Context) error {
	r.here, r.series, r.images, r.bound = map[Key]int{}, map[string]*seriesOf{}, map[string]*tried{}, map[int64]bool{}
	r.unread = map[string]bool{}
	r.in.Source = r.sourceOf()
	if err := r.join(ctx); err != nil {
		return err
	}
	r.in.Total = 0
	for e := range r.file.Entries {
		r.in.Total++
		switch {
		case e.Within:
			r.series[e.Series] = &seriesOf{}
		case e.Recurrence != "":
			r.series[e.UID] = &seriesOf{}
		}
		switch {
		case e.Superseded:
			continue
		case len(e.Problems) > 0 && e.UID == "":
			r.unread[titleKey(e.Title)] = true
			continue
		case len(e.Problems) > 0:
			r.unread[r.key(&e).UID] = true
			continue
		}
		key := r.key(&e)
		if _, twice := r.here[key]; !twice {
			r.here[key] = e.Number
		}
		if start, err := time.Parse(time.DateTime, e.Start); err == nil {
			if r.first.IsZero() || start.Before(r.first) {
				r.first = start
			}
			if start.After(r.last) {
				r.last = start
			}
		}
	}
	r.in.Format, r.in.Columns, r.in.LeftOut = string(r.file.Format), r.file.Columns, r.file.LeftOut
	if r.in.Name == "" {
		r.in.Name = shortName(r.file.Name)
	}
	if r.file.Format != reading.Gift { // everything about a gift is already known
		if err := r.store.Survey(ctx, r.in, r.hold); err != nil {
			return err
		}
	}
	if err := r.recall(ctx); err != nil {
		return err
	}
	return r.readNames(ctx)
}

// readNames reads the names of the site, unless they are known.
func (r *run) readNames(ctx context.Context) error {
	if r.names != nil {
		return nil
	}
	list, err := r.store.Names(ctx)
	if err == nil {
		r.names = newNames(tenancy.Current(ctx), list)
	}
	return err
}

// recall reads the site's identities of the source.
func (r *run) recall(ctx context.Context) error {
	list, err := r.store.Identities(ctx, r.in.Source)
	if err != nil {
		return err
	}
	r.known, r.places = make(map[Key]*Identity, len(list)), map[string][]*Identity{}
	for _, id := range list {
		if id.Status == "" {
			continue // its event was deleted permanently
		}
		r.known[id.Key] = id
		if id.Recurrence == "" {
			r.bound[id.Event] = r.bound[id.Event] || r.here[id.Key] != 0 || r.file.Partial ||
				r.unread[id.UID] || r.unread[titleKey(id.Title)]
		}
	}
	for _, id := range list {
		if id.Status != "" && id.Recurrence == "" && r.here[id.Key] == 0 && !r.bound[id.Event] {
			r.places[string(id.Place)] = append(r.places[string(id.Place)], id)
		}
		if s := r.series[id.UID]; s != nil && id.Recurrence == "" && id.Status != "" {
			s.event = id.Event
		}
	}
	return nil
}

// longestUID is the maximum length of a UID in bytes. Longer ones are stored as a digest.
const longestUID = 255

// key returns the key of an entry within its source. Without a UID, the key is made from title, start and venue.
func (r *run) key(e *reading.Entry) Key {
	switch {
	case e.UID == "":
		return Key{UID: fmt.Sprintf("\u00a0%x", placeOf(e)), Recurrence: e.Recurrence}
	case len(e.UID) > longestUID:
		return Key{UID: fmt.Sprintf("\u00a0%x", digest(e.UID)), Recurrence: e.Recurrence}
	}
	return Key{UID: strings.ToValidUTF8(strings.ReplaceAll(e.UID, "\x00", ""), ""), Recurrence: e.Recurrence}
}

// titleKey returns the key in run.unread of an entry without a UID.
func titleKey(title string) string { return "\u00a0" + wording.FoldName(title) }

// placeOf returns the digest of an entry's title, start and venue.
func placeOf(e *reading.Entry) []byte {
	return placeDigest(e.Title, e.Start, venueOf(e.Values), e.Values["recurrence"] != nil)
}

func placeDigest(title, start, venue string, series bool) []byte {
	return digest([]any{wording.FoldName(title), start, wording.FoldName(venue), series})
}

// venueOf returns the name of the first venue in some arguments.
func venueOf(values args.Values) string {
	v := values["venue"]
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	object, _ := v.(map[string]any)
	name, _ := object["venue"].(string)
	return name
}

// own returns the id of the event with a UID of this site, or 0.
func own(ctx context.Context, uid string) int64 {
	before, suffix, ok := strings.Cut(uid, "@")
	if !ok || !strings.EqualFold(suffix, tenancy.Current(ctx).Site.UID) {
		return 0
	}
	var id int64
	if n, err := fmt.Sscanf(before, "%d", &id); n != 1 || err != nil || fmt.Sprint(id) != before {
		return 0
	}
	return id
}

// knowsOwn reports whether the file may have UIDs that events of this site got from other files. It may if it was
// written by this site, or if it is a table, which does not name its source.
func (r *run) knowsOwn() bool {
	return slices.Contains([]reading.Format{reading.CSV, reading.XLSX, reading.JSON}, r.file.Format) ||
		strings.Contains(r.file.Product, "//Kalends//")
}

// addedFields returns the keys of the fields that a site has added to its events or venues. The value is true for yes/no fields.
func addedFields(site *tenancy.Site, of string) map[string]bool {
	keys := map[string]bool{}
	for _, f := range site.FieldsOf(of, false) {
		keys[f.Key] = f.Kind == tenancy.YesNoField
	}
	return keys
}
