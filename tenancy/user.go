package tenancy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
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
	PasswordHash string // PHC format, "" if the person cannot sign in with a password
	Language     string // language of the administration's pages, "" for the browser's
	Theme        Theme  // of the administration's pages
	Told         Told   // how often the person is e-mailed about items that they have to deal with
	Created      time.Time
	SecondFactor bool // the sign-in asks for a code after the password; cannot be set here
	Area         Area // limits what an editor, an author or a contributor writes
}

// Theme is the color scheme of pages.
type Theme string

// The themes. SystemTheme follows the browser.
const (
	SystemTheme Theme = ""
	LightTheme  Theme = "light"
	DarkTheme   Theme = "dark"
)

// Told is how often people are e-mailed about items that they have to deal with.
type Told string

// The ways of being told.
const (
	TellAtOnce Told = "at_once"
	TellDaily  Told = "daily"
	TellNever  Told = "never"
)

// Principal returns the user as a principal.
func (u *User) Principal() Principal {
	p := Principal{UserID: u.ID, Login: u.Login, Role: u.Role}
	if u.Role == Editor || u.Role == Author || u.Role == Contributor {
		p.Area = u.Area
	}
	return p
}

// Seal returns a text that changes with the password. A session stores it, and ends when it no longer matches.
func (u *User) Seal() string {
	sum := sha256.Sum256([]byte("seal " + u.PasswordHash))
	return hex.EncodeToString(sum[:8])
}

// Still returns nil if the user still matches p, the principal of their session. It returns ErrUnauthenticated if
// their password has changed, and ErrForbidden if their role has. It compares only principals of sessions.
func (u *User) Still(p Principal) error {
	switch {
	case p.Seal == "":
		return nil
	case u.Seal() != p.Seal:
		return ErrUnauthenticated
	case u.Role != p.Role:
		return ErrForbidden
	}
	return nil
}

// Fold normalizes a login or an e-mail address for comparison, ignoring case and surrounding blanks.
func Fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// Mark returns a number that changes with the user's fields in forms, so that people do not overwrite changes they
// have not seen. It serves as a version, which users don't have.
func (u *User) Mark() int64 { return mark(u.Login, u.Email, u.Name, u.Role, u.Area) }

// mark returns a number above zero that changes with the fields.
func mark(fields ...any) int64 {
	text, _ := json.Marshal(fields) //nolint:errchkjson // texts and numbers
	sum := sha256.Sum256(text)
	return int64(binary.BigEndian.Uint64(sum[:])>>2) + 1
}
