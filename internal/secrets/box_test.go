package secrets

import (
	"bytes"
	"errors"
	"testing"
)

func TestBox(t *testing.T) {
	t.Parallel()
	key := []byte("the key of the installation 0123")
	box, err := NewBox(key, "webhooks")
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewBox(key, "sources")
	if err != nil {
		t.Fatal(err)
	}
	secret := []byte("whsec")
	sealed := box.Seal(secret, "1 2")
	if bytes.Contains(sealed, secret) || bytes.Equal(sealed, box.Seal(secret, "1 2")) {
		t.Error("it can be read, or is the same each time")
	}
	if got, err := box.Open(sealed, "1 2"); err != nil || !bytes.Equal(got, secret) {
		t.Errorf("%q, %v", got, err)
	}
	bent := bytes.Clone(sealed)
	bent[len(bent)-1] ^= 1
	for what, open := range map[string]func() ([]byte, error){
		"another site":    func() ([]byte, error) { return box.Open(sealed, "2 2") },
		"another purpose": func() ([]byte, error) { return other.Open(sealed, "1 2") },
		"bent":            func() ([]byte, error) { return box.Open(bent, "1 2") },
		"short":           func() ([]byte, error) { return box.Open(sealed[:5], "1 2") },
		"nothing":         func() ([]byte, error) { return box.Open(nil, "1 2") },
	} {
		if got, err := open(); !errors.Is(err, ErrSealed) {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
}
