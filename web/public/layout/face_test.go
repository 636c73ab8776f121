package layout

import "testing"

// A logo gets the room that it will need before it has arrived, if its address says how large it is.
func TestRoomForLogo(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]int{
		"/media/k/words-300x100.png":            120,
		"/media/k/mark.png#200x50":              160,
		"/media/k/tall-100x300.webp":            13,
		"/media/k/line-65535x1.png":             2621400,
		"/media/k/dot-1x65535.png":              1,
		"https://example.org/a.png#30x10":       120,
		"https://example.org/a-300x100.png":     logoHeight, // may be anything
		"/media/k/mark.png":                     logoHeight,
		"/media/k/mark-0x10.png":                logoHeight,
		"/media/k/mark-999999999999x1.png":      logoHeight,
		"https://example.org/logo.png?#300x100": 120,
	} {
		if got := logoWidth(address); got != want {
			t.Errorf("%s: %d, not %d", address, got, want)
		}
	}
}
