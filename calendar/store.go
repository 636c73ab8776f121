package calendar

import (
	"context"
	"math"
	"time"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Store keeps a site's data. Each call is one transaction on the site of the context's Scope; no transaction spans
// calls. Calls return ErrNotFound for keys that the site does not have and *args.Problems for values that the
// database rejects.
type Store interface {
	Events() EventStore
	Venues() PlaceStore[Venue]
	Organizers() PlaceStore[Organizer]
	Terms(taxonomy Taxonomy) TermStore
	Images() ImageStore
	History() tenancy.HistoryStore
	Previews() PreviewStore
	// Offers returns the choices of forms and filters in one round trip.
	Offers(ctx context.Context, q OfferQuery) (*Offers, error)
}

// EventStore keeps events.
type EventStore interface { //nolint:interfacebloat // one for each way to read or write events
	// List returns one page of events with everything nested, in one round trip.
	List(ctx context.Context, q EventQuery) (Page[Event], error)
	// Counts returns the number of events per status, ignoring the page.
	Counts(ctx context.Context, q EventQuery) (map[Status]int, error)
	// Facets returns the facets of a query in one round trip. days are the periods to count events in; they replace a
	// period in the query.
	Facets(ctx context.Context, q EventQuery, days []Days, chosen *Days) (*Facets, error)
	// AtVenues counts the events of a query at each venue, among the first 5,000, busiest venue first.
	AtVenues(ctx context.Context, q EventQuery) (*AtVenues, error)
	// Cities returns the cities of venues that are named by words of a query's search, as the venues spell them.
	Cities(ctx context.Context, q EventQuery) ([]string, error)
	// Vocabulary returns the words of a site's titles and names that everyone may read, in the site's own language and in
	// languages.
	Vocabulary(ctx context.Context, languages []string) (*wording.Vocabulary, error)
	// Stems returns the stems of words in the given languages for which the database has a dictionary, in their order.
	Stems(ctx context.Context, languages, words []string) (map[string][]string, error)
	// Others returns related events among the next 5,000 entries of public lists.
	Others(ctx context.Context, q OthersQuery) (*OtherIDs, error)
	// Booked returns events at venues during some spans, earliest first, with one date of each series at each venue. It
	// includes events that the reader may not see.
	Booked(ctx context.Context, q BookedQuery) ([]BookedAt, error)
	// Within returns those of the events that are in an area. An occurrence without differences is where its series is.
	Within(ctx context.Context, ids []int64, a tenancy.Area) ([]int64, error)
	// Patterns returns single events and occurrences that a new event may resemble, at most one for each title: first what
	// the principal has entered last, then what the site has most often.
	Patterns(ctx context.Context, now time.Time, most int) ([]int64, error)
	// Get returns one event with its links; it returns ErrWrongType if the id belongs to an item of another kind.
	Get(ctx context.Context, key Key) (*Event, error)
	// Create stores a new event and everything new that it links. It sets id, version, a unique slug and everything
	// nested.
	Create(ctx context.Context, e *Event, links EventLinks) error
	// Update reads the event, calls change, and stores the result with the links that change returns. If change
	// fails, nothing is stored.
	Update(ctx context.Context, key Key, change func(*Event) (EventLinks, error)) (*Event, error)
	// ChangeMany calls change with several events, series and occurrences, and with nil for an ID that does not
	// exist. It stores the results in one transaction, except those for which change returns an error. It may call
	// change again for all of them. It returns the new version of the site, or 0 if nothing was stored.
	ChangeMany(ctx context.Context, ids []int64, change func(id int64, e *Event) (EventLinks, error)) (int64, error)
	// CreateMany is Create of several events in one transaction. It returns their ids and the version of the site.
	CreateMany(ctx context.Context, list []EventImport) ([]int64, int64, error)
	// Split divides a series at one of its occurrences in one transaction. It calls change with the series, which
	// keeps the earlier dates, and with a copy, which becomes the series of the remaining dates. Occurrences keep
	// their ids. It returns the stored copy, or ErrNotFound if the id is not that of an occurrence.
	Split(ctx context.Context, occurrence int64, change func(series, rest *Event, at *Event) (EventLinks, error)) (*Event, error)
	// Rejoin reverses Split in one transaction. It calls change, which gives the series the rules of both, and
	// deletes the rest. The rest's occurrences, including differing and removed ones, move to the series and keep
	// their ids. It returns ErrNotFound if one of the two does not exist.
	Rejoin(ctx context.Context, series, rest int64, change func(series, rest *Event) (EventLinks, error)) (*Event, error)
	// Around returns a series and its occurrences before and after a position.
	Around(ctx context.Context, series int64, at Place) (*Neighbours, error)
	// Changed returns when the site's version was last raised; this time never goes back. Later reads have that
	// version or a later one.
	Changed(ctx context.Context) (time.Time, error)
	// Matching returns the ids of all events that match a query, ignoring the page, and the version of the site. The
	// earliest come first. Series and the occurrences that differ from them each have an entry.
	Matching(ctx context.Context, q EventQuery) (ids []int64, version int64, err error)
	// Several returns the events with the given ids, in that order and with everything nested, and the occurrences
	// that differ from the series among them. It omits deleted ones.
	Several(ctx context.Context, ids []int64) (list, exceptions []*Event, err error)
	// Deleted returns events that were public after a moment and have since been deleted permanently.
	Deleted(ctx context.Context, after time.Time) ([]*Event, error)
	// Removed returns the occurrences removed from series that the viewer may see and that are not in the trash,
	// latest first, and their total number.
	Removed(ctx context.Context, viewer Viewer, most int) ([]RemovedDate, int, error)
	// Replaced returns the data that the write of a version replaced and that is not in the visible history.
	Replaced(ctx context.Context, id, version int64) (Replaced, error)
	// Exceptions returns the occurrences that differ from a series.
	Exceptions(ctx context.Context, series int64) ([]*Event, error)
	// Delete deletes an event permanently if check allows it, and returns its last state.
	Delete(ctx context.Context, key Key, check func(*Event) error) (*Event, error)
	// Withdraw deletes events of other sites, with their data in the history, in reports and in the identities of imports. It
	// returns the items that came with them and are no longer used.
	Withdraw(ctx context.Context, ids []int64) (Orphans, error)
	// Erase removes the content of posts from the history.
	Erase(ctx context.Context, ids []int64) error
}

// PlaceStore keeps venues or organizers.
type PlaceStore[T any] interface {
	List(ctx context.Context, q PlaceQuery) (Page[T], error)
	Get(ctx context.Context, key Key) (*T, error)
	// Create stores link.New, or returns the existing item that link.Same matches.
	Create(ctx context.Context, link Link[T]) (*T, error)
	Update(ctx context.Context, key Key, change func(*T) error) (*T, error)
	// Delete permanently deletes the item and its links to events.
	Delete(ctx context.Context, key Key, check func(*T) error) (*T, error)
	// Merge removes the others if change allows it, and stores keep as changed by it. Events linked to the others are
	// linked to keep instead, once each and in the first of their positions; the slugs of the others redirect to
	// keep. It returns keep and the number of events relinked.
	Merge(ctx context.Context, keep int64, others []int64, change func(keep *T, others []*T) error) (*T, int, error)
	// Linked returns the number of events linked to each item, and to any of them.
	Linked(ctx context.Context, ids []int64) (each map[int64]int, together int, err error)
	// EventCounts returns the number of events of each item that the viewer can find, apart from the trash and from events
	// with a password unless the viewer sees all. A series counts once. Items without events are left out.
	EventCounts(ctx context.Context, ids []int64, viewer Viewer) (map[int64]int, error)
	// Twins returns the groups that FindTwins finds among the newest MostMarks items that are not in the trash.
	Twins(ctx context.Context) ([]Twins, error)
	// Apart stores that items are not the same as each other, and raises the version of the site. It ignores IDs of no item.
	Apart(ctx context.Context, ids []int64) error
	// Parted says that items are there again that were merged into keep: it ends what Apart had stored of them for keep. It raises the
	// version of the site.
	Parted(ctx context.Context, keep int64, others []int64) error
}

// TermStore keeps categories or tags.
type TermStore interface {
	List(ctx context.Context, q TermQuery) (Page[Term], error)
	Get(ctx context.Context, id int64) (*Term, error)
	// Create stores a term. If ownSlug is false, an existing name under the same parent is an *ExistsError, and a
	// taken slug is combined with the parent's slug or a number (rule 12.1).
	Create(ctx context.Context, t *Term, ownSlug bool) error
	// CreateMissing stores new terms in one transaction, except those whose name already exists. It returns the new
	// version of the site, or 0 if nothing was stored.
	CreateMissing(ctx context.Context, list []*Term) (int64, error)
	// Rivals returns what prevents storing a term.
	Rivals(ctx context.Context, t *Term) (TermRivals, error)
	// Update returns ErrSlugTaken if the new slug belongs to another term.
	Update(ctx context.Context, id int64, change func(*Term) error) (*Term, error)
	// Delete removes a term and moves its children up to its parent.
	Delete(ctx context.Context, id int64, check func(*Term) error) (*Term, error)
	// Merge and Linked are as in PlaceStore. The children of the others become keep's.
	Merge(ctx context.Context, keep int64, others []int64, change func(keep *Term, others []*Term) error) (*Term, int, error)
	Linked(ctx context.Context, ids []int64) (each map[int64]int, together int, err error)
	// Former returns the term that an unused slug redirects to.
	Former(ctx context.Context, slug string) (*Term, error)
}

// TermRivals are the conflicts of a term. A new term has no id.
type TermRivals struct {
	Namesake int64 // id of another term with that name under the same parent, or 0
	Slug     bool  // another term has its slug
	Loop     bool  // it would be its own ancestor
}

// ImageStore keeps the metadata of images. Their blobs are stored elsewhere.
type ImageStore interface {
	Get(ctx context.Context, id int64) (*Image, error)
	// Shown reports whether the image is the public image of an item.
	Shown(ctx context.Context, id int64) (bool, error)
	// BySource returns the image that was fetched from an address.
	BySource(ctx context.Context, source string) (*Image, error)
	// ByKey returns the image whose blobs have a key.
	ByKey(ctx context.Context, key string) (*Image, error)
	// List returns one page of images, newest first.
	List(ctx context.Context, q ImageQuery) (Page[Image], error)
	// Uses returns the items that use the image, as their image or in their texts.
	Uses(ctx context.Context, id int64) ([]ImageUse, error)
	Create(ctx context.Context, image *Image) error
	Update(ctx context.Context, id int64, change func(*Image) error) (*Image, error)
	Delete(ctx context.Context, id int64, check func(*Image) error) (*Image, error)
}

// Page is one page of a list, with the total number of entries.
type Page[T any] struct {
	Items   []*T
	Total   int
	Version int64 // version of the site at the time of reading
}

// Link is an item to link: an existing one by id, or a new one to create unless Same matches an existing item with
// the same name.
type Link[T any] struct {
	ID   int64
	New  *T
	Same func(existing *T) bool
}

// EventLinks are the links that a write sets. Nil fields are unchanged.
type EventLinks struct {
	Venues     *[]Link[Venue]
	Organizers *[]Link[Organizer]
	Categories *TermLinks
	Tags       *TermLinks

	// What happens to a series' occurrences that differ from it.
	Reset bool      // reset them to the series
	Cut   bool      // delete occurrences that the rules no longer yield, instead of adding them as dates
	Start time.Time // original start of the rest of a divided series
	Still Condition // condition that their versions must meet; nil: none
}

// TermLinks are terms by id, slug or name. Unknown ids are skipped (rule 3.7); unknown names are created if Create is
// set, and rejected otherwise.
type TermLinks struct {
	Refs     args.Refs
	Create   bool
	Language string // of the names of terms that are created
}

// Viewer says which unpublished items a list may show.
type Viewer struct {
	User int64 // sees their own
	All  bool  // sees everybody's
}

// Edge is a condition on the start or end of events.
type Edge struct {
	End     bool      // on the end rather than the start
	Compare Compare   //
	At      time.Time // wall-clock time carried in UTC, or an instant
	Instant bool      // compare instants rather than the event's own wall-clock time
	On      string    // the value of "on" that it comes from, or "": then what starts at an instant also ends after it
}

// Compare is the operator of an Edge.
type Compare string

// The operators.
const (
	From   Compare = ">="
	Until  Compare = "<="
	Before Compare = "<"
	After  Compare = ">"
)

// EarthRadius is the mean radius of the earth in kilometers.
const EarthRadius = 6371.0088

// Circle is a circular area on the earth.
type Circle struct {
	Lat float64 `json:"lat"`
	Lng float64 `json:"lng"`
	Km  float64 `json:"km"`
}

// Away returns the distance of a venue whose position is known from the middle of the area, in kilometers.
func (c Circle) Away(v *Venue) float64 {
	rad := func(degrees float64) float64 { return degrees * math.Pi / 180 }
	north, east := math.Sin(rad(*v.GeoLat-c.Lat)/2), math.Sin(rad(*v.GeoLng-c.Lng)/2)
	return 2 * EarthRadius * math.Asin(math.Sqrt(min(1, north*north+math.Cos(rad(c.Lat))*math.Cos(rad(*v.GeoLat))*east*east)))
}

// Has reports whether a venue is in the area.
func (c Circle) Has(v *Venue) bool { return v.GeoLat != nil && v.GeoLng != nil && c.Away(v) <= c.Km }

// EventQuery selects events. Nil and zero conditions do not filter.
type EventQuery struct {
	Page, PerPage      int
	Edges              []Edge
	Include            []int64 // nil: all; empty: none
	Categories, Tags   args.Refs
	Venues, Organizers []int64
	But                But
	Featured           *bool
	Ticketed           *bool
	Located            *bool
	Near               *Circle
	Parent             int64
	Origin             int64 // only events of that source
	Search             wording.Search
	Statuses           []Status // empty: all that the viewer may see, except trash
	Viewer             Viewer
	WithHidden         bool
	OrderBy            string // start_date, end_date, title, date, modified, relevance
	Descending         bool
	Opener             *Opener // required if the query selects by masked contents; nil otherwise
	After              *Place  // instead of Page: the events after this position by start; the zero Place means all
	Series             int64   // only occurrences of that series
	First              bool    // only the first matching occurrence of each series
	Last               bool    // with First: the last one instead of the first
	// Whole selects one entry per series: its first occurrence from this wall-clock time on, or its last one before if there
	// is none. Zero selects one entry per occurrence.
	Whole      time.Time
	LongerThan *int     // only events longer than this number of days
	Brief      int      // maximum length in days; 0: any length
	Shown      Shown    // with Whole: what is on show began before that time
	Recurring  *bool    // only occurrences of series, or only single events
	Happening  []string // values of Happening.Status
	Attendance string   // a value of Attendance.Mode
	// Accessibility requires all these words of the event or, if it has none, of one of its venues.
	Accessibility []string
	Spoken        []string // which languages are spoken: one of them is enough
	Audience      []string // whom the event is for: one of them is enough
	Fields        []FieldChoice
	Lacks         Lack
	Cities        []string // of published venues, as written
	Free          bool     // only free events
	Taking        string   // "online", "here", or "" for either
	Children      []int64  // only events for children: in one of these categories, or by their audience; nil: all events
	Texts         TextQuery
	GoneSince     time.Time // only events that were public after this time and are no longer, not what the viewer may see; zero: not used
	Until         time.Time // when time alone changes the query; zero: never
}

// FieldChoice selects events by a field that the site has added. One of the values must match.
type FieldChoice struct {
	Key    string
	Values []string // of yes or no: "true" and "false"
}

// But excludes events that are linked to some items.
type But struct {
	Categories, Tags args.Refs
	Venues           []int64
}

// None reports whether no event is excluded.
func (b *But) None() bool { return len(b.Categories)+len(b.Tags)+len(b.Venues) == 0 }

// Opener says which protected events are not masked. Masked events match no condition on what a mask hides: their links, texts
// and flags.
type Opener struct {
	All       bool   // all events
	User      int64  // this user's events: unpublished ones, or with Publishes all
	Publishes bool   // includes published ones
	Password  string // events with this password
}

// PlaceQuery selects venues or organizers, the newest first.
type PlaceQuery struct {
	Page, PerPage int
	ByName        bool // by name instead
	Search        wording.Search
	Event         int64
	IDs           []int64 // nil: any
	HasEvents     *bool
	UpcomingAfter time.Time // only terms linked to a visible event that starts later; zero: all
	Statuses      []Status
	Viewer        Viewer
	Opener        Opener // for the events in the conditions
	Texts         TextQuery
	Until         time.Time // when time alone changes the query; zero: never
}

// TermQuery selects terms.
type TermQuery struct {
	Page, PerPage    int
	Search           string    // folded
	Include, Exclude args.Refs // nil: not used
	Offset           int       // of the first entry, instead of the page; 0: not used
	OrderBy          string    // name, id, slug, count, description, parent, term_group, include
	Descending       bool
	HideEmpty        bool
	Parent           int64
	Event            int64
	Slug             string
	Viewer           Viewer
	Opener           Opener // for the event
	Texts            TextQuery
}

// TextQuery selects translations of the listed items. The scope determines the languages.
type TextQuery struct {
	Language   string   // as named in the request; "" if none
	In         []string // languages of the scope
	Several    bool     // the site is multilingual
	Whole      bool     // texts in all languages
	Lacking    string   // only items without a title, or with outdated texts, in this language; "": all; translations.Mark: the site's own
	Translated string   // only items with texts in this language, written in the same way
}

// ImageQuery selects images.
type ImageQuery struct {
	Page, PerPage int
	Words         []string // folded; each must occur in the file name or the alternative text
	Unused        bool     // only unused images
}

// BookedQuery selects other events at venues while an event takes place.
type BookedQuery struct {
	Venues []int64
	Spans  []Occurrence // times of the event
	But    int64        // id of a series or single event to leave out
	Most   int
}

// BookedAt is an event at a venue during one of the spans.
type BookedAt struct {
	Venue  int64
	Event  int64 // the id of the occurrence or single event
	Status Status
	Span   int // index of the span
}

// Lack selects events by what they lack. The zero value selects all.
type Lack struct {
	Image bool
	Place bool  // no venue although the event is not online-only
	Check Check // a confirmation that they are still right
}
