package calendar

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
)

const saltBytes = 16

// SealPassword returns the stored form of an event's password, or nil if there is none. A salted digest is
// sufficient: visitors share the password, and anyone who can read the stored form can also read the event that it
// protects.
func SealPassword(password string) []byte {
	if password == "" {
		return nil
	}
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails: it crashes the program instead
	return digest(salt, password)
}

// Opens reports in constant time whether the password opens the event.
func (e *Event) Opens(password string) bool {
	if len(e.Password) < saltBytes || password == "" {
		return false
	}
	return subtle.ConstantTimeCompare(digest(e.Password[:saltBytes], password), e.Password) == 1
}

func digest(salt []byte, password string) []byte {
	sum := sha256.Sum256(append(append([]byte(nil), salt...), password...))
	return append(append([]byte(nil), salt...), sum[:]...)
}
