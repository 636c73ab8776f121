package imports

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
)

// Counterpart maps a venue, organizer, category or tag of a copied site to the corresponding item of this site.
type Counterpart struct {
	Kind      string
	OldID, ID int64       // ids there and here
	Values    args.Values // its arguments there
	Version   int64       // of the site, when an import wrote it last; set by the store
	Gone      bool        // the item of this site is in the trash or deleted
}

// NewCounterpart is a venue, organizer, category or tag to be created for one of the copied site.
type NewCounterpart struct {
	Counterpart
	Venue     *calendar.Link[calendar.Venue]
	Organizer *calendar.Link[calendar.Organizer]
	Term      *calendar.Term
	Parent    *NewCounterpart // parent category made in the same transaction
	Wanted    int64           // id to use here, unless it is taken
}

// Lead is an address of another site that redirects to an event of this site.
type Lead struct {
	Slug  string // or calendar.FormerID
	Event int64
	At    time.Time // for a series: wall-clock start of the date to redirect to; zero: the whole series
}

// linkedKey identifies a venue, organizer, category or tag of a copied site.
type linkedKey struct {
	kind string
	id   int64
}

// linkedItems are the venues, organizers, categories and tags of the copied site that the import has read or created so far.
type linkedItems struct {
	file  map[linkedKey]*reading.Linked
	here  map[linkedKey]int64 // ids here
	known map[linkedKey]*Counterpart
}

// linkedTogether is the number of items created in one transaction.
const linkedTogether = 200

// importLinked creates the venues, organizers, categories and tags of a copied site, and updates those that have changed
// on that site. A dry run stores nothing.
func (r *run) importLinked(ctx context.Context) error {
	if r.file.Format != reading.TEC {
		return nil
	}
	for e := range r.file.Entries {
		r.highest.Post = max(r.highest.Post, e.ID)
	}
	for i := range r.file.Linked {
		r.highest.add(&r.file.Linked[i])
	}
	if err := r.readLinked(ctx); err != nil {
		return err
	}
	creating := map[linkedKey]*NewCounterpart{}
	var batch []*NewCounterpart
	for n, t := range r.inOrder() {
		entry := &Entry{Number: r.in.Total + n + 1, Title: t.Name}
		made, err := r.planLinked(ctx, t, creating, entry)
		if err != nil {
			return err
		}
		if made != nil {
			creating[linkedKey{t.Kind, t.ID}] = made
			batch = append(batch, made)
		}
		if len(batch) == linkedTogether {
			if err := r.storeLinked(ctx, batch); err != nil {
				return err
			}
			batch = nil
		}
	}
	if err := r.storeLinked(ctx, batch); err != nil {
		return err
	}
	w := r.writer()
	w.Notes, r.marks = r.marks, nil
	return r.write(ctx, w, &w.Batch)
}

// readLinked reads which venues, organizers, categories and tags a copied site has, and which of this site correspond to them.
func (r *run) readLinked(ctx context.Context) error {
	if r.file.Format != reading.TEC {
		return nil
	}
	if err := r.readCounterparts(ctx, r.in.Source); err != nil {
		return err
	}
	for i := range r.file.Linked {
		t := &r.file.Linked[i]
		r.linked.file[linkedKey{t.Kind, t.ID}] = t
	}
	return nil
}

// readCounterparts reads which venues, organizers, categories and tags of this site correspond to those of a copied site.
func (r *run) readCounterparts(ctx context.Context, source []byte) error {
	list, err := r.store.Counterparts(ctx, source)
	if err != nil {
		return err
	}
	r.linked = &linkedItems{map[linkedKey]*reading.Linked{}, map[linkedKey]int64{}, map[linkedKey]*Counterpart{}}
	for _, b := range list {
		if !b.Gone {
			r.linked.known[linkedKey{b.Kind, b.OldID}], r.linked.here[linkedKey{b.Kind, b.OldID}] = b, b.ID
		}
	}
	return nil
}

// Highest holds the highest ids of a copied site. All other items created here get higher ids.
type Highest struct{ Post, Term int64 }

func (h *Highest) add(t *reading.Linked) {
	switch {
	case t.ID >= reading.MostID:
	case t.Kind == "venue", t.Kind == "organizer":
		h.Post = max(h.Post, t.ID)
	default:
		h.Term = max(h.Term, t.ID)
	}
}

// inOrder returns the venues, organizers, categories and tags of the file, with parent categories before their
// children.
func (r *run) inOrder() []*reading.Linked {
	depth := func(t *reading.Linked) int {
		n := 0
		for ; t != nil && t.Parent != 0 && n < 100; n++ {
			t = r.linked.file[linkedKey{t.Kind, t.Parent}]
		}
		return n
	}
	list := make([]*reading.Linked, 0, len(r.file.Linked))
	for i := range r.file.Linked {
		list = append(list, &r.file.Linked[i])
	}
	slices.SortStableFunc(list, func(a, b *reading.Linked) int { return depth(a) - depth(b) })
	return list
}

// planLinked decides whether to create or update the item here for an item of the copied site. It returns the item to
// create, or nil.
func (r *run) planLinked(ctx context.Context, t *reading.Linked, creating map[linkedKey]*NewCounterpart, entry *Entry,
) (*NewCounterpart, error) {
	key := linkedKey{t.Kind, t.ID}
	said := maps.Clone(t.Values)
	if t.Parent != 0 {
		said["parent"] = map[string]any{reading.OldID: t.Parent}
	}
	if known := r.linked.known[key]; known != nil {
		return nil, r.updateLinked(ctx, known, said, entry)
	}
	b := &NewCounterpart{Counterpart: Counterpart{Kind: t.Kind, OldID: t.ID, Values: said}, Wanted: t.ID}
	if b.Wanted >= reading.MostID {
		b.Wanted = 0
	}
	err := r.prepareLinked(ctx, b, t, entry)
	if err == nil && b.Term != nil && t.Parent != 0 {
		parent := linkedKey{t.Kind, t.Parent}
		if b.Parent = creating[parent]; b.Parent == nil || b.Parent.ID != 0 {
			b.Parent, b.Term.Parent = nil, r.linked.here[parent]
		}
	}
	switch {
	case err == nil && r.in.DryRun:
		err = r.dropPicture(ctx, b)
		b = nil
	case err != nil && ofEntry(err):
		(&item{Entry: entry}).refuse(err)
		b, err = nil, nil
	}
	if err == nil {
		r.mark(entry, Created)
	}
	return b, err
}

// prepareLinked prepares an item: a link to an existing one with its name, or a new one.
func (r *run) prepareLinked(ctx context.Context, b *NewCounterpart, t *reading.Linked, entry *Entry) error {
	f := &calendar.EventFields{}
	if t.Kind != "venue" && t.Kind != "organizer" {
		return r.term(ctx, b, t)
	}
	if err := eventTable.Parse(args.Values{t.Kind: []any{map[string]any(t.Values)}}, args.Updating, f); err != nil {
		return err
	}
	if link := r.names.first(f); link != 0 {
		b.ID = link
		return nil
	}
	links, err := r.placeLinks(ctx, f, entry)
	if err != nil {
		return err
	}
	if links.Venues != nil {
		b.Venue = &(*links.Venues)[0]
	} else {
		b.Organizer = &(*links.Organizers)[0]
	}
	return nil
}

// placeLinks prepares a venue or organizer. If its picture can't be fetched, it is left out with a warning.
func (r *run) placeLinks(ctx context.Context, f *calendar.EventFields, entry *Entry) (calendar.EventLinks, error) {
	links, err := r.linksOf(ctx, f)
	if err == nil || !withoutPictures(f) {
		return links, err
	}
	again, failed := r.linksOf(ctx, f)
	if failed != nil {
		return again, failed
	}
	entry.Warnings = append(entry.Warnings, findings(err)...)
	return again, nil
}

func (r *run) linksOf(ctx context.Context, f *calendar.EventFields) (calendar.EventLinks, error) {
	w, err := r.calendar.Events().Importing(ctx, f)
	if err != nil {
		return calendar.EventLinks{}, err
	}
	return w.Links(ctx)
}

// withoutPictures removes the pictures of venues and organizers from a write, and reports whether it had any.
func withoutPictures(f *calendar.EventFields) (had bool) {
	for _, link := range f.Venue.Or(nil) {
		if link.New != nil {
			had = had || link.New.Image.Given()
			link.New.Image = args.Opt[args.Image]{}
		}
	}
	for _, link := range f.Organizer.Or(nil) {
		if link.New != nil {
			had = had || link.New.Image.Given()
			link.New.Image = args.Opt[args.Image]{}
		}
	}
	return had
}

// term prepares a category or tag. It links to the term here with the same name, unless another term of the copied site
// is already linked to it.
func (r *run) term(ctx context.Context, b *NewCounterpart, t *reading.Linked) error {
	if one, there := r.names.termNamed(t.Kind, t.Name); there && !r.linked.taken(t.Kind, one.ID) {
		b.ID = one.ID
		r.linked.here[linkedKey{t.Kind, t.ID}] = one.ID
		return nil
	}
	f := &calendar.CategoryFields{}
	if err := termTable.Parse(t.Values, args.Creating, f); err != nil {
		return err
	}
	term, err := r.calendar.Terms(calendar.Taxonomy(t.Kind)).Prepare(ctx, f)
	b.Term = term
	return err
}

// The arguments of venues, organizers, categories and tags.
var (
	venueTable     = args.TableOf(reflect.TypeFor[calendar.VenueFields]())
	organizerTable = args.TableOf(reflect.TypeFor[calendar.OrganizerFields]())
	termTable      = args.TableOf(reflect.TypeFor[calendar.CategoryFields]())
)

// taken reports whether an item of the copied site is already linked to an id here.
func (t *linkedItems) taken(kind string, id int64) bool {
	for key, here := range t.here {
		if key.kind == kind && here == id {
			return true
		}
	}
	return false
}

// dropPicture removes the picture files that were stored for an item that is not created, for example in a dry run.
func (r *run) dropPicture(ctx context.Context, b *NewCounterpart) error {
	switch {
	case b.Venue != nil && b.Venue.New.Image != nil:
		return r.calendar.DropImage(ctx, b.Venue.New.Image, nil)
	case b.Organizer != nil && b.Organizer.New.Image != nil:
		return r.calendar.DropImage(ctx, b.Organizer.New.Image, nil)
	}
	return nil
}

// storeLinked stores items. If the database refuses them together, it stores them one by one.
func (r *run) storeLinked(ctx context.Context, list []*NewCounterpart) error {
	if len(list) == 0 {
		return nil
	}
	ctx, err := r.still(ctx)
	if err != nil {
		return err
	}
	b := r.batch()
	b.NewCounterparts, b.Notes = list, r.marks
	err = r.store.Write(ctx, &b)
	switch {
	case err == nil:
		r.marks = nil
	case !ofEntry(err) && !isLimit(err):
		return err
	case len(list) > 1:
		for _, one := range list {
			if err := r.storeLinked(ctx, []*NewCounterpart{one}); err != nil {
				return err
			}
		}
		return nil
	default:
		number := r.in.Total + 1 + slices.IndexFunc(r.inOrder(), func(t *reading.Linked) bool {
			return t.Kind == list[0].Kind && t.ID == list[0].OldID
		})
		entry := &Entry{Number: number}
		(&item{Entry: entry}).refuse(err)
		if !r.noted[number] {
			r.marks = append(r.marks, entry)
		}
		return r.dropPicture(ctx, list[0])
	}
	for _, one := range list {
		r.linked.here[linkedKey{one.Kind, one.OldID}] = one.ID
	}
	return nil
}

// updateLinked updates an item imported earlier with its changes on the copied site. It keeps fields that people
// changed here.
func (r *run) updateLinked(ctx context.Context, known *Counterpart, said args.Values, entry *Entry) error {
	changes := changed(known.Values, said)
	for name := range known.Values {
		if _, still := said[name]; !still {
			changes[name] = ""
		}
	}
	if len(changes) == 0 || r.in.Policy == Skip || r.in.DryRun {
		return nil
	}
	if r.in.Policy == Update {
		kept, err := r.store.KeptOf(ctx, known.Kind, known.ID, known.Version)
		if err != nil {
			return err
		}
		for _, name := range kept {
			if _, there := changes[name]; there {
				delete(changes, name)
				entry.Warnings = append(entry.Warnings, warning("kept", name, ""))
			}
		}
	}
	b := r.batch()
	now := *known
	now.Values = said
	b.Counterparts = []*Counterpart{&now}
	var err error
	if len(changes) == 0 {
		err = r.store.Write(ctx, &b)
	} else {
		err = r.changeLinked(Noting(ctx, &b), known, changes)
	}
	if err != nil && ofEntry(err) {
		(&item{Entry: entry}).refuse(err)
		err = nil
	}
	if err == nil {
		r.mark(entry, Same)
	}
	return err
}

// mark adds an item with problems or warnings to the report. result is its result unless it was refused.
func (r *run) mark(entry *Entry, result Result) {
	if len(entry.Problems)+len(entry.Warnings) == 0 || r.noted[entry.Number] {
		return
	}
	if entry.Result == "" {
		entry.Result = result
	}
	r.marks = append(r.marks, entry)
}

// changeLinked updates a venue, organizer, category or tag.
func (r *run) changeLinked(ctx context.Context, of *Counterpart, changes args.Values) (err error) {
	key := calendar.Key{ID: of.ID}
	switch of.Kind {
	case "venue":
		f := &calendar.VenueFields{}
		if err = venueTable.Parse(changes, args.Updating, f); err == nil {
			_, err = r.calendar.Venues().Update(ctx, key, f, nil)
		}
	case "organizer":
		f := &calendar.OrganizerFields{}
		if err = organizerTable.Parse(changes, args.Updating, f); err == nil {
			_, err = r.calendar.Organizers().Update(ctx, key, f, nil)
		}
	default:
		if parent, said := changes["parent"]; said {
			changes["parent"] = numberOf(r.counterpartOf(of.Kind, parent))
		}
		f := &calendar.CategoryFields{}
		if err = termTable.Parse(changes, args.Updating, f); err == nil {
			_, err = r.calendar.Terms(calendar.Taxonomy(of.Kind)).Update(ctx, of.ID, f, nil)
		}
	}
	return err
}
