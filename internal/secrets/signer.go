package secrets

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// Signer creates secrets for links that need not be stored: they contain the subject of the link, signed.
type Signer struct{ key []byte }

// signed is how many bytes of a signature a link has.
const signed = 16

// NewSigner returns the signer of a purpose. The key is that of the installation; signers of other purposes don't accept what this one
// signs.
func NewSigner(key []byte, purpose string) (*Signer, error) {
	own, err := hkdf.Key(sha256.New, key, nil, "kalends "+purpose, 32)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	return &Signer{own}, nil
}

// Code returns the secret of a link about an object of a site.
func (s *Signer) Code(site, id int64) string {
	code := binary.BigEndian.AppendUint64(nil, uint64(id))
	return base64.RawURLEncoding.EncodeToString(append(code, s.sign(site, id)...))
}

// Read returns the subject of a link's secret, if this signer made it for the site.
func (s *Signer) Read(site int64, code string) (id int64, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(code)
	if err != nil || len(raw) != 8+signed {
		return 0, false
	}
	id = int64(binary.BigEndian.Uint64(raw))
	return id, hmac.Equal(raw[8:], s.sign(site, id))
}

func (s *Signer) sign(site, id int64) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(site)), uint64(id)))
	return mac.Sum(nil)[:signed]
}
