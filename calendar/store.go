package calendar

import (
	"context"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Store keeps a site's data. Each call is one transaction on the site of the
// context's Scope; no transaction crosses this port. Calls return ErrNotFound
// for keys the site doesn't have and *args.Problems for values the database
// refuses.
type Store interface {
	Events() EventStore
	Venues() PlaceStore[Venue]
	Organizers() PlaceStore[Organizer]
	Terms(taxonomy Taxonomy) TermStore
	Images() ImageStore
	History() tenancy.HistoryStore
	Drafts() DraftStore
	Previews() PreviewStore
	Submissions() SubmissionStore
	// Offers returns names to choose from, in one round trip.
	Offers(ctx context.Context, q OfferQuery) (*Offers, error)
}

// EventStore keeps events.
type EventStore interface { //nolint:interfacebloat // one for each way to read or write events
	// List returns one page of events with everything nested, in one round trip.
	List(ctx context.Context, q EventQuery) (Page[Event], error)
	// Counts returns how many events of each status there are, whatever the page.
	Counts(ctx context.Context, q EventQuery) (map[Status]int, error)
	// Facets returns what a list of a query can be narrowed by, in one round trip; days
	// are periods to count events of. A period in the query is taken from them.
	Facets(ctx context.Context, q EventQuery, days []Days, chosen *Days) (*Facets, error)
	// AtVenues counts what a list has at each venue, of its first 5,000 entries, the
	// venue with most first.
	AtVenues(ctx context.Context, q EventQuery) (*AtVenues, error)
	// Others looks for events that have something of another among the next 5,000 entries
	// of public lists.
	Others(ctx context.Context, q OthersQuery) (*OtherIDs, error)
	// Booked returns what takes place at venues during some spans, the first to come
	// first: of each series one date at each venue, whoever may read it.
	Booked(ctx context.Context, q BookedQuery) ([]BookedAt, error)
	// Get returns one event with everything nested; ErrWrongType when the id
	// belongs to something else.
	Get(ctx context.Context, key Key) (*Event, error)
	// Create stores a new event and what its links newly make. It fills in
	// id, version, a unique slug and everything nested.
	Create(ctx context.Context, e *Event, links EventLinks) error
	// Update reads the event, lets change alter it and stores the result with
	// the links change returns. Nothing is stored when change fails.
	Update(ctx context.Context, key Key, change func(*Event) (EventLinks, error)) (*Event, error)
	// Split divides a series at one of its occurrences, in one transaction: change
	// is given the series, which keeps what comes before, and a copy that is to
	// become a series of the rest, whose occurrences keep their ids. It returns
	// the copy as stored. ErrNotFound: the id is no occurrence's.
	Split(ctx context.Context, occurrence int64, change func(series, rest *Event, at *Event) (EventLinks, error)) (*Event, error)
	// Rejoin takes a Split back, in one transaction: change is given the series, to
	// which it gives the rules of both, and the rest, which is gone afterwards. Its
	// occurrences, those that differ and those removed go to the series and keep
	// their ids. ErrNotFound: one of them isn't there.
	Rejoin(ctx context.Context, series, rest int64, change func(series, rest *Event) (EventLinks, error)) (*Event, error)
	// Around returns a series, and which of its occurrences come before and after a
	// place among them.
	Around(ctx context.Context, series int64, at Place) (*Neighbours, error)
	// Changed returns when the version of the site last rose, which never goes back. What
	// is read after it is of that version or a later one.
	Changed(ctx context.Context) (time.Time, error)
	// Matching returns the ids of all events that happen within a query, whatever
	// the page, and the version of the site. The first to happen come first; series
	// and the occurrences that differ from them each have an id of their own.
	Matching(ctx context.Context, q EventQuery) (ids []int64, version int64, err error)
	// Several returns events by their ids and in their order, with everything
	// nested, and the occurrences that differ from the series among them. What is
	// gone is left out.
	Several(ctx context.Context, ids []int64) (list, exceptions []*Event, err error)
	// Deleted returns what was public after a moment and has been deleted for good
	// since.
	Deleted(ctx context.Context, after time.Time) ([]*Event, error)
	// Removed returns dates that were taken out of series, the last first, and how
	// many they are: of series that the viewer may see and that aren't in the trash.
	Removed(ctx context.Context, viewer Viewer, most int) ([]RemovedDate, int, error)
	// Replaced returns what the write of a version to an event replaced and the history
	// doesn't tell.
	Replaced(ctx context.Context, id, version int64) (Replaced, error)
	// Exceptions returns the occurrences of a series that differ from it.
	Exceptions(ctx context.Context, series int64) ([]*Event, error)
	// Delete removes the event for good when check allows, and returns its
	// last state.
	Delete(ctx context.Context, key Key, check func(*Event) error) (*Event, error)
	// Import stores many new events with what their links newly make in one
	// transaction, but those the site has already, and returns what became of
	// each. A rehearsal does the same and keeps nothing. It returns
	// *args.Problems or ErrRefused when the database refuses any of them.
	Import(ctx context.Context, events []EventImport, rehearsal bool) ([]Imported, error)
}

// PlaceStore keeps venues or organizers.
type PlaceStore[T any] interface {
	List(ctx context.Context, q PlaceQuery) (Page[T], error)
	Get(ctx context.Context, key Key) (*T, error)
	// Create stores link.New, unless one it is the Same as exists: then that
	// one is returned and nothing changes.
	Create(ctx context.Context, link Link[T]) (*T, error)
	Update(ctx context.Context, key Key, change func(*T) error) (*T, error)
	// Delete removes the item and its links to events for good.
	Delete(ctx context.Context, key Key, check func(*T) error) (*T, error)
	// Merge removes the others when change allows and stores what it makes of
	// keep. Events linked to the others are linked to keep, each once and at the
	// first of their places; the slugs of the others lead to keep. It returns
	// keep and how many events were linked anew.
	Merge(ctx context.Context, keep int64, others []int64, change func(keep *T, others []*T) error) (*T, int, error)
	// Linked returns how many events are linked to each, and to any of them.
	Linked(ctx context.Context, ids []int64) (each map[int64]int, together int, err error)
	// Twins returns items that aren't the only one of their folded name, in the
	// order of that; of venues also of their city.
	Twins(ctx context.Context, most int) ([]*T, error)
}

// TermStore keeps the categories or the tags.
type TermStore interface {
	List(ctx context.Context, q TermQuery) (Page[Term], error)
	Get(ctx context.Context, id int64) (*Term, error)
	// Create stores a term. With ownSlug false a name that exists under the
	// same parent is an *ExistsError and a taken slug gets the parent's slug
	// or a number behind it (rule 12.1).
	Create(ctx context.Context, t *Term, ownSlug bool) error
	// Rivals returns what is in the way of storing a term as it is.
	Rivals(ctx context.Context, t *Term) (TermRivals, error)
	// Update returns ErrSlugTaken when the new slug belongs to another term.
	Update(ctx context.Context, id int64, change func(*Term) error) (*Term, error)
	// Delete removes the term; its children move up to its parent.
	Delete(ctx context.Context, id int64, check func(*Term) error) (*Term, error)
	// Merge and Linked are PlaceStore's; the children of the others become keep's.
	Merge(ctx context.Context, keep int64, others []int64, change func(keep *Term, others []*Term) error) (*Term, int, error)
	Linked(ctx context.Context, ids []int64) (each map[int64]int, together int, err error)
	// Former returns the term that a slug leads to which none has now.
	Former(ctx context.Context, slug string) (*Term, error)
}

// TermRivals are what is in the way of a term. A new one has no id.
type TermRivals struct {
	Namesake int64 // another of that name below the same parent; 0: none
	Slug     bool  // another has its slug
	Loop     bool  // it would be below itself
}

// ImageStore keeps what is known of pictures; their bytes are blobs elsewhere.
type ImageStore interface {
	Get(ctx context.Context, id int64) (*Image, error)
	// Shown reports whether everybody sees the image as the picture of an item.
	Shown(ctx context.Context, id int64) (bool, error)
	// BySource returns the image that was fetched from that address.
	BySource(ctx context.Context, source string) (*Image, error)
	// ByKey returns the image whose blobs lie under that key.
	ByKey(ctx context.Context, key string) (*Image, error)
	// List returns one page of images, the newest first.
	List(ctx context.Context, q ImageQuery) (Page[Image], error)
	// Uses returns what shows the image: as its picture, or in its texts.
	Uses(ctx context.Context, id int64) ([]ImageUse, error)
	Create(ctx context.Context, image *Image) error
	Update(ctx context.Context, id int64, change func(*Image) error) (*Image, error)
	Delete(ctx context.Context, id int64, check func(*Image) error) (*Image, error)
}

// Page is one page of a list and the number of all entries.
type Page[T any] struct {
	Items   []*T
	Total   int
	Version int64 // of the site, at the time of reading
}

// Link names an item to link: an existing one by id, or a new one to make
// unless Same finds it among those of its name.
type Link[T any] struct {
	ID   int64
	New  *T
	Same func(existing *T) bool
}

// EventLinks are the links a write sets; nil ones stay as they are.
type EventLinks struct {
	Venues     *[]Link[Venue]
	Organizers *[]Link[Organizer]
	Categories *TermLinks
	Tags       *TermLinks

	// What becomes of a series' occurrences that differ from it.
	Reset bool      // they become as the series says
	Cut   bool      // those its rules don't give any more go; else they are added to its dates
	Start time.Time // of what a division makes a series of, before the write changed it
	Still Condition // what their versions have to meet; nil: nothing
}

// TermLinks are terms by id, slug or name. Unknown ids are skipped (rule
// 3.7); unknown names are made when Create says so, else refused.
type TermLinks struct {
	Refs   args.Refs
	Create bool
}

// Viewer says what of the unpublished a list may show.
type Viewer struct {
	User int64 // sees their own
	All  bool  // sees everybody's
}

// Search is a text search: all words, none of the excluded, folded (Fold).
type Search struct {
	Words, Without []string
	Text           string // as it was sent
}

// Edge is one condition on an event's start or end.
type Edge struct {
	End     bool      // of the event's end, else of its start
	Compare Compare   //
	At      time.Time // wall clock carried in UTC, or an instant
	Instant bool      // compare instants, else the event's own wall clock
}

// Compare is how an Edge compares.
type Compare string

// The comparisons.
const (
	From   Compare = ">="
	Until  Compare = "<="
	Before Compare = "<"
	After  Compare = ">"
)

// EarthRadius is the mean radius of the earth in kilometres.
const EarthRadius = 6371.0088

// Circle is an area on the earth.
type Circle struct{ Lat, Lng, Km float64 }

// EventQuery says which events to list. Nil and zero conditions don't filter.
type EventQuery struct {
	Page, PerPage      int
	Edges              []Edge
	Include            []int64 // nil: all; empty: none
	Categories, Tags   args.Refs
	Venues, Organizers []int64
	Featured           *bool
	Ticketed           *bool
	Located            *bool
	Near               *Circle
	Parent             int64
	Search             Search
	Statuses           []Status // empty: everything the viewer may see but trash
	Viewer             Viewer
	WithHidden         bool
	OrderBy            string // start_date, end_date, title, date, modified
	Descending         bool
	Opener             *Opener // of what it selects by; nil: by nothing that a mask hides
	After              *Place  // in place of Page: what comes behind it, by start; of a Place that is none all
	Series             int64   // the occurrences of that series
	First              bool    // of each series the first occurrence that matches
	Last               bool    // with First: the last, in place of the first
	// Whole wants one entry for each series, with the first time it happens from this wall clock on, or else the last
	// before; zero: one for each time.
	Whole      time.Time
	Recurring  *bool    // occurrences of series, or what happens once
	Happening  []string // statuses of Happening
	Attendance string   // a mode of Attendance
	Lacks      Lack
	Cities     []string // of published venues, as they are written
	Free       bool     // what costs nothing
	Taking     string   // how people can take part: "online", "here"; "": either way
	Texts      TextQuery
	GoneSince  time.Time // what was public after that moment and isn't any more, instead of what the viewer may see; zero: not asked
	Until      time.Time // when time alone makes it another query; zero: never
}

// Opener says which protected events somebody sees without their mask. The
// others match nothing that is selected by what a mask hides: their links,
// texts and flags.
type Opener struct {
	All       bool   // every one
	User      int64  // those of this user that aren't published, or also those that are
	Publishes bool   // the latter
	Password  string // those that it opens
}

// PlaceQuery says which venues or organizers to list.
type PlaceQuery struct {
	Page, PerPage int
	Search        Search
	Event         int64
	IDs           []int64 // nil: not asked
	HasEvents     *bool
	UpcomingAfter time.Time // linked to a visible event that starts later; zero: all
	Statuses      []Status
	Viewer        Viewer
	Opener        Opener // of the events it speaks of
	Texts         TextQuery
	Until         time.Time // when time alone makes it another query; zero: never
}

// TermQuery says which terms to list.
type TermQuery struct {
	Page, PerPage    int
	Search           string    // folded
	Include, Exclude args.Refs // nil: not asked
	Offset           int       // of the first, instead of that of the page; 0: not asked
	OrderBy          string    // name, id, slug, count, description, parent, term_group, include
	Descending       bool
	HideEmpty        bool
	Parent           int64
	Event            int64
	Slug             string
	Viewer           Viewer
	Opener           Opener // of the event
	Texts            TextQuery
}

// TextQuery says which texts of the items of a list are asked for. In which languages
// the scope says.
type TextQuery struct {
	Language   string   // as the request named it, "" for none
	In         []string // those of the scope
	Several    bool     // the site writes more languages than one
	Whole      bool     // those of all languages
	Lacking    string   // the language in which those listed have no title, or outdated texts; "": all
	Translated string   // the language in which those listed have texts; "": those with and without
}

// ImageQuery says which images to list.
type ImageQuery struct {
	Page, PerPage int
	Words         []string // folded; each in the name of the file or the alternative text
	Unused        bool     // shown by nothing
}

// SiteStore is what the services ask beyond the collections.
type SiteStore interface {
	// PublishDue publishes what is scheduled up to now, on every site, and
	// returns how many items it published. Several nodes may call it at once:
	// each item is published once. It also stores more occurrences of series
	// that go on beyond what is stored.
	PublishDue(ctx context.Context, now time.Time) (int, error)
}
