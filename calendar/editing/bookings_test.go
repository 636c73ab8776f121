package editing

import (
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// What somebody may not read is told without its name, and of a draft nothing is.
func TestBookingsTellWhatMayBeRead(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, 3, 1, 19, 0, 0, 0, time.UTC)
	spans := []calendar.Occurrence{{Start: at}, {Start: at.AddDate(0, 0, 7)}}
	open := &calendar.Event{Post: calendar.Post{ID: 1, Status: calendar.Publish, Author: 9}}
	locked := &calendar.Event{Post: calendar.Post{ID: 2, Status: calendar.Publish, Author: 9}, Password: []byte("x")}
	found := []calendar.BookedAt{{Venue: 5, Event: 1, Status: calendar.Publish, Span: 1}, {Event: 2, Status: calendar.Publish}, {Event: 3, Status: calendar.Private}, {Event: 4, Status: calendar.Draft}}
	for role, named := range map[tenancy.Role]int{tenancy.Contributor: 1, tenancy.Editor: 2} {
		list := bookings(tenancy.Principal{UserID: 7, Role: role}, spans, found, []*calendar.Event{open, locked})
		if len(list) != 3 {
			t.Fatalf("%v is told of %d, not 3", role, len(list))
		}
		n := 0
		for _, b := range list {
			if b.Other != nil {
				n++
			}
		}
		if n != named || list[0].Other != open || list[0].Venue != 5 || !list[0].At.Start.Equal(spans[1].Start) {
			t.Errorf("%v reads %d names, not %d: %+v", role, n, named, list)
		}
	}
}

// A room is needed by what takes place there.
func TestWhatTakesRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode, status string
		want         bool
	}{{"", "", true}, {"mixed", "rescheduled", true}, {"online", "", false}, {"", "cancelled", false}, {"", "postponed", false}} {
		e := &calendar.Event{Attendance: calendar.Attendance{Mode: c.mode}, Happening: calendar.Happening{Status: c.status}}
		if got := takesRoom(e); got != c.want {
			t.Errorf("%q %q takes room: %v", c.mode, c.status, got)
		}
	}
}
