package calendar

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
)

const saltBytes = 16

// sealPassword returns what is stored of an event's password, nil for none. The
// password is a key that visitors share, and whoever can read the stored form
// can read the event it protects, so a salted digest is enough.
func sealPassword(password string) []byte {
	if password == "" {
		return nil
	}
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails: it ends the program instead
	return digest(salt, password)
}

// Opens reports whether the password opens the event, in constant time.
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
