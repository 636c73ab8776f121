package frame

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/cache"
)

// masked encodes a session token differently each time, as a random pad followed by the token XORed with it, so that the
// length of a compressed page does not reveal the token (BREACH).
func masked(token string) string {
	if token == "" {
		return ""
	}
	pad := make([]byte, len(token), 2*len(token))
	_, _ = rand.Read(pad) // never fails
	return base64.RawURLEncoding.EncodeToString(append(pad, under(pad, token)...))
}

// unmasked decodes the result of masked. It returns "" for anything else.
func unmasked(text string) string {
	both, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(both)%2 != 0 {
		return ""
	}
	return string(under(both[:len(both)/2], string(both[len(both)/2:])))
}

func under(pad []byte, text string) []byte {
	out := make([]byte, len(text))
	subtle.XORBytes(out, pad, []byte(text))
	return out
}

// sendPage sends a page, compressed if the browser supports that.
func sendPage(c *fiber.Ctx, body []byte) error {
	c.Set(fiber.HeaderVary, strings.Join([]string{fiber.HeaderAcceptEncoding, fiber.HeaderCookie}, ", "))
	if c.Get(fiber.HeaderAcceptEncoding) != "" && c.AcceptsEncodings("gzip") == "gzip" {
		if packed := (&cache.Answer{Body: body}).Gzip(); packed != nil {
			c.Set(fiber.HeaderContentEncoding, "gzip")
			return c.Send(packed)
		}
	}
	return c.Send(body)
}
