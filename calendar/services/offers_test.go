package services

import (
	"testing"

	"github.com/kalends/kalends/calendar"
)

// An area of categories has those below them, however deep and in whatever order.
func TestBelow(t *testing.T) {
	t.Parallel()
	all := func() []*calendar.Term {
		return []*calendar.Term{{ID: 4, Parent: 3}, {ID: 1}, {ID: 3, Parent: 2}, {ID: 2}, {ID: 5, Parent: 9}}
	}
	for _, c := range []struct {
		ids  []int64
		want string
	}{{nil, "\x04\x01\x03\x02\x05"}, {[]int64{2}, "\x04\x03\x02"}, {[]int64{1, 4}, "\x04\x01"}, {[]int64{8}, ""}} {
		got := ""
		for _, one := range below(all(), c.ids) {
			got += string(rune(one.ID))
		}
		if got != c.want {
			t.Errorf("%v has %q, not %q", c.ids, got, c.want)
		}
	}
}
