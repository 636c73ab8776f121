package kit

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/idp"
)

// asker is what a kit asks providers with: none until AskAt.
type asker struct{ accounts.IdentityProviders }

// AskAt has the kit ask providers at addresses of this machine, each a host:port.
func (k *Kit) AskAt(hosts ...string) {
	k.asker.IdentityProviders = idp.New(outbound.NewGuard(hosts, true), time.Now)
}

// Issuer is an OpenID Connect provider that says of somebody what a test wants.
type Issuer struct {
	URL    string
	Host   string
	Say    map[string]any                              // claims of everybody who signs in
	Change func(claims map[string]any)                 // just before they are signed
	Forge  func(header map[string]any, signed *string) // a token before it is given

	kit    *Kit
	key    *ecdsa.PrivateKey
	mu     sync.Mutex
	codes  map[string]url.Values // what was asked, by the code that answers
	number int
}

// NewIssuer returns a provider with the client "kalends", whose secret is "a secret".
func NewIssuer(k *Kit) *Issuer {
	k.T.Helper()
	i := &Issuer{kit: k, codes: map[string]url.Values{}}
	var err error
	i.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	k.Must(err)
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, map[string]any{"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"ES256"}})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, map[string]any{"keys": []any{i.jwk()}}) })
	mux.HandleFunc("/token", i.token)
	server := httptest.NewServer(mux)
	k.T.Cleanup(server.Close)
	i.URL, i.Host = server.URL, strings.TrimPrefix(server.URL, "http://")
	return i
}

func answerJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func (i *Issuer) jwk() map[string]any {
	public, err := i.key.PublicKey.Bytes()
	i.kit.Must(err)
	return map[string]any{"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "1", "x": base64url(public[1:33]), "y": base64url(public[33:])}
}

// Grant signs somebody in who came by an address of Kalends, and returns the query with which the browser goes back.
func (i *Issuer) Grant(address string) url.Values {
	i.kit.T.Helper()
	u, err := url.Parse(address)
	i.kit.Must(err)
	asked := u.Query()
	for name, want := range map[string]string{"client_id": "kalends", "response_type": "code", "code_challenge_method": "S256"} {
		if asked.Get(name) != want {
			i.kit.T.Errorf("%s is %q", name, asked.Get(name))
		}
	}
	if asked.Get("state") == "" || asked.Get("nonce") == "" || asked.Get("code_challenge") == "" || !strings.Contains(" "+asked.Get("scope")+" ", " openid ") {
		i.kit.T.Errorf("asked without something: %v", asked)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.number++
	code := fmt.Sprint("code", i.number)
	i.codes[code] = asked
	return url.Values{"code": {code}, "state": {asked.Get("state")}}
}

// token exchanges a code, once, for whoever asked for it.
func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	asked := i.codes[r.FormValue("code")]
	delete(i.codes, r.FormValue("code"))
	id, secret, _ := r.BasicAuth()
	challenge := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if asked == nil || id != "kalends" || secret != "a+secret" || base64url(challenge[:]) != asked.Get("code_challenge") || r.FormValue("redirect_uri") != asked.Get("redirect_uri") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": "invalid_grant"})
		return
	}
	now := time.Now()
	claims := map[string]any{"iss": i.URL, "aud": "kalends", "sub": "1", "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(), "nonce": asked.Get("nonce"), "groups": []string{}}
	maps.Copy(claims, i.Say)
	if i.Change != nil {
		i.Change(claims)
	}
	answerJSON(w, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": i.sign(claims)})
}

func (i *Issuer) sign(claims map[string]any) string {
	header := map[string]any{"alg": "ES256", "kid": "1", "typ": "JWT"}
	head, _ := json.Marshal(header)
	body, _ := json.Marshal(claims)
	signed := base64url(head) + "." + base64url(body)
	sum := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, i.key, sum[:])
	i.kit.Must(err)
	signed += "." + base64url(append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...))
	if i.Forge != nil {
		i.Forge(header, &signed)
	}
	return signed
}

// Trust has a site's administrator set up the provider, with more fields.
func (i *Issuer) Trust(b *Browser, more url.Values) Page {
	i.kit.T.Helper()
	b.Get("/admin/sign-in")
	form := url.Values{"do": {"save"}, "issuer": {i.URL}, "client_id": {"kalends"}, "client_secret": {"a secret"}, "passwords": {"1"}, "confirm": {AdminPassword}}
	maps.Copy(form, more)
	return b.Post("/admin/sign-in", form)
}

// Begin goes to the provider, and returns the address.
func (b *Browser) Begin() string {
	b.K.T.Helper()
	p := b.Get("/admin/login/provider?to=%2Fadmin%2Fvenues")
	if p.Status != http.StatusSeeOther {
		b.K.T.Fatalf("begin: %d %s", p.Status, p.Body)
	}
	return p.Header.Get("Location")
}

// Back comes back from the provider.
func (b *Browser) Back(query url.Values) Page {
	b.K.T.Helper()
	return b.Get("/admin/login/provider/callback?" + query.Encode())
}
