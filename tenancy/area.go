package tenancy

// Area is the part of a calendar whose events a person may write: editors may write all of its events, other people
// only their own. An event is in the area if it has one of the categories or a descendant of one, is at one of the
// venues, and is by one of the organizers. An empty list sets no condition.
type Area struct{ Categories, Venues, Organizers []int64 }

// Whole reports whether the area is the whole calendar.
func (a Area) Whole() bool {
	return len(a.Categories) == 0 && len(a.Venues) == 0 && len(a.Organizers) == 0
}

// Places returns the venues or the organizers of the area; nil for other kinds.
func (a Area) Places(kind string) []int64 {
	switch kind {
	case "venue":
		return a.Venues
	case "organizer":
		return a.Organizers
	}
	return nil
}

// EditsPart reports whether the principal edits the work of others in one area only.
func (p Principal) EditsPart() bool { return p.May(EditOthers) && !p.Area.Whole() }

// Limited reports whether the principal's key or area limits which items the principal may write.
func (p Principal) Limited() bool { return p.Limits != nil || !p.Area.Whole() }
