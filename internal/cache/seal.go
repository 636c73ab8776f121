package cache

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"
)

// errSeal is returned for a value that is not ours or belongs to another key.
var errSeal = errors.New("seal does not match")

// sealer authenticates the answers stored in Redis: each value carries a MAC over its key and content that only the
// nodes can compute.
type sealer struct{ secret []byte }

func newSealer(secret []byte) sealer { return sealer{secret} }

// The purposes of checksums. If the stored format changes, so does the purpose, so that nodes of two releases do
// not share entries that one of them cannot read.
const (
	forName    = 'N'
	forContent = 'S'
)

// sum returns the MAC over a key and content for one purpose. The length of the key is included, so that content
// cannot pass for part of another key.
func (s sealer) sum(purpose byte, key Key, content []byte) []byte {
	b := binary.BigEndian.AppendUint64([]byte{purpose}, uint64(key.Site))
	b = binary.BigEndian.AppendUint64(b, uint64(key.Version))
	b = binary.BigEndian.AppendUint64(b, uint64(len(key.Rest)))
	mac := hmac.New(sha256.New, s.secret)
	mac.Write(append(b, key.Rest...))
	mac.Write(content)
	return mac.Sum(nil)
}

// name returns the name of the key in Redis.
func (s sealer) name(key Key) string {
	return "kalends:answer:" + base64.RawURLEncoding.EncodeToString(s.sum(forName, key, nil))
}

// close returns an answer as a sealed value.
func (s sealer) close(key Key, a *Answer) []byte {
	until := int64(0)
	if !a.Until.IsZero() {
		until = a.Until.Unix()
	}
	b := binary.BigEndian.AppendUint64(make([]byte, sha256.Size, len(a.Body)+256), uint64(until))
	b = binary.BigEndian.AppendUint64(b, uint64(a.made.Unix()))
	b = appendField(appendField(b, a.ETag), a.Route)
	b = append(binary.BigEndian.AppendUint64(b, uint64(a.Counted.Event)), a.Counted.Kind)
	b = binary.AppendUvarint(b, uint64(len(a.Headers)))
	for _, h := range a.Headers {
		b = appendField(appendField(b, h.Name), h.Value)
	}
	b = append(b, a.Body...)
	copy(b, s.sum(forContent, key, b[sha256.Size:]))
	return b
}

func appendField(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// open returns the answer in a sealed value, or errSeal.
func (s sealer) open(key Key, b []byte) (*Answer, error) {
	if len(b) < sha256.Size+16 || !hmac.Equal(b[:sha256.Size], s.sum(forContent, key, b[sha256.Size:])) {
		return nil, errSeal
	}
	a := &Answer{}
	b = b[sha256.Size:]
	if until := int64(binary.BigEndian.Uint64(b)); until != 0 {
		a.Until = time.Unix(until, 0)
	}
	a.made = time.Unix(int64(binary.BigEndian.Uint64(b[8:])), 0)
	b = b[16:]
	a.ETag, b = field(b)
	a.Route, b = field(b)
	if len(b) < 9 {
		return nil, errSeal
	}
	a.Counted = Counted{Event: int64(binary.BigEndian.Uint64(b)), Kind: b[8]}
	b = b[9:]
	n, size := binary.Uvarint(b)
	b = b[max(size, 0):]
	for range n {
		var name, value string
		name, b = field(b)
		value, b = field(b)
		a.Headers = append(a.Headers, NewHeader(name, value))
	}
	a.Body = b
	return a, nil
}

// field reads a text written by appendField. The seal guarantees its length.
func field(b []byte) (string, []byte) {
	n, size := binary.Uvarint(b)
	if size <= 0 || uint64(len(b)-size) < n {
		return "", nil
	}
	return string(b[size : size+int(n)]), b[size+int(n):]
}
