package tenancy

import (
	"context"
	"slices"
)

// Deed is one write in the history: what a user did in one action to any number of objects.
type Deed struct {
	Position Position   // position of the write; its ID is that of the user
	Parts    []DeedPart // what the user did, the most important first
	Shared   bool       // other users wrote in the same transaction
	Import   int64      // ID of the import that made the write, 0 if none did
}

// DeedPart is what a deed did to objects of one kind.
type DeedPart struct {
	Entries []Entry  // entries of the first objects
	Count   int      // number of all objects, except dates that only followed their series
	Fields  []string // that differ since
	Stands  bool     // not all of its changes have been replaced since
}

// First returns the first entry of the deed's most important part.
func (d *Deed) First() *Entry { return &d.Parts[0].Entries[0] }

// Count returns how many objects a deed touched.
func (d *Deed) Count() (n int) {
	for i := range d.Parts {
		n += d.Parts[i].Count
	}
	return n
}

// Part returns the part of a deed about objects of a kind and with an action, or nil. An empty action matches every
// action.
func (d *Deed) Part(kind, action string) *DeedPart {
	for i := range d.Parts {
		if e := d.Parts[i].Entries[0]; e.Position.Kind == kind && (action == "" || e.Action == action) {
			return &d.Parts[i]
		}
	}
	return nil
}

// mergeable are the kinds whose objects can be merged.
var mergeable = []string{"venue", "organizer", "category", "tag"}

// Merged returns the kind of the objects that the deed merged, or "".
func (d *Deed) Merged() string {
	for _, kind := range mergeable {
		if d.Part(kind, "delete") != nil && d.Part(kind, "update") != nil {
			return kind
		}
	}
	return ""
}

// sort orders the parts by importance: first the object into which others were merged, then deletions, then events, then the
// rest.
func (d *Deed) sort() {
	merged := d.Merged()
	rank := func(p DeedPart) int {
		switch e := p.Entries[0]; {
		case e.Position.Kind == merged && e.Action == "update":
			return 0
		case e.Position.Kind != "event" && e.Action == "delete":
			return 1
		case e.Position.Kind == "event" && e.Action != "create":
			return 2
		case e.Position.Kind == "event":
			return 3
		}
		return 4
	}
	slices.SortStableFunc(d.Parts, func(a, b DeedPart) int { return rank(a) - rank(b) })
}

// Deeds returns one page of the site's history, one deed per write, newest first, and the position of the next page
// ("" on the last page). Users who write events but do not administer the site get only their own deeds.
func (s *History) Deeds(ctx context.Context, f *HistoryFilter) (list []Deed, next string, err error) {
	q, err := s.deedQuery(ctx, f)
	if err != nil {
		return nil, "", err
	}
	length := q.Limit
	q.Limit++
	if list, err = s.store.Deeds(ctx, *q); err != nil {
		return nil, "", Wrap("read history", err)
	}
	writes, last := 0, Position{}
	for i := range list {
		at := Position{Version: list[i].Position.Version, N: list[i].Position.N}
		if at != last {
			if writes == length {
				list, next = list[:i], last.String()
				break
			}
			writes, last = writes+1, at
		}
	}
	if next == "" && q.Floor > 0 {
		next = Position{Version: q.Floor + 1}.String()
	}
	for i := range list {
		list[i].sort()
	}
	return together(list), next, nil
}

// together joins successive writes of one import into one deed.
func together(list []Deed) []Deed {
	var made []Deed
	for _, d := range list {
		n := len(made)
		if n == 0 || d.Import == 0 || made[n-1].Import != d.Import {
			made = append(made, d)
			continue
		}
		into := &made[n-1]
		for _, p := range d.Parts {
			e := p.Entries[0]
			same := into.Part(e.Position.Kind, e.Action)
			if same == nil {
				into.Parts = append(into.Parts, p)
				continue
			}
			same.Count += p.Count
			for _, name := range p.Fields {
				if !slices.Contains(same.Fields, name) {
					same.Fields = append(same.Fields, name)
				}
			}
		}
		into.sort()
	}
	return made
}

// Of returns one deed with a page of its entries, and the position of the next page. The deed is nil if there is
// none or the user may not read it.
func (s *History) Of(ctx context.Context, at Position, f *HistoryFilter) (deed *Deed, list []Entry, next string, err error) {
	q, err := s.deedQuery(ctx, f)
	if err != nil {
		return nil, nil, "", err
	}
	found, err := s.store.Deeds(ctx, HistoryQuery{
		After:  &Position{Version: at.Version, N: at.N + 1},
		Floor:  at.Version - 1,
		Limit:  1,
		User:   q.User,
		Reader: q.Reader,
	})
	if err != nil {
		return nil, nil, "", Wrap("read history", err)
	}
	i := slices.IndexFunc(found, func(d Deed) bool { return d.Position == at })
	if i < 0 {
		return nil, nil, "", nil
	}
	found[i].sort()
	if q.After == nil {
		q.After = &Position{Version: at.Version + 1}
	}
	list, next, err = page(HistoryQuery{Write: &at, After: q.After, Limit: q.Limit, Reader: q.Reader},
		func(q HistoryQuery) ([]Entry, error) { return s.store.List(ctx, q) })
	return &found[i], list, next, err
}

// mostSearched is how many versions of the site are searched for one page. The history has no index by user, and
// there may be any number of other people's deeds between two deeds of a user. The next page continues where this
// one ends.
const mostSearched = 50_000

// deedQuery returns the query for the deeds that the user may read: all of them, or the user's own.
func (s *History) deedQuery(ctx context.Context, f *HistoryFilter) (*HistoryQuery, error) {
	scope, err := From(ctx)
	if err != nil {
		return nil, err
	}
	p := scope.Principal
	if err := p.Reach(ReadHistory); err != nil {
		return nil, err
	}
	q := f.query(scope.Site.Location, s.clock())
	if p.MayRead(ManageSite) {
		return &q, nil
	}
	if err := p.Require(EditOwn); err != nil {
		return nil, err
	}
	if p.UserID == 0 { // support has no user ID, so it cannot have deeds of its own
		return nil, ErrForbidden
	}
	q.User, q.Floor = p.UserID, scope.Site.Version
	if q.After != nil {
		q.Floor = min(q.Floor, q.After.Version)
	}
	q.Floor = max(0, q.Floor-mostSearched)
	if !p.MayRead(ReadOthers) {
		q.Reader = p.UserID
	}
	return &q, nil
}
