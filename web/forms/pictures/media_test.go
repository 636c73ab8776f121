package pictures

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// What shows an image is named with a link for those who may edit it.
func TestWhereImagesAreUsed(t *testing.T) {
	t.Parallel()
	use := func(kind string, status calendar.Status, author int64) *calendar.ImageUse {
		return &calendar.ImageUse{Kind: kind, Post: calendar.Post{ID: 4, Author: author, Status: status}}
	}
	for _, c := range []struct {
		name string
		role tenancy.Role
		use  *calendar.ImageUse
		want string
	}{
		{"an event", tenancy.Editor, use("event", calendar.Publish, 9), "/admin/events/4"},
		{"somebody else's event", tenancy.Author, use("event", calendar.Publish, 9), ""},
		{"one's own event", tenancy.Author, use("event", calendar.Publish, 7), "/admin/events/4"},
		{"an event in the trash", tenancy.Editor, use("event", calendar.Trash, 9), ""},
		{"a venue", tenancy.Editor, use("venue", calendar.Publish, 9), "/admin/venues/4"},
		{"an organizer", tenancy.Editor, use("organizer", calendar.Publish, 9), "/admin/organizers/4"},
		{"a category", tenancy.Editor, use("category", calendar.Publish, 0), "/admin/categories/4"},
		{"a category for who may only propose", tenancy.Contributor, use("category", calendar.Publish, 0), ""},
		{"a tag", tenancy.Editor, use("tag", calendar.Publish, 0), "/admin/tags/4"},
		{"a tag for who writes their own", tenancy.Author, use("tag", calendar.Publish, 0), ""},
		{"the site", tenancy.Administrator, use("site", calendar.Publish, 0), "/admin/settings/design"},
		{"the site for who doesn't manage it", tenancy.Editor, use("site", calendar.Publish, 0), ""},
	} {
		p := tenancy.Principal{UserID: 7, Role: c.role}
		if got := useAddress(p, c.use); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
