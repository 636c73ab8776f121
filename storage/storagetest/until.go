package storagetest

import (
	"testing"
	"time"
)

// Until calls done every 50 milliseconds until it returns true. After five minutes it fails the test with the text
// about.
func Until(t testing.TB, about string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(5 * time.Minute); !done(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for: %s", about)
		}
	}
}
