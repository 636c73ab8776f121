package accounts

import (
	"testing"
	"time"
)

func TestUsed(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	var u used
	u.note(1, 5, time.Time{}, now)
	u.note(1, 5, time.Time{}, now.Add(time.Second))
	u.note(1, 6, now.Add(-time.Second), now)
	u.note(0, 5, now.Add(-time.Minute), now)
	got := u.take()
	if len(got) != 2 || len(got[1]) != 1 || !got[1][5].Equal(now) || !got[0][5].Equal(now) {
		t.Errorf("waiting %v", got)
	}
	if again := u.take(); len(again) != 0 {
		t.Errorf("still waiting %v", again)
	}
}

func TestUsedIsBounded(t *testing.T) {
	t.Parallel()
	var u used
	for i := range int64(noteLimit + 100) {
		u.note(1, i, time.Time{}, time.Unix(0, 0))
	}
	if n := len(u.take()[1]); n != noteLimit {
		t.Errorf("%d uses wait", n)
	}
}
