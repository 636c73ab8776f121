// Package calendar holds the rules of events, venues, organizers, categories,
// tags and pictures, and the services that apply them: permission, then rules,
// then store. It knows no SQL, no HTTP and no text in any language.
package calendar

import (
	"context"
	"io"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Calendar is the service layer over one Store.
type Calendar struct {
	store    Store
	pictures Pictures
	clock    func() time.Time
	guesses  *guesses // at the passwords of events
}

// Pictures makes and removes the blobs of images.
type Pictures interface {
	// Fetch gets the picture at an address on a user's word; problems with
	// the address or the picture are args.Problems on "image".
	Fetch(ctx context.Context, url string) (*Image, error)
	// Make reads an uploaded picture; problems are args.Problems on "file".
	Make(ctx context.Context, name string, r io.Reader) (*Image, error)
	// Remove deletes the blobs of an image.
	Remove(ctx context.Context, image *Image) error
	// Local returns the key of one of the site's own images when url is the
	// address of one, else "".
	Local(ctx context.Context, url string) string
}

// New returns the services. A nil clock is time.Now.
func New(store Store, pictures Pictures, clock func() time.Time) *Calendar {
	if clock == nil {
		clock = time.Now
	}
	return &Calendar{store: store, pictures: pictures, clock: clock, guesses: &guesses{}}
}

// Now returns the present instant, to the second.
func (c *Calendar) Now() time.Time { return c.clock().UTC().Truncate(time.Second) }

// Condition decides whether an item of that version may be changed; nil always
// allows. It returns ErrPrecondition otherwise (rule 3.16, If-Match).
type Condition = tenancy.Condition

// MayRead reports whether the principal may read an item that stands so: what
// is published, one's own, or everything for those who read others' (rule
// 2.3).
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

// MayEdit reports whether the principal may change or remove the item
// (rule 2.3: own or others', published or not).
func MayEdit(p tenancy.Principal, post *Post) bool {
	switch {
	case p.Anonymous():
		return false
	case post.Author != p.UserID:
		return p.May(tenancy.EditOthers | tenancy.Publish)
	case post.Status == Publish || post.Status == Future || post.Status == Private:
		return p.May(tenancy.EditOwn | tenancy.Publish)
	}
	return p.May(tenancy.EditOwn)
}

// opener says which events MayEdit or a password opens.
func opener(p tenancy.Principal, password string) Opener {
	if p.Anonymous() {
		return Opener{Password: password}
	}
	o := Opener{All: p.May(tenancy.EditOthers | tenancy.Publish), Password: password}
	if p.May(tenancy.EditOwn) {
		o.User, o.Publishes = p.UserID, p.May(tenancy.EditOwn|tenancy.Publish)
	}
	return o
}

// viewer says what lists show the principal.
func viewer(p tenancy.Principal) Viewer {
	if !p.MayRead(tenancy.EditOwn) {
		return Viewer{}
	}
	return Viewer{User: p.UserID, All: p.MayRead(tenancy.ReadOthers)}
}
