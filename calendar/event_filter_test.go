package calendar

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/argstest"
)

// Rules 5.1 and 5.2: which dates a list of events has. Now it is half past midnight in Berlin, still the day before in UTC.
func TestDatesOfList(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 6, 30, 22, 30, 0, 0, time.UTC)
	day := args.DateArg("2027-07-04 18:30")
	midnight := time.Date(2027, 7, 1, 22, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		filter EventFilter
		want   string
		until  time.Time
	}{
		"from today on for two years, the site's days": {EventFilter{}, "start_date 2027-07-01 00:00:00, end_date 2029-07-01 23:59:59", midnight},
		"from the day on that is given":                {EventFilter{Start: day}, "start_date 2027-07-04 00:00:00, end_date 2029-07-01 23:59:59", midnight},
		"until the end of the day that is given":       {EventFilter{End: day}, "start_date 2027-07-01 00:00:00, end_date 2027-07-04 23:59:59", midnight},
		"between two days":                             {EventFilter{Start: day, End: day}, "start_date 2027-07-04 00:00:00, end_date 2027-07-04 23:59:59", time.Time{}},
		"relative filters replace both":                {EventFilter{StartsBefore: day}, "starts_before 2027-07-04 23:59:59", time.Time{}},
		"after is after the whole day":                 {EventFilter{StartsAfter: day, EndsAfter: day}, "starts_after 2027-07-04 23:59:59, ends_after 2027-07-04 23:59:59", time.Time{}},
		"they go with a start":                         {EventFilter{Start: day, EndsBefore: day}, "start_date 2027-07-04 00:00:00, ends_before 2027-07-04 23:59:59", time.Time{}},
		"words hold only now":                          {EventFilter{StartsAfter: args.DateArg("tomorrow")}, "starts_after 2027-07-02 23:59:59", now},
		"include removes them all":                     {EventFilter{Include: args.Some(args.IDs{1}), Start: day}, "", time.Time{}},
		"strict dates are instants": {EventFilter{Start: day, End: day, StrictDates: args.Some[args.Truthy](true)},
			"start_date 2027-07-04 16:30:00 exactly, end_date 2027-07-04 16:30:00 exactly", time.Time{}},
		"an offset doesn't move the day": {EventFilter{Start: args.DateArg("2027-07-04T23:30:00-11:00"), End: day}, "start_date 2027-07-04 00:00:00, end_date 2027-07-04 23:59:59", time.Time{}},
	} {
		edges, until := c.filter.edges(editorOf(t).Site.Location, 0, now)
		var texts []string
		for _, e := range edges {
			text := e.Name() + " " + e.At.Format(time.DateTime)
			if e.Instant {
				text += " exactly"
			}
			texts = append(texts, text)
		}
		if got := strings.Join(texts, ", "); got != c.want || !until.Equal(c.until) {
			t.Errorf("%s: %s, until %s", name, got, until)
		}
	}
}

// Days begin and end at midnight of a place, or where clocks skip it after that.
func TestBoundsOfDay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, now, began, ends string }{
		{"Europe/Berlin", "2027-03-28 12:00:00", "2027-03-27 23:00:00", "2027-03-28 22:00:00"}, // 23 hours long
		{"Asia/Beirut", "2027-03-28 12:00:00", "2027-03-27 22:00:00", "2027-03-28 21:00:00"},
		{"Asia/Tokyo", "2027-06-30 15:00:00", "2027-06-30 15:00:00", "2027-07-01 15:00:00"},
	} {
		place, err := args.LocationOf(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		if began, ends := DayBegan(at(c.now), place), Midnight(at(c.now), place); !began.Equal(at(c.began)) || !ends.Equal(at(c.ends)) {
			t.Errorf("%s: from %s to %s", c.zone, began.UTC(), ends.UTC())
		}
	}
}

// Rule 5.8: who may not write sees what is published and may ask for nothing else.
func TestStatusesThatMayBeAskedFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		role  tenancy.Role
		asked args.Texts
		want  string
	}{
		{tenancy.NoRole, nil, "[]"},
		{tenancy.NoRole, args.Texts{"publish"}, "[publish]"},
		{tenancy.NoRole, args.Texts{"draft"}, "refused"},
		{tenancy.NoRole, args.Texts{"publish", "draft"}, "refused"},
		{tenancy.Subscriber, args.Texts{"trash"}, "refused"},
		{tenancy.Contributor, args.Texts{"draft", "", "trash"}, "[draft trash]"},
	} {
		var asked args.Opt[args.Texts]
		if c.asked != nil {
			asked = args.Some(c.asked)
		}
		list, err := AskedStatuses(scopeOf(t, 7, c.role).Principal, asked)
		got := fmt.Sprint(list)
		if err != nil {
			got = "refused"
		}
		if got != c.want {
			t.Errorf("%q asks for %v: %s, %v", c.role, c.asked, got, err)
		}
	}
}

// Rule 5.7: every condition on what a mask hides says whom the masks are open to. Those on what it shows, titles aside, need
// not; a condition that is added to the query belongs to one of the two.
func TestEveryConditionBehindMasksHasAnOpener(t *testing.T) {
	t.Parallel()
	shown := []string{"Page", "PerPage", "Edges", "Include", "Parent", "Origin", "Statuses", "Viewer", "WithHidden", "OrderBy", "Descending", "Opener", "After", "First",
		"Last", "Whole", "LongerThan", "Brief", "Shown", "Happening", "GoneSince", "Until"}
	query := reflect.TypeFor[EventQuery]()
	for i := range query.NumField() {
		q := EventQuery{}
		field := reflect.ValueOf(&q).Elem().Field(i)
		fillAny(field)
		if name := query.Field(i).Name; q.looksBehindMasks() == slices.Contains(shown, name) {
			t.Errorf("%s: looks behind masks: %t", name, q.looksBehindMasks())
		}
	}
}

// fillAny sets a value to another than its zero.
func fillAny(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillAny(v.Index(0))
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() {
				fillAny(field)
			}
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.String:
		v.SetString("x")
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		if key := v.Type().Key(); key.Kind() == reflect.String && v.Type().Elem().Kind() == reflect.Interface {
			v.SetMapIndex(reflect.ValueOf("x").Convert(key), reflect.ValueOf("x"))
		}
	default:
	}
}

// A password opens what it opens, and who may edit everything needs none.
func TestQueryNamesTheOpener(t *testing.T) {
	t.Parallel()
	f := &EventFilter{Featured: args.Some(true), Password: args.Some("x")}
	for role, want := range map[tenancy.Role]*Opener{tenancy.NoRole: {Password: "x"}, tenancy.Contributor: {User: 7, Password: "x"},
		tenancy.Author: {User: 7, Publishes: true, Password: "x"}, tenancy.Editor: nil} {
		s := scopeOf(t, 7, role)
		if role == tenancy.NoRole {
			s.Principal = tenancy.Principal{}
		}
		if q, err := f.Query(s, noon); err != nil || !reflect.DeepEqual(q.Opener, want) {
			t.Errorf("%q: %+v, %v", role, q.Opener, err)
		}
	}
	if q, err := (&EventFilter{Password: args.Some("x")}).Query(scopeOf(t, 7, tenancy.Author), noon); err != nil || q.Opener != nil {
		t.Errorf("a list without conditions: %+v, %v", q.Opener, err)
	}
}

// Rules 5.3, 5.4, 5.5 and 5.9: pages, order, and what the site doesn't have.
func TestQueryOfFilter(t *testing.T) {
	t.Parallel()
	s := editorOf(t)
	f := &EventFilter{Order: args.Some("DESC"), Series: args.Some("first")}
	f.PerPage = args.Some(80)
	q, err := f.Query(s, noon)
	if err != nil || q.Page != 1 || q.PerPage != 50 || !q.Descending || q.OrderBy != "start_date" || !q.First || q.Series != 0 || q.Include != nil {
		t.Errorf("%+v, %v", q, err)
	}
	q, err = (&EventFilter{Series: args.Some("12"), Include: args.Some(args.IDs{})}).Query(s, noon)
	if err != nil || q.PerPage != 15 || q.First || q.Series != 12 || q.Include == nil {
		t.Errorf("%+v, %v", q, err)
	}
	if q, err = (&EventFilter{Series: args.Some("-5"), Include: args.Some[args.IDs](nil)}).Query(s, noon); err != nil || q.Series != 0 || q.Include == nil {
		t.Errorf("none of a series that is none: %+v, %v", q, err)
	}
	f = &EventFilter{After: args.Some("20270320T193000-21")}
	f.Page = args.Some(7)
	if q, err = f.Query(s, noon); err != nil || q.Page != 1 || *q.After != (Place{at("2027-03-20 19:30:00"), 21}) {
		t.Errorf("%+v, %v", q.After, err)
	}
	near := &EventFilter{GeolocLat: args.Some(50.7), GeolocLng: args.Some(7.1)}
	if _, err = near.Query(s, noon); !slices.Equal(argstest.Wrong(err), []string{"geoloc_lat"}) {
		t.Errorf("without places: %v", err)
	}
	s.Site.Plan.Geo = true
	if q, err = near.Query(s, noon); err != nil || *q.Near != (Circle{50.7, 7.1, 25}) {
		t.Errorf("%+v, %v", q.Near, err)
	}
}

// A place in a list is read as it was written, and nothing else is one.
func TestPlaceInList(t *testing.T) {
	t.Parallel()
	p := Place{at("2027-03-20 19:30:05"), 21}
	if got, ok := ParsePlace(p.String()); !ok || got != p {
		t.Errorf("%s is read as %v, %t", p, got, ok)
	}
	for _, text := range []string{"x", "20270320T193000", "20270320T193000-", "20270320T193000--1", "20270320-21", "20271320T193000-21", "20270320T193000-21-3"} {
		if got, ok := ParsePlace(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// The days that somebody chooses are whole days at both ends. What is over is left out of days to come, and is there for who asks for
// the past.
func TestChosenDays(t *testing.T) {
	t.Parallel()
	now := at("2027-07-04 12:00:00")
	site := &tenancy.Site{Location: time.UTC}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: site})
	for _, one := range []struct {
		first, start, end string
		want              bool
	}{
		{"2027-07-04", "2027-07-03 19:00:00", "2027-07-03 23:59:59", false},
		{"2027-07-04", "2027-07-03 19:00:00", "2027-07-04 02:00:00", false},
		{"2027-07-04", "2027-07-04 11:00:00", "2027-07-04 12:00:00", false},
		{"2027-07-04", "2027-07-04 11:00:00", "2027-07-04 12:00:01", true},
		{"2027-07-04", "2027-07-04 00:00:00", "2027-07-04 23:59:59", true},
		{"2027-07-04", "2027-07-05 23:00:00", "2027-07-06 02:00:00", true},
		{"2027-07-04", "2027-07-06 00:00:00", "2027-07-06 23:59:59", false},
		{"2027-07-04", "2027-07-01 00:00:00", "2027-07-09 23:59:59", true},
		{"2027-07-03", "2027-07-03 19:00:00", "2027-07-03 23:59:59", true},
		{"2027-07-03", "2027-07-02 19:00:00", "2027-07-02 23:59:59", false},
		{"", "2027-07-04 11:00:00", "2027-07-04 12:00:00", false},
		{"", "2027-07-04 11:00:00", "2027-07-04 12:00:01", true},
	} {
		c := &Choice{Days: &Days{Last: at("2027-07-05 00:00:00")}}
		if one.first != "" {
			c.Days.First = at(one.first + " 00:00:00")
		}
		c.Coming()
		q := EventQuery{}
		q.Edges, _ = c.edges(time.UTC, 0, now)
		c.Narrow(ctx, &q, now)
		got := true
		for _, e := range q.Edges {
			when := at(one.start)
			if e.End {
				when = at(one.end)
			}
			got = got && (e.Compare != Before || when.Before(e.At)) && (e.Compare != After || when.After(e.At))
		}
		if got != one.want {
			t.Errorf("from %q: %s to %s: %t", one.first, one.start, one.end, got)
		}
	}
}

// A feed that is narrowed to anything but days doesn't tell of what was deleted, because it may never have been in it.
func TestFeedOfEverything(t *testing.T) {
	t.Parallel()
	anyway := []string{"Page", "PerPage", "Edges", "Statuses", "Viewer", "WithHidden", "OrderBy", "Descending", "Opener", "After", "First", "Last", "Whole",
		"Lacks", "Shown", "Texts", "GoneSince", "Until"} // of which feeds have no arguments that narrow them
	query := reflect.TypeFor[EventQuery]()
	for i := range query.NumField() {
		q := EventQuery{}
		fillAny(reflect.ValueOf(&q).Elem().Field(i))
		if name := query.Field(i).Name; q.Everything() != slices.Contains(anyway, name) {
			t.Errorf("%s: everything: %t", name, q.Everything())
		}
	}
}
