package rate_test

import (
	"testing"
	"time"

	"github.com/kalends/kalends/internal/rate"
)

func TestBudget(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	b := &rate.Budget{Each: time.Minute, Most: 3, Clock: func() time.Time { return now }}
	take := func(want ...bool) {
		t.Helper()
		for i, w := range want {
			if got := b.Take(); got != w {
				t.Errorf("take %d: %v", i, got)
			}
		}
	}
	take(true, true, true, false)
	now = now.Add(time.Minute)
	take(true, false)
	b.Back()
	take(true, false)
	now = now.Add(-24 * time.Hour) // a clock that is set back doesn't owe what it never gave
	take(true, true, true, false)
}
