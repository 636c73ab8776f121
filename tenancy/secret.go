package tenancy

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"unicode"
)

// What secrets begin with, so that people and scanners know one when they see it.
const (
	keyPrefix   = "kal_"
	tokenPrefix = "kalp_"
)

// How many random characters secrets have.
const (
	passwordLength = 24
	keyLength      = 40
)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// random returns n characters of the alphabet, each as likely as any other.
func random(n int) string {
	const fair = 256 - 256%len(alphabet)
	out := make([]byte, 0, n)
	for buffer := make([]byte, 2*n); len(out) < n; {
		_, _ = rand.Read(buffer) // never fails
		for _, b := range buffer {
			if int(b) < fair && len(out) < n {
				out = append(out, alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return string(out)
}

// newSecret returns a new secret of the kind as people are shown it, and its hash.
func newSecret(k Kind) (shown string, hash []byte) {
	if k == APIKey {
		shown = keyPrefix + random(keyLength)
		return shown, digest(shown)
	}
	secret := random(passwordLength)
	groups := make([]string, 0, passwordLength/4)
	for i := 0; i < len(secret); i += 4 {
		groups = append(groups, secret[i:i+4])
	}
	return strings.Join(groups, " "), digest(secret)
}

// newToken returns a new provider token and its hash.
func newToken() (shown string, hash []byte) {
	shown = tokenPrefix + random(keyLength)
	return shown, digest(shown)
}

// digest returns the form in which secrets are stored. They are random enough
// for a plain hash.
func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// withoutBlanks returns an application password as it is hashed.
func withoutBlanks(password string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, password)
}

// secretForm reports whether s is the prefix and n characters of the alphabet:
// what isn't can be no secret of ours.
func secretForm(s, prefix string, n int) bool {
	rest, ok := strings.CutPrefix(s, prefix)
	return ok && len(rest) == n && strings.Trim(rest, alphabet) == ""
}
