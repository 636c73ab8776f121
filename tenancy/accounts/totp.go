package accounts

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // what apps know of RFC 6238
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Codes of RFC 6238, with the values that every app uses.
const (
	codeDigits = 6
	codeEvery  = 30 * time.Second
	codeDrift  = 1 // number of steps that a clock may be wrong in either direction
	seedLength = 20
)

// stepOf returns the number of the step at a time.
func stepOf(at time.Time) int64 { return at.Unix() / int64(codeEvery/time.Second) }

// codeAt returns the code of a step.
func codeAt(seed []byte, step int64) string {
	m := hmac.New(sha1.New, seed)
	m.Write(binary.BigEndian.AppendUint64(nil, uint64(step)))
	sum := m.Sum(nil)
	from := sum[len(sum)-1] & 0x0f
	return fmt.Sprintf("%0*d", codeDigits, binary.BigEndian.Uint32(sum[from:])&0x7fffffff%1_000_000)
}

// stepFor returns the step near a time whose code someone has typed. If the code matches several steps, it returns
// the last.
func stepFor(seed []byte, code string, now time.Time) (step int64, ok bool) {
	for at := stepOf(now) - codeDrift; at <= stepOf(now)+codeDrift; at++ {
		if subtle.ConstantTimeCompare([]byte(codeAt(seed, at)), []byte(code)) == 1 {
			step, ok = at, true
		}
	}
	return step, ok
}

// seedText returns a seed in the form that people type into an app.
func seedText(seed []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(seed)
}

// seedAddress returns the URL for the QR code of a seed.
func seedAddress(seed []byte, site, login string) string {
	// Apps read %20 as a blank, but leave + unchanged.
	query := strings.ReplaceAll(url.Values{"secret": {seedText(seed)}, "issuer": {site}}.Encode(), "+", "%20")
	return "otpauth://totp/" + url.PathEscape(strings.ReplaceAll(site, ":", " ")) + ":" + url.PathEscape(login) + "?" + query
}
