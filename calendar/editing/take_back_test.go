package editing

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// What the history has of a write: the event, a series that was divided, and dates that lost what was their own.
func TestEntriesOfWrite(t *testing.T) {
	t.Parallel()
	entry := func(id int64, action string, before state) tenancy.Entry {
		return tenancy.Entry{Position: tenancy.Position{ID: id}, Action: action, Before: before}
	}
	for name, c := range map[string]struct {
		list    []tenancy.Entry
		main    int64
		divided bool
		dates   int
	}{
		"a change of the event":           {[]tenancy.Entry{entry(5, "update", state{"title": "x"})}, 5, false, 0},
		"a change of the occurrence":      {[]tenancy.Entry{entry(5, "update", state{"title": "x", "series": state{}})}, 5, false, 0},
		"dates that became like others":   {[]tenancy.Entry{entry(8, "delete", state{"series": state{}}), entry(5, "update", state{"title": "x"})}, 5, false, 1},
		"a series that was divided":       {[]tenancy.Entry{entry(5, "create", nil), entry(2, "update", state{"recurrence": state{}})}, 2, true, 0},
		"something else that was created": {[]tenancy.Entry{entry(9, "create", nil), entry(5, "update", state{"title": "x"})}, 5, false, 0},
		"something else that was changed": {[]tenancy.Entry{entry(9, "update", state{"title": "x"})}, 0, false, 0},
	} {
		got := &change{}
		for _, e := range c.list {
			got.note(5, e)
		}
		main := int64(0)
		if got.main != nil {
			main = got.main.Position.ID
		}
		if main != c.main || got.divided != c.divided || len(got.dates) != c.dates {
			t.Errorf("%s: %d, divided %t, %d dates", name, main, got.divided, len(got.dates))
		}
	}
}

// Taking back a write restores its status and a slug that somebody chose, but not what follows from others.
func TestWhatStaysBehind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		entry tenancy.Entry
		stays []string
	}{
		"a title":          {tenancy.Entry{Action: "update", Before: state{"title": "x"}}, []string{"slug", "status", "post_password"}},
		"a status":         {tenancy.Entry{Action: "update", Before: state{"status": "draft"}}, []string{"slug", "post_password"}},
		"a slug":           {tenancy.Entry{Action: "update", Before: state{"slug": "choir"}}, []string{"status", "post_password"}},
		"the first slug":   {tenancy.Entry{Action: "publish", Before: state{"slug": "", "status": "draft"}}, []string{"slug", "post_password"}},
		"into the trash":   {tenancy.Entry{Action: "trash", Before: state{"slug": "choir", "status": "publish"}}, []string{"slug", "post_password"}},
		"out of the trash": {tenancy.Entry{Action: "restore", Before: state{"slug": "choir__trashed", "status": "trash"}}, []string{"slug", "post_password"}},
		"an occurrence":    {tenancy.Entry{Action: "update", Before: state{"title": "x", "series": state{}}}, []string{"slug", "status", "timezone", "recurrence", "all_day", "post_password"}},
	} {
		stays := stayingBehind(&c.entry)
		for _, field := range []string{"title", "slug", "status", "timezone", "recurrence", "all_day", "post_password", "venue"} {
			if stays(field) != slices.Contains(c.stays, field) {
				t.Errorf("%s: %s stays %t", name, field, stays(field))
			}
		}
	}
}

// What isn't in the history, a password, is taken back as well, even where nothing else was written.
func TestHiddenDataIsTakenBack(t *testing.T) {
	t.Parallel()
	password, start := []byte("digest"), time.Date(2027, 6, 1, 17, 0, 0, 0, time.UTC)
	entry := &tenancy.Entry{Action: "update", Before: state{"title": "Band"}}
	for name, c := range map[string]struct {
		now, then state
		back      calendar.Replaced
		want      []string // nil: nothing is written
	}{
		"nothing":                 {state{"title": "Band"}, state{"title": "Band"}, calendar.Replaced{}, nil},
		"the title":               {state{"title": "Choir"}, state{"title": "Band"}, calendar.Replaced{}, []string{"Title"}},
		"the title, the password": {state{"title": "Choir"}, state{"title": "Band"}, calendar.Replaced{Password: &password}, []string{"Title", "Back"}},
		"the first start":         {state{}, state{}, calendar.Replaced{PreviousStart: &start}, []string{"Back"}},
	} {
		var got []string
		writes := 0
		err := writeBack("en", entry, c.now, c.then, c.back, func(f *calendar.EventFields) error {
			got = given(f)
			writes++
			if !reflect.DeepEqual(f.Back, c.back) {
				t.Errorf("%s: gives back %+v", name, f.Back)
			}
			return nil
		})
		if err != nil || !slices.Equal(got, c.want) || writes > 1 {
			t.Errorf("%s: writes %v %d times, %v", name, got, writes, err)
		}
	}
}

// A write isn't taken back over what somebody else wrote since.
func TestNobodyElseHasWritten(t *testing.T) {
	t.Parallel()
	u := &takingBack{ours: map[int64]bool{12: true}}
	still := u.still(10)
	for version, want := range map[int64]bool{9: true, 10: true, 11: false, 12: true, 13: false} {
		if err := still(version); (err == nil) != want {
			t.Errorf("version %d: %v", version, err)
		}
	}
}
