package ical_test

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/ical"
	"github.com/kalends/kalends/internal/recur"
)

// onset is a moment at which a VTIMEZONE changes the clocks.
type onset struct {
	at     int64
	offset int64
}

// readZone parses the one VTIMEZONE of a file by RFC 5545 §3.6.5 and returns all onsets up to a year, in order. Where
// programs read less than the standard has, it does as they do: a line has one RDATE, and with any, DTSTART is none.
func readZone(t *testing.T, file string, last int) (list []onset) {
	t.Helper()
	var start time.Time
	var from, to int64
	var dates []time.Time
	var rule string
	for line := range strings.SplitSeq(strings.ReplaceAll(file, "\r\n ", ""), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "BEGIN":
			dates, rule = nil, ""
		case "DTSTART":
			start = local(t, value)
		case "TZOFFSETFROM":
			from = seconds(t, value)
		case "TZOFFSETTO":
			to = seconds(t, value)
		case "RDATE":
			dates = append(dates, local(t, value))
		case "RRULE":
			rule = value
		case "END":
			if value != "STANDARD" && value != "DAYLIGHT" {
				break
			}
			c := recur.Clock{Zone: time.UTC, Start: start}
			set := recur.Set{Dates: dates}
			if rule != "" {
				r, problems := recur.ParseRule(rule, c)
				if problems != nil {
					t.Fatalf("%s: %v", rule, problems)
				}
				set.Rules = append(set.Rules, r)
				if !set.Hits(c) {
					t.Errorf("%s isn't the first date of %s", start, rule)
				}
			}
			for at := range set.All(c, time.Time{}) {
				if len(dates) > 0 && !slices.Contains(dates, at) {
					continue
				}
				if at.Year() > last {
					break
				}
				list = append(list, onset{at.Unix() - from, to})
			}
		}
		if name == "END" && value == "VTIMEZONE" {
			break
		}
	}
	slices.SortFunc(list, func(a, b onset) int { return int(a.at - b.at) })
	return list
}

func local(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse("20060102T150405", text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func seconds(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt((text[1:] + "00")[:6], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	n = n/10000*3600 + n/100%100*60 + n%100
	if text[0] == '-' {
		return -n
	}
	return n
}

// zones cover every kind of rule: none, permanent, by weekday, the day before the last Sunday, Ramadan, half hours,
// fixed offsets, changes that have been abolished.
var zones = []string{"Europe/Berlin", "Europe/London", "Europe/Dublin", "Europe/Lisbon", "Europe/Istanbul", "Europe/Moscow",
	"America/New_York", "America/Sao_Paulo", "America/Santiago", "America/Nuuk", "America/St_Johns", "America/Havana",
	"America/Asuncion", "America/Scoresbysund", "America/Vancouver", "America/Caracas", "Africa/Cairo", "Africa/Casablanca",
	"Africa/El_Aaiun", "Africa/Juba", "Africa/Monrovia", "Asia/Tehran", "Asia/Jerusalem", "Asia/Gaza", "Asia/Beirut", "Asia/Kolkata",
	"Asia/Kathmandu", "Asia/Pyongyang", "Asia/Tokyo", "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Auckland",
	"Pacific/Apia", "Pacific/Chatham", "Pacific/Easter", "Antarctica/Troll", "Etc/GMT+5", "UTC+5:30", "UTC-3"}

// The clocks of a VTIMEZONE agree with those of the zone at any moment from the year of the event on.
func TestZones(t *testing.T) {
	t.Parallel()
	for _, name := range zones {
		for _, year := range []int{1955, 2027} {
			zone, err := args.LocationOf(name)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			w := ical.NewWriter(&b)
			start := time.Date(year, 7, 1, 19, 0, 0, 0, time.UTC)
			w.Event(&ical.Event{Start: start, End: start, Zone: zone, Rules: []string{"FREQ=DAILY"}})
			if w.Err() != nil || !strings.HasPrefix(b.String(), "BEGIN:VTIMEZONE\r\n") {
				t.Fatalf("%s: %v %s", name, w.Err(), b.String())
			}
			onsets := readZone(t, b.String(), 2151)
			from, to := time.Date(min(year, 1970), 1, 2, 0, 0, 0, 0, time.UTC), time.Date(2151, 1, 1, 0, 0, 0, 0, time.UTC)
			for _, at := range moments(from, to, zone, onsets) {
				i, exact := slices.BinarySearchFunc(onsets, at, func(o onset, at int64) int { return int(o.at - at) })
				if !exact {
					i--
				}
				if _, want := time.Unix(at, 0).In(zone).Zone(); onsets[i].offset != int64(want) {
					t.Errorf("%s at %s: %d, want %d", name, time.Unix(at, 0).UTC(), onsets[i].offset, want)
					break
				}
			}
			if n := b.Len(); n > 12_000 {
				t.Errorf("%s: %d bytes", name, n)
			}
		}
	}
}

// moments returns the moments around each change of a zone and around each onset.
func moments(from, to time.Time, zone *time.Location, onsets []onset) (list []int64) {
	for at := from.In(zone); at.Before(to); at = at.AddDate(0, 0, 10) {
		list = append(list, at.Unix())
		if _, end := at.ZoneBounds(); !end.IsZero() {
			list = append(list, end.Unix()-1, end.Unix())
		}
	}
	for _, o := range onsets {
		list = append(list, o.at-1, o.at)
	}
	return slices.DeleteFunc(list, func(at int64) bool { return at < from.Unix() || at >= to.Unix() })
}
