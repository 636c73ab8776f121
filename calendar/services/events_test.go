package services

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Rule 2.7: an event's venues and organizers are shown to who may read them.
func TestUnreadableLinksAreHidden(t *testing.T) {
	t.Parallel()
	for role, want := range map[tenancy.Role]int{tenancy.NoRole: 1, tenancy.Contributor: 2, tenancy.Editor: 3} {
		e := &calendar.Event{
			Venues:     []calendar.Venue{{Post: calendar.Post{ID: 1, Status: calendar.Draft, Author: 7}}, {Post: calendar.Post{ID: 2, Status: calendar.Publish}}, {Post: calendar.Post{ID: 3, Status: calendar.Pending, Author: 9}}},
			Organizers: []calendar.Organizer{{Post: calendar.Post{ID: 4, Status: calendar.Private, Author: 9}}, {Post: calendar.Post{ID: 5, Status: calendar.Publish}}, {Post: calendar.Post{ID: 6, Status: calendar.Trash, Author: 7}}}}
		p := tenancy.Principal{Role: role}
		if role != tenancy.NoRole {
			p.UserID = 7
		}
		if hideUnreadable(p, e); len(e.Venues) != want || len(e.Organizers) != want {
			t.Errorf("%q sees %d and %d", role, len(e.Venues), len(e.Organizers))
		}
	}
}
