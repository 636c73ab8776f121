package media_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/kalends/kalends/media"
)

// marks is what an installation knows of its store.
type marks struct {
	mu   sync.Mutex
	mark string
}

func (m *marks) Marked(_ context.Context, fresh string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mark == "" {
		m.mark = fresh
	}
	return m.mark, nil
}

// Nodes that start at once agree on the store that they share. One with another folder is told so, and so is the doctor.
func TestMark(t *testing.T) {
	t.Parallel()
	folder := func() media.Store {
		disk, err := media.NewDisk(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return disk
	}
	shared, other, in := folder(), folder(), &marks{}
	if err := media.CheckMark(t.Context(), other, in); err != nil || in.mark != "" {
		t.Errorf("before there is a mark: %v, %q", err, in.mark)
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if err := media.Mark(t.Context(), shared, in); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := media.CheckMark(t.Context(), shared, in); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{"a node": media.Mark(t.Context(), other, in), "the doctor": media.CheckMark(t.Context(), other, in)} {
		if !errors.Is(err, media.ErrOtherStore) {
			t.Errorf("%s with another folder: %v", name, err)
		}
	}
	if err := media.Mark(t.Context(), shared, &marks{}); err != nil { // a restored database takes the mark that is there
		t.Error(err)
	}
}
