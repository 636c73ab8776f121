package editing

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

type state = map[string]any

// given returns the names of the arguments that a write gives.
func given(f any) (list []string) {
	v := reflect.Indirect(reflect.ValueOf(f))
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; name != "Past" && !v.Field(i).IsZero() {
			list = append(list, name)
		}
	}
	return list
}

// An earlier version is restored by writing what differs from now, but for what restoring doesn't touch.
func TestRestoringWritesWhatDiffers(t *testing.T) {
	t.Parallel()
	now := state{"title": "Choir", "description": "<p>Songs</p>", "website": "", "status": "publish", "slug": "choir", "author": 7.0, "start_date": "2027-06-01 19:00:00",
		"end_date": "2027-06-01 22:00:00", "timezone": "Europe/Berlin", "all_day": false, "recurrence": nil, "venue": []any{state{"id": 3.0, "name": "Hall"}}, "cost": []any{"5"}, "post_parent": nil}
	for name, c := range map[string]struct {
		then state
		want []string // "" of no write
	}{
		"nothing":                            {state{}, nil},
		"the title":                          {state{"title": "Band"}, []string{"Title"}},
		"what was empty is emptied":          {state{"description": ""}, []string{"Description"}},
		"what stays":                         {state{"status": "draft", "slug": "band", "author": 9.0, "date": "x", "post_password": "x"}, nil},
		"times are restored together":        {state{"start_date": "2027-06-01 18:00:00"}, []string{"Timezone", "AllDay", "Start", "End", "Recurrence"}},
		"a time zone brings the times along": {state{"timezone": "Asia/Tokyo"}, []string{"Timezone", "AllDay", "Start", "End", "Recurrence"}},
		"no venue":                           {state{"venue": []any{}}, []string{"Venue"}},
		"another venue":                      {state{"venue": []any{state{"id": 4.0, "name": "Park"}}}, []string{"Venue"}},
		"a field that isn't an argument":     {state{"series": state{"id": 1.0}}, nil},
	} {
		then := maps.Clone(now)
		maps.Copy(then, c.then)
		var got []string
		if err := restore(staysBut(""), now, then, func(f *calendar.EventFields) error { got = given(f); return nil }); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: writes %v, %v", name, got, err)
		}
	}
	without := maps.Clone(now)
	delete(without, "website") // which events did not have yet
	if err := restore(staysBut(""), now, without, func(f *calendar.EventFields) error { t.Errorf("writes %v", given(f)); return nil }); err != nil {
		t.Error(err)
	}
	var links []int64
	_ = restore(staysBut(""), state{"organizer": []any{}}, state{"organizer": []any{state{"id": 1234567.0}, state{"id": 8.0}}}, func(f *calendar.EventFields) error {
		for _, link := range f.Organizer.Or(nil) {
			links = append(links, link.ID)
		}
		return nil
	})
	if !slices.Equal(links, []int64{1234567, 8}) {
		t.Errorf("organizers %v", links)
	}
	var title, description bool
	_ = restore(staysBut(""), state{"description": "x", "title": "x"}, state{"description": "", "title": "y"}, func(f *calendar.EventFields) error {
		title, description = f.Title.Or("") == "y", f.Description.IsNull()
		return nil
	})
	if !title || !description {
		t.Error("an empty text isn't cleared")
	}
}

// A text in another language that came later is removed, and the slug of each stays.
func TestTextsOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	got := textsBack(state{"de": state{"title": "Chor", "slug": "chor"}, "fr": state{"title": "Chorale"}}, state{"de": state{"title": "Kapelle", "slug": "kapelle"}, "it": state{"title": "Coro"}})
	want := map[string]any{"de": state{"title": "Kapelle"}, "fr": nil, "it": state{"title": "Coro"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	if got = textsBack(state{"de": state{"title": "Chor"}}, nil); !reflect.DeepEqual(got, map[string]any{"de": nil}) {
		t.Errorf("without texts: %v", got)
	}
}

// The history of an occurrence begins with what it was as one of its series.
func TestHistoryOfOccurrenceBeginsInItsSeries(t *testing.T) {
	t.Parallel()
	entry := tenancy.Entry{Position: tenancy.Position{Version: 9}, Action: "update", Before: state{"title": "Choir"}}
	p := &Past{Now: state{"title": "Band", "series": state{"id": 1.0}}, Events: []tenancy.Entry{entry}, States: []map[string]any{{"title": "Band", "cost": "5"}}}
	p.begin()
	if len(p.Events) != 2 || p.Events[1].Action != AsSeries || p.Events[1].Position.Version != 8 || !reflect.DeepEqual(p.At(8), state{"title": "Choir", "cost": "5"}) {
		t.Errorf("%+v", p)
	}
	if p.States[0]["title"] != "Band" || p.At(7) != nil {
		t.Errorf("%v", p.States)
	}
	for name, past := range map[string]*Past{
		"a single event":                       {Now: state{"title": "Band"}, Events: []tenancy.Entry{entry}, States: []map[string]any{{}}},
		"an occurrence of which less is known": {Now: state{"series": state{}}, Events: []tenancy.Entry{entry}, States: []map[string]any{nil}},
		"one without a history":                {Now: state{"series": state{}}},
	} {
		n := len(past.Events)
		if past.begin(); len(past.Events) != n {
			t.Errorf("%s begins with %+v", name, past.Events[n])
		}
	}
}

// The names of what somebody may not read are left out everywhere in a history; its ids stay.
func TestHiddenNames(t *testing.T) {
	t.Parallel()
	link := func(id float64) []any { return []any{state{"id": id, "name": "Name"}} }
	p := &Past{Now: state{"venue": link(1)}, Events: []tenancy.Entry{{Before: state{"venue": link(2)}, After: state{"venue": link(1)}}}, States: []map[string]any{{"venue": state{"id": 3.0, "name": "Name"}}}}
	asked := 0
	err := hideLinks(tenancy.Principal{UserID: 7, Role: tenancy.Contributor}, p.links("venue"), func(id int64) (*calendar.Post, error) {
		asked++
		switch id {
		case 1:
			return &calendar.Post{Status: calendar.Draft, Author: 9}, nil
		case 2:
			return &calendar.Post{Status: calendar.Publish, Author: 9}, nil
		}
		return nil, calendar.ErrNotFound
	})
	name := func(value any) any { return linksOf(value)[0]["name"] }
	if err != nil || name(p.Now["venue"]) != "" || name(p.Events[0].After["venue"]) != "" || name(p.Events[0].Before["venue"]) != "Name" || name(p.States[0]["venue"]) != "" ||
		linksOf(p.Now["venue"])[0]["id"] != 1.0 || asked != 3 {
		t.Errorf("%+v, asked %d times, %v", p, asked, err)
	}
	failure := hideLinks(tenancy.Principal{}, p.links("venue"), func(int64) (*calendar.Post, error) { return nil, calendar.ErrUnavailable })
	if failure == nil {
		t.Error("a failure is taken for nothing")
	}
}
