package server_test

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

// device is an authenticator with one passkey.
type device struct {
	key    *ecdsa.PrivateKey
	id     []byte
	handle []byte
	count  uint32
	host   string // whose passkey it is
	origin string // of the page it believes to be on
}

func newDevice(k *kit, host string) *device {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	k.must(err)
	id := make([]byte, 32)
	_, err = rand.Read(id)
	k.must(err)
	return &device{key: key, id: id, host: host, origin: "http://" + host}
}

func base64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// data is what a device signs besides the question: flags say that somebody was
// there and was verified.
func (d *device) data(flags byte) []byte {
	host := sha256.Sum256([]byte(d.host))
	return binary.BigEndian.AppendUint32(append(host[:], flags|0x05), d.count)
}

func (d *device) client(kind, challenge string) []byte {
	text, _ := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": d.origin, "crossOrigin": false})
	return text
}

// credential writes an answer as the page's script does.
func (d *device) credential(response map[string]any) string {
	text, _ := json.Marshal(map[string]any{"id": base64url(d.id), "rawId": base64url(d.id), "type": "public-key",
		"clientExtensionResults": map[string]any{}, "response": response})
	return string(text)
}

// made answers the question for a new passkey.
func (d *device) made(k *kit, question string) string {
	k.t.Helper()
	var asked struct {
		Challenge string
		User      struct{ ID string }
	}
	k.must(json.Unmarshal([]byte(question), &asked))
	var err error
	d.handle, err = base64.RawURLEncoding.DecodeString(asked.User.ID)
	k.must(err)
	public, err := d.key.PublicKey.Bytes() // 4, then both coordinates
	k.must(err)
	data := append(d.data(0x40), make([]byte, 16)...)
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(d.id))), d.id...)
	data = append(data, 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20)
	data = append(append(append(data, public[1:33]...), 0x22, 0x58, 0x20), public[33:]...)
	var object bytes.Buffer
	object.WriteString("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58")
	object.WriteByte(byte(len(data)))
	object.Write(data)
	return d.credential(map[string]any{"clientDataJSON": base64url(d.client("webauthn.create", asked.Challenge)),
		"attestationObject": base64url(object.Bytes()), "transports": []string{"internal"}})
}

// signed answers the question of a sign-in, counting on.
func (d *device) signed(k *kit, question string) string {
	k.t.Helper()
	var asked struct{ Challenge string }
	k.must(json.Unmarshal([]byte(question), &asked))
	d.count++
	data, client := d.data(0), d.client("webauthn.get", asked.Challenge)
	hash := sha256.Sum256(client)
	sum := sha256.Sum256(append(bytes.Clone(data), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, sum[:])
	k.must(err)
	return d.credential(map[string]any{"clientDataJSON": base64url(client), "authenticatorData": base64url(data),
		"signature": base64url(signature), "userHandle": base64url(d.handle)})
}

// register adds the device in the profile of whoever is signed in.
func (b *browser) register(d *device) page {
	b.k.t.Helper()
	b.get("/admin/profile")
	question := b.post("/admin/profile/passkey", url.Values{"confirm": {adminPassword}})
	if question.Status != 200 {
		b.k.t.Fatalf("question: %d %s", question.Status, question.Body)
	}
	return b.post("/admin/profile", url.Values{"do": {"passkey"}, "passkey_name": {"Phone"}, "credential": {d.made(b.k, question.Body)}})
}

// question asks what a device has to sign to sign in.
func (b *browser) question() string {
	b.k.t.Helper()
	p := b.post("/admin/login/passkey/options", url.Values{})
	if p.Status != 200 || !strings.HasPrefix(p.Header.Get("Content-Type"), "text/plain") {
		b.k.t.Fatalf("question: %d %s", p.Status, p.Body)
	}
	return p.Body
}

func (b *browser) passkey(credential string) page {
	return b.post("/admin/login/passkey", url.Values{"credential": {credential}, "to": {"/admin/venues"}})
}
