// Package calendar holds the rules of events, venues, organizers, categories, tags and images, and the services
// that apply them: first permission, then rules, then store. It contains no SQL, no HTTP and no text in any
// language.
package calendar

import (
	"context"
	"io"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Calendar is the service layer over a Store.
type Calendar struct {
	store    Store
	pictures Pictures
	clock    func() time.Time
	guesses  *guesses // of event passwords
}

// Pictures creates and removes the blobs of images.
type Pictures interface {
	// Fetch downloads the image at a user-supplied address. Problems with the address or the image are args.Problems
	// on "image".
	Fetch(ctx context.Context, url string) (*Image, error)
	// Make processes an uploaded image. Problems are args.Problems on "file".
	Make(ctx context.Context, name string, r io.Reader) (*Image, error)
	// Remove deletes the blobs of an image.
	Remove(ctx context.Context, image *Image) error
	// Local returns the key of the site's own image with the address url, or "".
	Local(ctx context.Context, url string) string
}

// New returns the services. A nil clock means time.Now.
func New(store Store, pictures Pictures, clock func() time.Time) *Calendar {
	if clock == nil {
		clock = time.Now
	}
	return &Calendar{store: store, pictures: pictures, clock: clock, guesses: &guesses{}}
}

// Now returns the current instant, truncated to the second.
func (c *Calendar) Now() time.Time { return c.clock().UTC().Truncate(time.Second) }

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
// published (rule 2.3).
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

// opener describes the protected events that MayEdit or a password opens.
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

// viewer describes what lists show to the principal.
func viewer(p tenancy.Principal) Viewer {
	if !p.MayRead(tenancy.EditOwn) {
		return Viewer{}
	}
	return Viewer{User: p.UserID, All: p.MayRead(tenancy.ReadOthers)}
}
