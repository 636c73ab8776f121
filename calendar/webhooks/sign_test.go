package webhooks

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/secrets"
)

// The signature of the example that the libraries of Standard Webhooks test themselves with.
func TestSignKnownMessage(t *testing.T) {
	t.Parallel()
	secret, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	got := sign([]key{{hmac: secret}}, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func service(t *testing.T) *Service {
	t.Helper()
	box, err := secrets.NewBox([]byte("the key of the installation 0123"), "webhooks")
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{Box: box})
}

// The current secret signs, the one before for a day more, and with a public key, too, if that is wanted. None can be read from what
// is stored, or opened for another site.
func TestSecrets(t *testing.T) {
	t.Parallel()
	s := service(t)
	now := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	first, shown := s.newSecret(1, true)
	w := &Webhook{Secrets: []Secret{first}}
	stored, err := json.Marshal(w.Secrets)
	if err != nil || !strings.HasPrefix(shown, "whsec_") || strings.Contains(string(stored), shown[6:]) {
		t.Errorf("%s %s %v", shown, stored, err)
	}
	public, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(w.Public(), "whpk_"))
	if err != nil || len(public) != ed25519.PublicKeySize {
		t.Errorf("%q: %v", w.Public(), err)
	}
	signatures := func(at time.Time) []string {
		open, err := keys(s.box, 1, w.Secrets, at)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(sign(open, "msg_1", at, []byte("{}")))
	}
	list := signatures(now)
	if len(list) != 2 || !strings.HasPrefix(list[0], "v1,") || !strings.HasPrefix(list[1], "v1a,") {
		t.Fatalf("%q", list)
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(list[1], "v1a,"))
	if err != nil || !ed25519.Verify(public, []byte("msg_1.1893499200.{}"), raw) {
		t.Errorf("the public key does not verify %s: %v", list[1], err)
	}
	second, _ := s.newSecret(1, true)
	w.renew(second, now)
	if got := signatures(now.Add(overlap - time.Second)); len(got) != 4 {
		t.Errorf("within the day: %q", got)
	}
	if got := signatures(now.Add(overlap)); len(got) != 2 {
		t.Errorf("after the day: %q", got)
	}
	if _, err := keys(s.box, 2, w.Secrets, now); err == nil {
		t.Error("another site opens the secret")
	}
	for range 20 {
		next, _ := s.newSecret(1, false)
		w.renew(next, now)
	}
	if len(w.Secrets) != mostSecrets {
		t.Errorf("%d secrets", len(w.Secrets))
	}
}
