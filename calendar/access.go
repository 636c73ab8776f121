package calendar

import (
	"slices"

	"github.com/kalends/kalends/tenancy"
)

// Condition decides whether an item with this version may be changed. If not, it returns ErrPrecondition (rule
// 3.16, If-Match). A nil Condition allows every change.
type Condition = tenancy.Condition

// MayRead reports whether the principal may read an item: a published item, one's own item or, with the right to
// read others' items, any item (rules 2.3, 2.5).
func MayRead(p tenancy.Principal, post *Post) bool {
	switch {
	case post.Status == Publish:
		return true
	case p.Anonymous():
		return false
	case post.Author == p.UserID:
		return true
	}
	return p.MayRead(tenancy.ReadOthers)
}

// MayEdit reports whether the principal may change or remove an item, depending on whether it is their own and
// published (rule 2.3), and on whether it was found to be outside of their area.
func MayEdit(p tenancy.Principal, post *Post) bool {
	switch {
	case p.Anonymous(), post.Outside:
		return false
	case post.Author != p.UserID:
		return p.May(tenancy.EditOthers | tenancy.Publish)
	case post.Status == Publish || post.Status == Future || post.Status == Private:
		return p.May(tenancy.EditOwn | tenancy.Publish)
	}
	return p.May(tenancy.EditOwn)
}

// OutsideArea reports whether a venue or organizer, which the role of the principal may change, is outside of their area: neither named by
// it nor their own.
func OutsideArea(p tenancy.Principal, kind string, post *Post) bool {
	return p.EditsPart() && post.Author != p.UserID && !slices.Contains(p.Area.Places(kind), post.ID)
}

// OpenerOf describes the protected events that MayEdit or a password opens.
func OpenerOf(p tenancy.Principal, password string) Opener {
	if p.Anonymous() {
		return Opener{Password: password}
	}
	o := Opener{All: p.May(tenancy.EditOthers | tenancy.Publish), Password: password}
	if p.May(tenancy.EditOwn) {
		o.User, o.Publishes = p.UserID, p.May(tenancy.EditOwn|tenancy.Publish)
	}
	return o
}

// ViewerOf describes what lists show to the principal.
func ViewerOf(p tenancy.Principal) Viewer {
	if !p.MayRead(tenancy.EditOwn) {
		return Viewer{}
	}
	return Viewer{User: p.UserID, All: p.MayRead(tenancy.ReadOthers)}
}

// Editable returns nil if the principal may change the item and its version meets the condition.
func Editable(p tenancy.Principal, post *Post, cond Condition) error {
	if !MayEdit(p, post) {
		switch {
		case p.Anonymous():
			return tenancy.ErrUnauthenticated
		case post.Outside:
			return tenancy.ErrOutside
		}
		return tenancy.ErrForbidden
	}
	return cond.Check(post.Version)
}

// MayMakeTerms reports whether the principal may create categories or tags. Somebody whose area has categories creates none, which could be
// put below theirs.
func MayMakeTerms(p tenancy.Principal, t Taxonomy) bool {
	return p.May(t.Right()) && (t != Categories || len(p.Area.Categories) == 0)
}

// MayChangeTerms reports whether the principal may change or remove categories or tags: editors with an area may not, because all parts of
// the calendar share them.
func MayChangeTerms(p tenancy.Principal, t Taxonomy) bool {
	return MayMakeTerms(p, t) && !p.EditsPart()
}

// MergeRight is the permission to merge venues and organizers. Merging changes the events of all authors.
const MergeRight = tenancy.EditOwn | tenancy.EditOthers | tenancy.Publish
