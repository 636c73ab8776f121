package services

import (
	"slices"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Rule 14.2: what is gone is told by its times alone, unless it is in the feed anyway.
func TestPastOfFeed(t *testing.T) {
	t.Parallel()
	f := &Feed{all: []int64{3}}
	gone := f.past([]*calendar.Event{
		{Post: calendar.Post{ID: 1, Status: calendar.Draft, Version: 9}, Title: "Secret", UID: "u", Sequence: 4, Start: noon, Password: []byte("x")},
		{Post: calendar.Post{ID: 2, Status: calendar.Publish, Version: 9}, Title: "Public again"},
		{Post: calendar.Post{ID: 3, Status: calendar.Draft, Version: 9}, Title: "In the feed"},
		{Post: calendar.Post{ID: 4, Status: calendar.Publish, Version: 9}, Hidden: true},
		{Post: calendar.Post{ID: 5, Status: calendar.Publish}, Title: "Deleted for good"},
		{Post: calendar.Post{ID: 6, Status: calendar.Draft, Version: 9}, Series: &calendar.Series{ID: 1}},
	})
	var ids []int64
	for _, e := range gone {
		ids = append(ids, e.ID)
		if !e.Gone || e.Title != "" || e.Password != nil {
			t.Errorf("of %d is told %+v", e.ID, e.Event)
		}
	}
	if !slices.Equal(ids, []int64{1, 4, 5}) || gone[0].UID != "u" || gone[0].Sequence != 4 || !gone[0].Start.Equal(noon) {
		t.Errorf("%v are gone", ids)
	}
}

// Calendar files know an event by the same name for ever, and the dates of a series by that of the series.
func TestUIDs(t *testing.T) {
	t.Parallel()
	site := &tenancy.Site{UID: "Example.ORG"}
	for want, e := range map[string]*calendar.Event{"4@example.org": {Post: calendar.Post{ID: 4}}, "9@example.org": {Post: calendar.Post{ID: 4}, Series: &calendar.Series{ID: 9}}, "Own@x": {Post: calendar.Post{ID: 4}, UID: "Own@x"}} {
		if got := UIDOf(site, e); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
