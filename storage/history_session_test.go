package storage

import "testing"

// TestSerialsDiffer takes as many numbers of one moment as there are.
func TestSerialsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[int64]bool{}
	for range tries / 2 { // other tests take some meanwhile
		n := serial(monday)
		if seen[n] {
			t.Fatalf("%d twice", n)
		}
		seen[n] = true
	}
}
