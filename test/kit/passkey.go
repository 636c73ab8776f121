package kit

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/url"
	"strings"
)

// Device is an authenticator with one passkey.
type Device struct {
	key    *ecdsa.PrivateKey
	ID     []byte
	Handle []byte
	Count  uint32
	Host   string // whose passkey it is
	Origin string // of the page it believes to be on
	Anyone bool   // it signs for whoever holds it, without verifying them
}

// NewDevice returns a device without passkeys for the pages at host.
func NewDevice(k *Kit, host string) *Device {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	k.Must(err)
	id := make([]byte, 32)
	_, err = rand.Read(id)
	k.Must(err)
	return &Device{key: key, ID: id, Host: host, Origin: "http://" + host}
}

func base64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// data is what a device signs besides the question: flags say that somebody was
// there and, unless it takes anyone, was verified.
func (d *Device) data(flags byte) []byte {
	host := sha256.Sum256([]byte(d.Host))
	if flags |= 0x01; !d.Anyone {
		flags |= 0x04
	}
	return binary.BigEndian.AppendUint32(append(host[:], flags), d.Count)
}

func (d *Device) client(kind, challenge string) []byte {
	text, _ := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": d.Origin, "crossOrigin": false})
	return text
}

// credential writes an answer as the page's script does.
func (d *Device) credential(response map[string]any) string {
	text, _ := json.Marshal(map[string]any{"id": base64url(d.ID), "rawId": base64url(d.ID), "type": "public-key",
		"clientExtensionResults": map[string]any{}, "response": response})
	return string(text)
}

// Made answers the question for a new passkey.
func (d *Device) Made(k *Kit, question string) string {
	k.T.Helper()
	var asked struct {
		Challenge string
		User      struct{ ID string }
	}
	k.Must(json.Unmarshal([]byte(question), &asked))
	var err error
	d.Handle, err = base64.RawURLEncoding.DecodeString(asked.User.ID)
	k.Must(err)
	public, err := d.key.PublicKey.Bytes() // 4, then both coordinates
	k.Must(err)
	data := append(d.data(0x40), make([]byte, 16)...)
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(d.ID))), d.ID...)
	data = append(data, 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20)
	data = append(append(append(data, public[1:33]...), 0x22, 0x58, 0x20), public[33:]...)
	var object bytes.Buffer
	object.WriteString("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58")
	object.WriteByte(byte(len(data)))
	object.Write(data)
	return d.credential(map[string]any{"clientDataJSON": base64url(d.client("webauthn.create", asked.Challenge)),
		"attestationObject": base64url(object.Bytes()), "transports": []string{"internal"}})
}

// Signed answers the question of a sign-in, counting on.
func (d *Device) Signed(k *Kit, question string) string {
	k.T.Helper()
	var asked struct{ Challenge string }
	k.Must(json.Unmarshal([]byte(question), &asked))
	d.Count++
	data, client := d.data(0), d.client("webauthn.get", asked.Challenge)
	hash := sha256.Sum256(client)
	sum := sha256.Sum256(append(bytes.Clone(data), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, sum[:])
	k.Must(err)
	return d.credential(map[string]any{"clientDataJSON": base64url(client), "authenticatorData": base64url(data),
		"signature": base64url(signature), "userHandle": base64url(d.Handle)})
}

// Register adds the device in the profile of whoever is signed in.
func (b *Browser) Register(d *Device) Page {
	b.K.T.Helper()
	b.Get("/admin/profile")
	question := b.Post("/admin/profile/passkey", url.Values{"confirm": {AdminPassword}})
	if question.Status != 200 {
		b.K.T.Fatalf("question: %d %s", question.Status, question.Body)
	}
	return b.Post("/admin/profile", url.Values{"do": {"passkey"}, "passkey_name": {"Phone"}, "credential": {d.Made(b.K, question.Body)}})
}

// Question asks what a device has to sign to sign in.
func (b *Browser) Question() string {
	b.K.T.Helper()
	p := b.Post("/admin/login/passkey/options", url.Values{})
	if p.Status != 200 || !strings.HasPrefix(p.Header.Get("Content-Type"), "text/plain") {
		b.K.T.Fatalf("question: %d %s", p.Status, p.Body)
	}
	return p.Body
}

// Passkey signs in with what a device answered, and leads to the venues.
func (b *Browser) Passkey(credential string) Page {
	return b.Post("/admin/login/passkey", url.Values{"credential": {credential}, "to": {"/admin/venues"}})
}
