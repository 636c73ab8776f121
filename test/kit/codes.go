package kit

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// App shows the codes of one account.
type App struct {
	Seed     []byte
	Recovery []string // codes that the account was given
}

var shownSecret = regexp.MustCompile(`<code class="secret" dir="ltr">([A-Z2-7 ]+)</code>`)

// NewApp returns an app with the secret that a page shows.
func NewApp(k *Kit, p Page) *App {
	k.T.Helper()
	m := shownSecret.FindStringSubmatch(p.Body)
	if m == nil {
		k.T.Fatalf("no secret: %d %s", p.Status, p.Body)
	}
	seed, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ReplaceAll(m[1], " ", ""))
	k.Must(err)
	return &App{Seed: seed}
}

// Code returns what the app shows at a moment.
func (a *App) Code(at time.Time) string {
	m := hmac.New(sha1.New, a.Seed)
	m.Write(binary.BigEndian.AppendUint64(nil, uint64(at.Unix()/30)))
	sum := m.Sum(nil)
	n := binary.BigEndian.Uint32(sum[sum[19]&15:]) & 0x7fffffff
	return fmt.Sprintf("%06d", n%1000000)
}

var recoveryCode = regexp.MustCompile(`\b[A-Z2-7]{4}(-[A-Z2-7]{4}){3}\b`)

// Codes has codes asked for of whoever is signed in, and returns their app. The kit's clock for attempts stands still afterwards; move it
// on for another code.
func (b *Browser) Codes() *App {
	k := b.K
	k.T.Helper()
	if k.Tries.IsZero() {
		k.Tries = time.Now()
	}
	b.Get("/admin/profile")
	p := b.Post("/admin/profile", url.Values{"do": {"codes.begin"}, "codes": {AdminPassword}})
	a := NewApp(k, p)
	p = b.Post("/admin/profile", url.Values{"do": {"codes.confirm"}, "setup": {p.Hidden("setup")}, "app_code": {a.Code(k.Tries)}})
	if a.Recovery = recoveryCode.FindAllString(p.Body, -1); p.Status != 200 || len(a.Recovery) != 10 {
		k.T.Fatalf("recovery codes: %d %s", p.Status, p.Body)
	}
	return a
}

// Tell sends a code to the page that asks for one.
func (b *Browser) Tell(asked Page, code string) Page {
	b.K.T.Helper()
	return b.Post("/admin/login/code", url.Values{"asked": {asked.Hidden("asked")}, "to": {"/admin/venues"}, "app_code": {code}})
}
