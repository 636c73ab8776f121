package webhooks

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The prefixes of keys, as in Standard Webhooks.
const (
	secretPrefix = "whsec_"
	publicPrefix = "whpk_"
)

// overlap is how long a replaced key still signs messages.
const overlap = 24 * time.Hour

// Secret is a key that signs messages. It is stored encrypted.
type Secret struct {
	Key   []byte    `json:"key"`              // for HMAC-SHA256, encrypted
	Seed  []byte    `json:"seed,omitempty"`   // for ed25519, encrypted; empty: no such signature
	Until time.Time `json:"until,omitzero"`   // when it ends; zero: it does not
	Pub   []byte    `json:"public,omitempty"` // of Seed
}

// Public returns the public key of the current secret in the form that programs read, or "" if there is none.
func (w *Webhook) Public() string {
	if len(w.Secrets) == 0 || len(w.Secrets[0].Pub) == 0 {
		return ""
	}
	return publicPrefix + base64.StdEncoding.EncodeToString(w.Secrets[0].Pub)
}

// about binds secrets to their site.
func about(site int64) string { return "site " + strconv.FormatInt(site, 10) }

// mostSecrets is how many of a webhook's secrets sign at a time.
const mostSecrets = 5

// renew puts a new secret before the others, which end after overlap.
func (w *Webhook) renew(made Secret, now time.Time) {
	list := []Secret{made}
	for _, was := range w.Secrets {
		if was.Until.IsZero() {
			was.Until = now.Add(overlap).UTC().Truncate(time.Second)
		}
		if was.Until.After(now) && len(list) < mostSecrets {
			list = append(list, was)
		}
	}
	w.Secrets = list
}

// newSecret returns a new secret, and its text to show, which is shown only once.
func (s *Service) newSecret(site int64, public bool) (made Secret, shown string) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	made.Key = s.box.Seal(key, about(site))
	if public {
		s.addSeed(&made, site)
	}
	return made, secretPrefix + base64.StdEncoding.EncodeToString(key)
}

// addSeed makes a secret sign with ed25519 too.
func (s *Service) addSeed(secret *Secret, site int64) {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // never fails
	secret.Seed = s.box.Seal(seed, about(site))
	secret.Pub = ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
}

// keys decrypts the secrets of a webhook that sign at a moment.
func keys(box Box, site int64, list []Secret, now time.Time) (open []key, err error) {
	for _, secret := range list {
		if !secret.Until.IsZero() && !secret.Until.After(now) {
			continue
		}
		var k key
		if k.hmac, err = box.Open(secret.Key, about(site)); err != nil {
			return nil, fmt.Errorf("open a secret: %w", err)
		}
		if len(secret.Seed) > 0 {
			seed, err := box.Open(secret.Seed, about(site))
			if err != nil {
				return nil, fmt.Errorf("open a secret: %w", err)
			}
			k.private = ed25519.NewKeyFromSeed(seed)
		}
		open = append(open, k)
	}
	return open, nil
}

// key is a decrypted secret.
type key struct {
	hmac    []byte
	private ed25519.PrivateKey // nil: none
}

// sign returns the signatures of a message in the form of the header.
func sign(list []key, id string, at time.Time, body []byte) string {
	content := append([]byte(id+"."+strconv.FormatInt(at.Unix(), 10)+"."), body...)
	var all []string
	for _, k := range list {
		mac := hmac.New(sha256.New, k.hmac)
		mac.Write(content)
		all = append(all, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		if k.private != nil {
			all = append(all, "v1a,"+base64.StdEncoding.EncodeToString(ed25519.Sign(k.private, content)))
		}
	}
	return strings.Join(all, " ")
}

// Box encrypts secrets that the service must be able to read again.
type Box interface {
	Seal(secret []byte, about string) []byte
	Open(sealed []byte, about string) ([]byte, error)
}
