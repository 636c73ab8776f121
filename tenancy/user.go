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
	Language     string // of the administration's pages, "" for the browser's
	Theme        Theme  // of the administration's pages
	Created      time.Time
}

// Theme is how pages are coloured.
type Theme string

// The themes. SystemTheme is what the browser says.
const (
	SystemTheme Theme = ""
	LightTheme  Theme = "light"
	DarkTheme   Theme = "dark"
)

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

// Mark returns a text that changes with what a form about the user holds, so
// that nobody overwrites what they haven't seen.
func (u *User) Mark() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{u.Login, u.Email, u.Name, string(u.Role)}, "\x00")))
	return hex.EncodeToString(sum[:8])
}
