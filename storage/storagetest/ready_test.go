package storagetest

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// TestReadyIsMadeOnce: test programs that run at the same time copy one directory, and the last of them leaves nothing behind.
func TestReadyIsMadeOnce(t *testing.T) {
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir, err := temporary()
	check(err)
	t.Cleanup(func() { check(os.RemoveAll(dir)) })
	copies := t.TempDir()
	t.Setenv(tempName, dir)
	copied := func(name string) string { return filepath.Join(copies, name) }
	var all [3]*ready
	var failed [3]error
	var programs sync.WaitGroup
	for i := range all {
		programs.Go(func() { all[i], failed[i] = takeReady(t.Context(), copied(strconv.Itoa(i))) })
	}
	programs.Wait()
	for i, r := range all {
		check(failed[i])
		if !r.there() {
			t.Errorf("the directory is gone while %d others use it", len(all)-i)
		}
		check(r.release())
	}
	left, err := os.ReadDir(dir)
	check(err)
	if len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
	again, err := takeReady(t.Context(), copied("again"))
	check(err)
	check(again.release())
}
