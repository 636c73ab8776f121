package secrets

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
)

// ErrSealed is returned for data that the box has not sealed, or has sealed for another purpose.
var ErrSealed = errors.New("not sealed here")

// Box encrypts secrets that must be readable again, such as keys for signing messages.
type Box struct{ aead cipher.AEAD }

// NewBox returns the box of a purpose. The key is that of the installation; boxes of other purposes can't open what this one seals.
func NewBox(key []byte, purpose string) (*Box, error) {
	own, err := hkdf.Key(sha256.New, key, nil, "kalends "+purpose, 32)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	block, err := aes.NewCipher(own)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	return &Box{aead}, nil
}

// Seal encrypts a secret. It can be opened only together with about, which identifies its owner.
func (b *Box) Seal(secret []byte, about string) []byte {
	nonce := make([]byte, b.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return b.aead.Seal(nonce, nonce, secret, []byte(about))
}

// Open returns what Seal encrypted, or ErrSealed.
func (b *Box) Open(sealed []byte, about string) ([]byte, error) {
	n := b.aead.NonceSize()
	if len(sealed) < n {
		return nil, ErrSealed
	}
	secret, err := b.aead.Open(nil, sealed[:n], sealed[n:], []byte(about))
	if err != nil {
		return nil, ErrSealed
	}
	return secret, nil
}
