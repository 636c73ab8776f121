package tenancy

// Area is the part of a calendar whose events a person writes: an editor all of them, others their own. An event is in it if it has
// one of the categories or one below them, is at one of the venues, and is by one of the organizers. An empty list sets no condition.
type Area struct{ Categories, Venues, Organizers []int64 }

// Whole reports whether the area is the whole calendar.
func (a Area) Whole() bool {
	return len(a.Categories) == 0 && len(a.Venues) == 0 && len(a.Organizers) == 0
}

// Limited reports whether the principal writes less than their role may, because of a key or an area.
func (p Principal) Limited() bool { return p.Limits != nil || !p.Area.Whole() }
