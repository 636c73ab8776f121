package recur_test

import (
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// The examples of RFC 5545 §3.8.5.3, all at 9 a.m. in New York, with the dates that the RFC lists. A list of a series
// that ends there ends with a full stop.
func TestRFC(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ start, lines, want string }{
		{"1997-09-02", "FREQ=DAILY;COUNT=10", "9/2 3 4 5 6 7 8 9 10 11."},
		{"1997-12-20", "FREQ=DAILY;UNTIL=19971224T000000Z", "12/20 21 22 23."},
		{"1997-09-02", "FREQ=DAILY;INTERVAL=2", "9/2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 10/2 4 6"},
		{"1997-09-02", "FREQ=DAILY;INTERVAL=10;COUNT=5", "9/2 12 22 10/2 12."},
		{"1997-09-02", "FREQ=WEEKLY;COUNT=10", "9/2 9 16 23 30 10/7 14 21 28 11/4."},
		{"1997-09-02", "FREQ=WEEKLY;UNTIL=19971224T000000Z", "9/2 9 16 23 30 10/7 14 21 28 11/4 11 18 25 12/2 9 16 23."},
		{"1997-09-02", "FREQ=WEEKLY;INTERVAL=2;WKST=SU", "9/2 16 30 10/14 28 11/11 25 12/9 23 1998 1/6 20 2/3 17"},
		{"1997-09-02", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", "9/2 4 9 11 16 18 23 25 30 10/2."},
		{"1997-09-02", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "9/2 4 9 11 16 18 23 25 30 10/2."},
		{
			"1997-09-01", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
			"9/1 3 5 15 17 19 29 10/1 3 13 15 17 27 29 31 11/10 12 14 24 26 28 12/8 10 12 22.",
		},
		{"1997-09-02", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "9/2 4 16 18 30 10/2 14 16."},
		{"1997-09-05", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "9/5 10/3 11/7 12/5 1998 1/2 2/6 3/6 4/3 5/1 6/5."},
		{"1997-09-05", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "9/5 10/3 11/7 12/5."},
		{"1997-09-07", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "9/7 28 11/2 30 1998 1/4 25 3/1 29 5/3 31."},
		{"1997-09-22", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "9/22 10/20 11/17 12/22 1998 1/19 2/16."},
		{"1997-09-28", "FREQ=MONTHLY;BYMONTHDAY=-3", "9/28 10/29 11/28 12/29 1998 1/29 2/26"},
		{"1997-09-02", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "9/2 15 10/2 15 11/2 15 12/2 15 1998 1/2 15."},
		{"1997-09-30", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "9/30 10/1 31 11/1 30 12/1 31 1998 1/1 31 2/1."},
		{"1997-09-10", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "9/10 11 12 13 14 15 1999 3/10 11 12 13."},
		{"1997-09-02", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "9/2 9 16 23 30 11/4 11 18 25 1998 1/6 13 20 27 3/3 10 17 24 31"},
		{"1997-06-10", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "6/10 7/10 1998 6/10 7/10 1999 6/10 7/10 2000 6/10 7/10 2001 6/10 7/10."},
		{
			"1997-03-10", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
			"3/10 1999 1/10 2/10 3/10 2001 1/10 2/10 3/10 2003 1/10 2/10 3/10.",
		},
		{
			"1997-01-01", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
			"1/1 4/10 7/19 2000 1/1 4/9 7/18 2003 1/1 4/10 7/19 2006 1/1.",
		},
		{"1997-05-19", "FREQ=YEARLY;BYDAY=20MO", "5/19 1998 5/18 1999 5/17"},
		{"1997-05-12", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "5/12 1998 5/11 1999 5/17"},
		{"1997-03-13", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "3/13 20 27 1998 3/5 12 19 26 1999 3/4 11 18 25"},
		{
			"1997-06-05", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
			"6/5 12 19 26 7/3 10 17 24 31 8/7 14 21 28 1998 6/4 11 18 25 7/2 9 16 23 30 8/6 13 20 27 1999 6/3",
		},
		{"1998-02-13", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "2/13 3/13 11/13 1999 8/13 2000 10/13"},
		{
			"1997-09-13", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
			"9/13 10/11 11/8 12/13 1998 1/10 2/7 3/7 4/11 5/9 6/13",
		},
		{"1996-11-05", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "11/5 2000 11/7 2004 11/2"},
		{"1997-09-04", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "9/4 10/7 11/6."},
		{"1997-09-29", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "9/29 10/30 11/27 12/30 1998 1/29 2/26 3/30"},
		{"1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "8/5 10 19 24."},
		{"1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "8/5 17 19 31."},
		{"2007-01-15", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "1/15 30 2/15 3/15 30."},
	} {
		t.Run(c.lines, func(t *testing.T) {
			t.Parallel()
			clock := recur.Clock{Zone: zone(t, "America/New_York"), Start: at(t, c.start+" 09:00")}
			set := parsed(t, clock, c.lines)
			want, ends := parseDates(t, clock.Start, c.want)
			n := len(want)
			if ends {
				n++ // there must be no date after the last
			}
			if got := take(set, clock, time.Time{}, n); !slices.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
			last, finite := set.Last(clock)
			if finite != ends || ends && !last.Equal(want[len(want)-1]) {
				t.Errorf("last %v %v, want %v", last, finite, want[len(want)-1])
			}
		})
	}
}

// The RFC's two ways to write every day in January are equivalent.
func TestRFCJanuary(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: zone(t, "America/New_York"), Start: at(t, "1998-01-01 09:00")}
	yearly := parsed(t, clock, "RRULE:FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA")
	daily := parsed(t, clock, "RRULE:FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1")
	a, b := take(yearly, clock, time.Time{}, 1000), take(daily, clock, time.Time{}, 1000)
	if len(a) != 3*31 || !slices.Equal(a, b) {
		t.Errorf("%d dates, %d dates", len(a), len(b))
	}
	if !a[92].Equal(at(t, "2000-01-31 09:00")) {
		t.Errorf("ends at %v", a[92])
	}
}

// In the RFC's example for Friday the 13th, DTSTART is another day and is excluded.
func TestRFCFriday(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: zone(t, "America/New_York"), Start: at(t, "1997-09-02 09:00")}
	set, problems := recur.ParseLines("EXDATE;TZID=America/New_York:19970902T090000\r\nRRULE:FREQ=MONTHLY;BYDAY=FR;\r\n BYMONTHDAY=13\r\n", clock)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want, _ := parseDates(t, clock.Start, "1998 2/13 3/13 11/13 1999 8/13 2000 10/13")
	if got := take(set, clock, time.Time{}, 5); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// Every 20 minutes from 9:00 to 16:40 makes 24 times a day.
func TestRFCMinutes(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: zone(t, "America/New_York"), Start: at(t, "1997-09-02 09:00")}
	set := parsed(t, clock, "RRULE:FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40")
	got := take(set, clock, time.Time{}, 25)
	if !got[23].Equal(at(t, "1997-09-02 16:40")) || !got[24].Equal(at(t, "1997-09-03 09:00")) {
		t.Errorf("got %v", got)
	}
}
