package tenancy

import (
	"sync"
	"testing"
)

func TestFloor(t *testing.T) {
	t.Parallel()
	if FloorOf(t.Context()) != nil {
		t.Error("a request has a floor that nobody gave it")
	}
	f := FloorOf(Above(t.Context(), 7))
	var all sync.WaitGroup
	for v := range int64(20) {
		all.Go(func() { f.Raise(v) })
	}
	all.Wait()
	if version, ok := f.Version(); version != 19 || !ok {
		t.Errorf("%d, %v", version, ok)
	}
	f.Raise(3)
	if version, _ := f.Version(); version != 19 {
		t.Errorf("it fell to %d", version)
	}
	f.Drop()
	f.Raise(50)
	if version, ok := f.Version(); ok {
		t.Errorf("it came back with %d", version)
	}
}
