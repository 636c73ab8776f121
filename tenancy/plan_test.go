package tenancy

import (
	"errors"
	"math"
	"testing"
)

// A limit counts what there would be. Who has more than their plan allows keeps it, and may take away.
func TestAllow(t *testing.T) {
	t.Parallel()
	ten, none := new(int64(10)), new(int64(0))
	for what, c := range map[string]struct {
		limits     Limits
		used, more Usage
		want       string
	}{
		"no limit":                  {Limits{}, Usage{Events: 1e9}, Usage{Events: 1e9}, ""},
		"the last":                  {Limits{Events: ten}, Usage{Events: 9}, Usage{Events: 1}, ""},
		"one too many":              {Limits{Events: ten}, Usage{Events: 10}, Usage{Events: 1}, LimitEvents},
		"several at once":           {Limits{Events: ten}, Usage{Events: 8}, Usage{Events: 3}, LimitEvents},
		"none at all":               {Limits{Users: none}, Usage{}, Usage{Users: 1}, LimitUsers},
		"over already, nothing new": {Limits{Events: ten}, Usage{Events: 50}, Usage{}, ""},
		"over already, fewer":       {Limits{Events: ten}, Usage{Events: 50}, Usage{Events: -1}, ""},
		"over already, others":      {Limits{Events: ten}, Usage{Events: 50}, Usage{Users: 1}, ""},
		"occurrences":               {Limits{Occurrences: ten}, Usage{Occurrences: 10}, Usage{Events: 1, Occurrences: 5}, LimitOccurrences},
		"pictures":                  {Limits{MediaBytes: ten}, Usage{MediaBytes: 9}, Usage{MediaBytes: 2}, LimitMedia},
		"the first of two":          {Limits{Events: none, MediaBytes: none}, Usage{}, Usage{Events: 1, MediaBytes: 1}, LimitEvents},
	} {
		err := c.limits.Allow(c.used, c.more)
		var limit *LimitError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &limit) || limit.What != c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	err := (&Limits{Events: ten}).Allow(Usage{Events: 8}, Usage{Events: 3})
	var limit *LimitError
	if !errors.As(err, &limit) || *limit != (LimitError{LimitEvents, 10, 8, 3}) || limit.Key() != "error.limit_reached.events" ||
		limit.Data()["Max"] != int64(10) || limit.Data()["Have"] != int64(8) {
		t.Errorf("%+v %v", limit, limit.Data())
	}
}

// People read sizes in megabytes, with one digit behind the point where it says something.
func TestMegabytes(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[int64]string{0: "0", 49_999: "0", 50_000: "0.1", 1e6: "1", 1_540_000: "1.5", 1_550_000: "1.6", 20 << 20: "21",
		1e9: "1000", 999_999_999: "1000"} {
		e := &LimitError{What: LimitMedia, Max: bytes, Have: bytes}
		if e.Data()["Max"] != want || e.Data()["Have"] != want {
			t.Errorf("%d: %v, want %s", bytes, e.Data(), want)
		}
	}
}

// A series has room for what the plan has left, never for less than nothing.
func TestRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		most *int64
		used int64
		want int64
	}{{nil, 1e12, math.MaxInt64}, {new(int64(10)), 0, 10}, {new(int64(10)), 10, 0}, {new(int64(10)), 11, 0}, {new(int64(0)), 0, 0}} {
		l := Limits{Occurrences: c.most}
		if got := l.Room(Usage{Occurrences: c.used, Events: 5}); got != c.want {
			t.Errorf("%v of %v used: %d, want %d", c.used, c.most, got, c.want)
		}
	}
}

// The mark of a plan changes with all that it grants, and with nothing else.
func TestPlanMark(t *testing.T) {
	t.Parallel()
	plan := func(with func(*Plan)) int64 {
		p := &Plan{Name: "small", Geo: true, RequestsPerMinute: 60, Limits: Limits{Events: new(int64(1)), MediaBytes: new(int64(2))}}
		with(p)
		return p.Mark()
	}
	seen := map[int64]string{}
	for what, change := range map[string]func(*Plan){
		"itself": func(*Plan) {}, "name": func(p *Plan) { p.Name = "large" }, "geo": func(p *Plan) { p.Geo = false },
		"requests": func(p *Plan) { p.RequestsPerMinute = 61 }, "events": func(p *Plan) { p.Events = new(int64(2)) },
		"no events": func(p *Plan) { p.Events = nil }, "none": func(p *Plan) { p.Events = new(int64(0)) },
		"users": func(p *Plan) { p.Users = new(int64(1)) }, "occurrences": func(p *Plan) { p.Occurrences = new(int64(1)) },
		"pictures": func(p *Plan) { p.MediaBytes = new(int64(3)) },
	} {
		mark := plan(change)
		if other, twice := seen[mark]; twice || mark <= 0 {
			t.Errorf("%s has the mark of %s: %d", what, other, mark)
		}
		if seen[mark] = what; mark != plan(change) {
			t.Errorf("%s: another mark each time", what)
		}
	}
}
