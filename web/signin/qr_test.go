package signin

import (
	"fmt"
	"strings"
	"testing"
)

// TestDrawing: a QR code has its white margin, and its three corners are black squares of seven with a hole.
func TestDrawing(t *testing.T) {
	t.Parallel()
	d, err := drawn("otpauth://totp/Club:ann?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
	if err != nil {
		t.Fatal(err)
	}
	far := d.side - quietZone - 7
	for _, at := range [][2]int{{quietZone, quietZone}, {far, quietZone}, {quietZone, far}} {
		if begins := fmt.Sprintf("M%d %dh7v1h-7z", at[0], at[1]); !strings.Contains(d.path, begins) {
			t.Errorf("no corner at %v: %s", at, begins)
		}
	}
	if _, err := drawn(strings.Repeat("long ", 1000)); err == nil {
		t.Error("a text that fits into none is drawn")
	}
}
