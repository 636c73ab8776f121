package platform

import (
	"net/http"
	"slices"
	"testing"

	"github.com/kalends/kalends/internal/args"
	store "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"

	"github.com/kalends/kalends/test/kit"
)

// again sends a request of the provider with an Idempotency-Key.
func again(k *kit.Kit, method, path, key string, body any) kit.Answer {
	return k.Send(kit.Request{Method: method, Path: "//platform/v1" + path, As: "Bearer " + kit.ProviderToken, JSON: body,
		Headers: map[string]string{"Idempotency-Key": key}})
}

// TestProviderRepeats: a request of the provider that comes again with its key is answered as the first time, per token (rules 20).
func TestProviderRepeats(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	replayed := func(about string, first, second kit.Answer) {
		t.Helper()
		if string(first.Raw) != string(second.Raw) || second.Header.Get("Idempotent-Replayed") != "true" || first.Header.Get("Idempotent-Replayed") != "" ||
			first.Header.Get("Etag") != second.Header.Get("Etag") || first.Header.Get("Location") != second.Header.Get("Location") {
			t.Errorf("%s: %v %s, first %v %s", about, second.Header, second.Raw, first.Header, first.Raw)
		}
	}
	site := kit.Object{"slug": "bonn", "name": "Bonn"}
	first := again(k, "POST", "/sites", "s-1", site).Want(t, 201, "")
	replayed("a site", first, again(k, "POST", "/sites", "s-1", site).Want(t, 201, ""))
	again(k, "POST", "/sites", "s-1", kit.Object{"slug": "koeln", "name": "Köln"}).Want(t, 422, "idempotency-key-reused")
	again(k, "POST", "/plans/big", "s-1", nil).Want(t, 405, "rest_method_not_allowed")
	again(k, "POST", "/sites", "", site).Want(t, 400, "rest_invalid_param")
	again(k, "POST", "/sites", "s-2", site).Want(t, 400, "rest_invalid_param")
	again(k, "POST", "/sites", "s-2", kit.Object{"slug": "koeln", "name": "Köln"}).Want(t, 201, "") // refusals are not kept

	change := kit.Object{"name": "Beethoven's Bonn"}
	changed := again(k, "PATCH", "/sites/bonn", "c-1", change).Want(t, 200, "")
	again(k, "PATCH", "/sites/bonn", "c-2", kit.Object{"name": "Bonn"}).Want(t, 200, "")
	replayed("a change", changed, again(k, "PATCH", "/sites/bonn", "c-1", change).Want(t, 200, ""))
	k.Provider("GET", "/sites/bonn", nil).Want(t, 200, "").Has(t, "name", "Bonn")

	person := kit.Object{"login": "anna", "email": "anna@example.org", "role": "editor"}
	made := again(k, "POST", "/sites/bonn/users", "u-1", person).Want(t, 201, "")
	again(k, "POST", "/sites/bonn/users", "u-1", person).Want(t, 409, "idempotency-secret-shown").Has(t, "data.id", made.ID())

	plan := kit.Object{"limits": kit.Object{"events": 5}}
	replayed("a plan", again(k, "PUT", "/plans/small", "p-1", plan).Want(t, 201, ""), again(k, "PUT", "/plans/small", "p-1", plan).Want(t, 201, ""))
	export := again(k, "POST", "/sites/bonn/exports", "e-1", nil).Want(t, 202, "")
	replayed("an export", export, again(k, "POST", "/sites/bonn/exports", "e-1", nil).Want(t, 202, ""))
	again(k, "POST", "/sites/bonn/exports", "e-2", nil).Want(t, 409, "export_under_way")

	gone := again(k, "DELETE", "/plans/small", "p-2", nil).Want(t, 200, "")
	replayed("what is gone", gone, again(k, "DELETE", "/plans/small", "p-2", nil).Want(t, 200, ""))

	_, token, err := k.Platform.Tokens.Create(tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "test"}), &accounts.TokenFields{Name: args.Some("another")})
	k.Must(err)
	other := k.Send(kit.Request{Method: "POST", Path: "//platform/v1/sites", As: "Bearer " + token, JSON: site,
		Headers: map[string]string{"Idempotency-Key": "s-1"}})
	other.Want(t, 400, "rest_invalid_param") // the key of one token is not that of another: the slug is taken
	k.Send(kit.Request{Method: "POST", Path: "//platform/v1/sites", As: "Bearer wrong", JSON: site,
		Headers: map[string]string{"Idempotency-Key": "s-1"}}).Want(t, 401, "rest_invalid_credentials")
}

// TestProviderRepeatsAfterAnEnd: a node that ends after the write and before its answer leaves a note, which the next request finds.
func TestProviderRepeatsAfterAnEnd(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	site := kit.Object{"slug": "bonn", "name": "Bonn"}
	person := kit.Object{"login": "anna", "email": "anna@example.org", "role": "editor"}
	plan := kit.Object{"limits": kit.Object{"events": 5}}
	again(k, "POST", "/sites", "s-1", site).Want(t, 201, "")
	made := again(k, "POST", "/sites/bonn/users", "u-1", person).Want(t, 201, "").ID()
	again(k, "PUT", "/plans/small", "p-1", plan).Want(t, 201, "")
	job := again(k, "POST", "/sites/bonn/exports", "e-1", nil).Want(t, 202, "").ID()
	k.Exec(`UPDATE provider_answers SET status = 0, headers = NULL, body = NULL`)
	again(k, "POST", "/sites", "s-1", site).Want(t, 201, "").Has(t, "slug", "bonn")
	again(k, "POST", "/sites/bonn/users", "u-1", person).Want(t, 409, "idempotency-secret-shown").Has(t, "data.id", made)
	again(k, "PUT", "/plans/small", "p-1", plan).Want(t, 201, "").Has(t, "name", "small")
	again(k, "POST", "/sites/bonn/exports", "e-1", nil).Want(t, 202, "").Has(t, "id", job)
	k.Provider("GET", "/jobs", nil).Want(t, 200, "").Has(t, "total", 1)
	k.Exec(`UPDATE provider_answers SET at = now() - interval '25 hours'`)
	again(k, "POST", "/sites", "s-1", site).Want(t, 400, "rest_invalid_param")
	k.Must(store.PurgeAnswers(t.Context(), k.DB.Engine()))
	if left := k.Across(`SELECT count(*)::text FROM provider_answers`); left != "0" {
		t.Errorf("%s old answers are left", left)
	}
}

// TestArchivesSentAgain: the fingerprint of an upload has its bytes.
func TestArchivesSentAgain(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	v := kit.NewVault(t)
	archive := v.Export("demo")
	send := func(data []byte, slug string) kit.Answer {
		return k.ProviderRequest("POST", "/imports?slug="+slug, kit.Sending(data), func(r *http.Request) { r.Header.Set("Idempotency-Key", "i-1") })
	}
	first := send(archive, "moved").Want(t, 202, "")
	if id := send(archive, "moved").Want(t, 202, "").ID(); id != first.ID() {
		t.Errorf("a second job: %d, first %d", id, first.ID())
	}
	send(append(slices.Clip(archive), 0), "moved").Want(t, 422, "idempotency-key-reused")
	send(archive, "elsewhere").Want(t, 422, "idempotency-key-reused")
	k.Work()
	k.Provider("GET", "/jobs", nil).Want(t, 200, "").Has(t, "total", 1)
	k.Provider("GET", "/sites/moved", nil).Want(t, 200, "")
}
