package accounts

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// HashCost is how much work it takes to make or check the hash of a password. The zero value means the cost in
// production; tests with many sign-ins use less.
type HashCost struct {
	Memory  uint32 // KiB
	Time    uint32
	Threads uint8
}

// inService is the cost in production.
var inService = HashCost{Memory: 19 * 1024, Time: 2, Threads: 1}

const (
	hashLength = 32
	saltLength = 16
	minSalt    = 8
	maxSalt    = 64
)

// hashing limits how many passwords are hashed simultaneously, because each takes memory and a processor.
var hashing = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)))

// Hash returns the argon2id hash of a password as a PHC string with a new salt.
func (c HashCost) Hash(password string) string {
	if c == (HashCost{}) {
		c = inService
	}
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // never fails
	sum := argon(password, salt, c.Time, c.Memory, c.Threads, hashLength)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.Memory, c.Time, c.Threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
}

// stored is a stored hash, parsed.
type stored struct {
	HashCost
	salt, sum []byte
}

// readHash reads a PHC string. ok is true for an argon2id hash whose cost is at most that in production: a hash
// from an archive must not determine how expensive its check is.
func readHash(hash string) (h stored, ok bool) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return h, false
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.Memory, &h.Time, &h.Threads); n != 3 || err != nil {
		return h, false
	}
	var err1, err2 error
	h.salt, err1 = base64.RawStdEncoding.DecodeString(parts[4])
	h.sum, err2 = base64.RawStdEncoding.DecodeString(parts[5])
	return h, err1 == nil && err2 == nil && len(h.salt) >= minSalt && len(h.salt) <= maxSalt && len(h.sum) == hashLength &&
		h.Memory <= inService.Memory && h.Time >= 1 && h.Time <= inService.Time && h.Threads == inService.Threads
}

// MayServe reports whether a string may be stored as the hash of a password: "" for no password, or a hash whose
// cost is at most that in production.
func MayServe(hash string) bool {
	_, ok := readHash(hash)
	return ok || hash == ""
}

// CheckPassword reports whether a password matches a PHC string. For any other string than an argon2id hash whose
// cost is at most that in production, it returns false without computing anything.
func CheckPassword(hash, password string) bool {
	h, ok := readHash(hash)
	if !ok {
		return false
	}
	sum := argon(password, h.salt, h.Time, h.Memory, h.Threads, hashLength)
	return subtle.ConstantTimeCompare(sum, h.sum) == 1
}

func argon(password string, salt []byte, time, memory uint32, threads uint8, length uint32) []byte {
	hashing <- struct{}{}
	defer func() { <-hashing }()
	return argon2.IDKey([]byte(password), salt, time, memory, threads, length)
}

// The lengths of a person's password: the shortest in characters, the longest in
// bytes.
const (
	minPassword = 12
	maxPassword = 1000
)

// checkPassword refuses a password that is short, common, or the login or e-mail address of its user. It accepts an
// empty password.
func checkPassword(password string, whose *tenancy.User, found *args.Problems) {
	switch name := tenancy.Fold(password); {
	case password == "":
	case utf8.RuneCountInString(password) < minPassword:
		found.Invalid("password", "problem.password.short", map[string]any{"Min": minPassword})
	case len(password) <= maxPassword && (name == tenancy.Fold(whose.Login) || name == tenancy.Fold(whose.Email) || common(password)):
		found.Invalid("password", "problem.password.common", nil)
	}
}

// CheckNewPassword returns *args.Problems for a password that is too short, too long or too easy to guess. The
// login and the e-mail address of its user count as too easy.
func CheckNewPassword(password string, whose *tenancy.User) error {
	found := &args.Problems{}
	switch {
	case password == "":
		found.Invalid("password", "problem.empty", nil)
	case len(password) > maxPassword:
		found.Invalid("password", "problem.bytes", map[string]any{"Max": maxPassword})
	}
	checkPassword(password, whose, found)
	return found.Err()
}
