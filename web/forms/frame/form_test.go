package frame

import (
	"fmt"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
)

// TestFormKeepsWhatABusyServerRefuses: too many images are told beside the field, so the form is shown again with its text.
func TestFormKeepsWhatABusyServerRefuses(t *testing.T) {
	t.Parallel()
	f := &Form{}
	if !f.Refuse(t.Context(), fmt.Errorf("store image: %w", &calendar.BusyError{Wait: time.Second})) || f.Problem("image") == "" {
		t.Errorf("told %v", f.Problems)
	}
}
