package accounts

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestCodes compares codes with those of appendix B of RFC 6238, of which six digits are shown.
func TestCodes(t *testing.T) {
	t.Parallel()
	seed := []byte("12345678901234567890")
	for at, want := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		now := time.Unix(at, 0)
		if got := codeAt(seed, stepOf(now)); got != want {
			t.Errorf("at %d: %s, not %s", at, got, want)
		}
		for _, off := range []time.Duration{-codeEvery, 0, codeEvery} {
			if step, ok := stepFor(seed, want, now.Add(off)); !ok || step != stepOf(now) {
				t.Errorf("at %d, %s off: step %d, %v", at, off, step, ok)
			}
		}
		for _, off := range []time.Duration{-2 * codeEvery, 2 * codeEvery} {
			if _, ok := stepFor(seed, want, now.Add(off)); ok && at > 60 { // before that there are no steps
				t.Errorf("at %d, %s off: it is good", at, off)
			}
		}
	}
	for _, wrong := range []string{"", "28708", "2870820", "０００000"} {
		if _, ok := stepFor(seed, wrong, time.Unix(59, 0)); ok {
			t.Errorf("%q is good", wrong)
		}
	}
}

// TestCodeAddress: what a QR code holds can be read back, whatever a site is called.
func TestCodeAddress(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(seedAddress([]byte("12345678901234567890"), "Club: Fun & Games + more", "ann@example.org"))
	if err != nil || u.Scheme != "otpauth" || u.Host != "totp" || u.Path != "/Club  Fun & Games + more:ann@example.org" {
		t.Fatalf("%v, %v", u, err)
	}
	if q := u.Query(); q.Get("secret") != "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" || q.Get("issuer") != "Club: Fun & Games + more" || strings.Contains(u.RawQuery, "+") {
		t.Errorf("%v", u.RawQuery)
	}
}
