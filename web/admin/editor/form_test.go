package editor

import (
	"testing"
	"time"
)

// A new event begins at the next full hour, and on the day after when that is too
// late in the evening; in the night it is the morning that comes.
func TestNextStart(t *testing.T) {
	t.Parallel()
	for now, want := range map[string]string{
		"2031-05-01 14:00:00": "2031-05-01 15:00", "2031-05-01 14:59:59": "2031-05-01 15:00", "2031-05-01 19:30:00": "2031-05-01 20:00",
		"2031-05-01 20:00:00": "2031-05-02 10:00", "2031-05-01 23:40:00": "2031-05-02 10:00", "2031-05-02 00:00:00": "2031-05-02 10:00",
		"2031-05-02 02:10:00": "2031-05-02 10:00", "2031-05-02 05:59:00": "2031-05-02 10:00", "2031-05-02 06:00:00": "2031-05-02 07:00",
		"2031-12-31 21:05:00": "2032-01-01 10:00",
	} {
		at, err := time.Parse(time.DateTime, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := nextStart(at).Format("2006-01-02 15:04"); got != want {
			t.Errorf("at %s: %s, want %s", now, got, want)
		}
	}
}
