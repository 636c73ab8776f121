// Package secrets creates the secrets that programs and browsers present, and the form in which they are stored.
package secrets

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
)

// PasswordLength is how many random characters an application password has, and keyLength any other secret.
const (
	PasswordLength = 24
	keyLength      = 40
)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// Random returns n characters of the alphabet, each as likely as any other.
func Random(n int) string {
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

// Key returns a new secret for a program or a browser.
func Key() string { return Random(keyLength) }

// IsKey reports whether s consists of the prefix and a text that Key could have returned.
func IsKey(s, prefix string) bool { return Form(s, prefix, keyLength) }

// Digest returns the form in which secrets are stored. They are random enough
// for a plain hash.
func Digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// Form reports whether s is the prefix and n characters of the alphabet:
// what isn't can be no secret of ours.
func Form(s, prefix string, n int) bool {
	rest, ok := strings.CutPrefix(s, prefix)
	return ok && len(rest) == n && strings.Trim(rest, alphabet) == ""
}
