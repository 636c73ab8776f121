package tenancy

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// User is a person of a site.
type User struct {
	ID           int64
	Login        string
	Email        string
	Name         string // shown to people
	Role         Role
	PasswordHash string // PHC format, "" when the person can't sign in by password
	Created      time.Time
}

// Principal returns who asks when the user does.
func (u *User) Principal() Principal {
	return Principal{UserID: u.ID, Login: u.Login, Role: u.Role}
}

// Seal returns a text that changes with the password. A session keeps it and
// ends when it no longer matches.
func (u *User) Seal() string {
	sum := sha256.Sum256([]byte("seal " + u.PasswordHash))
	return hex.EncodeToString(sum[:8])
}

// Fold returns the form under which logins and e-mail addresses are compared:
// letter case and outer blanks don't count.
func Fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }
