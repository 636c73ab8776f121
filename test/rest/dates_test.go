package rest

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestTimes writes start and end in every form, one time zone after the other
// (rule 3.8). The clock stands at 2030-02-20 13:00 in Berlin.
func TestTimes(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, c := range []struct{ start, end, zone, wantStart, wantEnd, wantUTC string }{
		{"2030-03-01", "2030-03-02", "", "2030-03-01 00:00:00", "2030-03-02 00:00:00", "2030-02-28 23:00:00"},
		{"2030-03-01 10:00", "2030-03-01T12:30:15", "", "2030-03-01 10:00:00", "2030-03-01 12:30:15", "2030-03-01 09:00:00"},
		{"2030-03-01T10:00:00Z", "2030-03-01T12:00:00+02:00", "", "2030-03-01 11:00:00", "2030-03-01 11:00:00", "2030-03-01 10:00:00"},
		{"2030-03-01T10:00:00Z", "2030-03-01T12:00:00Z", "America/New_York", "2030-03-01 05:00:00", "2030-03-01 07:00:00", "2030-03-01 10:00:00"},
		{"1900000000", "1900003600", "", "2030-03-17 18:46:40", "2030-03-17 19:46:40", "2030-03-17 17:46:40"},
		{"03/01/2030 5pm", "03/01/2030 6:30 PM", "", "2030-03-01 17:00:00", "2030-03-01 18:30:00", "2030-03-01 16:00:00"},
		{"1 March 2030 10:00", "March 1, 2030 11am", "", "2030-03-01 10:00:00", "2030-03-01 11:00:00", "2030-03-01 09:00:00"},
		{"tomorrow 9am", "+2 days", "", "2030-02-21 09:00:00", "2030-02-22 13:00:00", "2030-02-21 08:00:00"},
		{"now", "+1 week", "Asia/Tokyo", "2030-02-20 21:00:00", "2030-02-27 21:00:00", "2030-02-20 12:00:00"},
		{"next wednesday 4pm", "friday next week", "", "2030-02-27 16:00:00", "2030-03-01 00:00:00", "2030-02-27 15:00:00"},
		{"2030-03-01 23:00", "2030-03-01 24:00", "", "2030-03-01 23:00:00", "2030-03-02 00:00:00", "2030-03-01 22:00:00"},
		// the gap of the spring and the hour that is there twice (RFC 5545 §3.3.5)
		{"2030-03-31 02:30", "2030-03-31 04:00", "", "2030-03-31 03:30:00", "2030-03-31 04:00:00", "2030-03-31 01:30:00"},
		{"2030-10-27 02:30", "2030-10-27 03:30", "", "2030-10-27 02:30:00", "2030-10-27 03:30:00", "2030-10-27 00:30:00"},
		{"2030-03-10 02:30", "2030-03-10 05:00", "america/new_york", "2030-03-10 03:30:00", "2030-03-10 05:00:00", "2030-03-10 07:30:00"},
		{"2030-07-01 10:00", "2030-07-01 10:00", "UTC+5:30", "2030-07-01 10:00:00", "2030-07-01 10:00:00", "2030-07-01 04:30:00"},
		{"2030-07-01 10:00", "2030-07-01 11:00", "utc", "2030-07-01 10:00:00", "2030-07-01 11:00:00", "2030-07-01 10:00:00"},
	} {
		body := kit.Object{"title": "T", "start_date": c.start, "end_date": c.end}
		if c.zone != "" {
			body["timezone"] = c.zone
		}
		k.Post("/events", "editor", body).Want(t, 201, "").
			Has(t, "start_date", c.wantStart, "end_date", c.wantEnd, "utc_start_date", c.wantUTC)
	}
}

func TestBadTimes(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(nil)
	for arg, values := range map[string][]any{
		"start_date": {"", "never", "2030-02-30", "2030-13-01", "2030-01-01 25:00", 5, true, []any{"2030-01-01"}, "10000-01-01", "0000-00-00 00:00:00"},
		"end_date":   {"", "soon", "2030-04-31 10:00", "2030-02-29"},
		"date":       {"", "x", nil, 7},
		"timezone":   {"Europe/Nowhere", "Berlin", 1, []any{}, "UTC+25", "x", true},
	} {
		for _, value := range values {
			k.Post("/events", "editor", kit.Times(kit.Object{arg: value})).Refused(t, arg)
			k.Patch(kit.Item("events", id), "editor", kit.Object{arg: value}).Refused(t, arg)
		}
	}
	for _, body := range []kit.Object{
		{"end_date": "2030-03-01 09:59:59"},
		{"start_date": "2030-03-01 10:00Z", "end_date": "2030-03-01 10:30+01:00"},
	} {
		k.Post("/events", "editor", kit.Times(body)).Refused(t, "end_date")
	}
	k.Patch(kit.Item("events", id), "editor", kit.Object{"start_date": "2030-03-01 13:00"}).Refused(t, "end_date")
	// in UTC these are the years 0 and 10000
	k.Post("/events", "editor", kit.Object{"title": "T", "start_date": "0001-01-01", "end_date": "0001-01-03"}).Refused(t, "start_date")
	k.Post("/events", "editor", kit.Object{"title": "T", "start_date": "9999-12-30", "end_date": "9999-12-31 23:00", "timezone": "America/New_York"}).Refused(t, "end_date")
	k.Get(kit.Item("events", id), "").Has(t, "start_date", "2030-03-01 10:00:00")
}

// TestZones: stored in canonical spelling, with an abbreviation for the day.
func TestZones(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for _, c := range []struct{ sent, zone, abbreviation string }{
		{"Europe/Berlin", "Europe/Berlin", "CET"}, {"europe/BERLIN", "Europe/Berlin", "CET"}, {"", "Europe/Berlin", "CET"},
		{"America/New_York", "America/New_York", "EST"}, {"UTC", "UTC", "UTC"}, {"utc", "UTC", "UTC"},
		{"UTC+2", "UTC+2", "UTC+2"}, {"utc-5:30", "UTC-5:30", "UTC-5:30"}, {"UTC+05:30", "UTC+5:30", "UTC+5:30"},
	} {
		k.Post("/events", "editor", kit.Times(kit.Object{"timezone": c.sent})).Want(t, 201, "").
			Has(t, "timezone", c.zone, "timezone_abbr", c.abbreviation)
	}
}

// TestTimesAlone changes zone, start, end and all_day one at a time.
func TestTimesAlone(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	path := kit.Item("events", k.Event(nil))
	change := func(body kit.Object) kit.Answer { return k.Patch(path, "editor", body).Want(t, 200, "") }
	change(kit.Object{"timezone": "America/New_York"}).Has(t, "start_date", "2030-03-01 10:00:00", "utc_start_date", "2030-03-01 15:00:00",
		"utc_end_date", "2030-03-01 17:00:00", "utc_start_date_details.hour", "15", "timezone_abbr", "EST")
	change(kit.Object{"start_date": "2030-03-01T14:00:00Z"}).Has(t, "start_date", "2030-03-01 09:00:00", "end_date", "2030-03-01 12:00:00")
	change(kit.Object{"end_date": "2030-03-03 18:00"}).Has(t, "start_date", "2030-03-01 09:00:00", "end_date", "2030-03-03 18:00:00",
		"utc_end_date", "2030-03-03 23:00:00")
	change(kit.Object{"all_day": true}).Has(t, "start_date", "2030-03-01 00:00:00", "end_date", "2030-03-03 23:59:59", "all_day", true,
		"utc_start_date", "2030-03-01 05:00:00", "utc_end_date", "2030-03-04 04:59:59")
	change(kit.Object{"end_date": "2030-03-02"}).Has(t, "end_date", "2030-03-02 23:59:59", "all_day", true)
	change(kit.Object{"timezone": "Asia/Tokyo"}).Has(t, "start_date", "2030-03-01 00:00:00", "end_date", "2030-03-02 23:59:59",
		"utc_start_date", "2030-02-28 15:00:00")
	change(kit.Object{"all_day": false}).Has(t, "start_date", "2030-03-01 00:00:00", "end_date", "2030-03-02 23:59:59", "all_day", false)
	change(kit.Object{"start_date": "2030-03-02 08:00", "all_day": "0"}).Has(t, "start_date", "2030-03-02 08:00:00")
	change(kit.Object{"timezone": "Europe/Berlin", "start_date": "2030-03-31 02:30", "end_date": "2030-03-31 05:00"}).
		Has(t, "start_date", "2030-03-31 03:30:00")
}

// TestDetails: the parts of a time are texts padded with zeros (rule 8.1).
func TestDetails(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"start_date": "2030-03-01 09:05:07", "end_date": "2030-12-31 23:00", "timezone": "Asia/Tokyo"})
	k.Get(kit.Item("events", id), "").Has(t, "start_date_details", "map[day:01 hour:09 minutes:05 month:03 seconds:07 year:2030]",
		"end_date_details.month", "12", "utc_start_date_details", "map[day:01 hour:00 minutes:05 month:03 seconds:07 year:2030]",
		"json_ld.startDate", "2030-03-01T09:05:07+09:00", "json_ld.endDate", "2030-12-31T23:00:00+09:00")
}
