package accounts

import (
	"testing"
	"time"
)

// TestSerialsDiffer takes as many numbers of one moment as there are.
func TestSerialsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[int64]bool{}
	for range tries / 2 { // other tests take some meanwhile
		n := serial(time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC))
		if seen[n] {
			t.Fatalf("%d twice", n)
		}
		seen[n] = true
	}
}
