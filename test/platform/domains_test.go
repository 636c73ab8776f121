package platform

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Whether a name is one of a site's is told to whoever asks, at any host, and
// nothing else.
func TestAskForDomains(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Patch("//platform/v1/sites/demo", "Bearer "+kit.ProviderToken, map[string]any{"domains": []string{"own.example"}}).Want(t, http.StatusOK, "")
	for name, status := range map[string]int{"own.example": 200, "demo.localhost": 200, "other.example": 404, "": 404} {
		for _, host := range []string{"localhost", "own.example", "127.0.0.1:8080"} {
			r := httptest.NewRequest(http.MethodGet, "/platform/v1/domains/ask?domain="+name, nil)
			r.Host = host
			res, err := k.App.Test(r, -1)
			k.Must(err)
			_ = res.Body.Close()
			if res.StatusCode != status || res.ContentLength > 0 {
				t.Errorf("%q at %s: %d, %d bytes", name, host, res.StatusCode, res.ContentLength)
			}
		}
	}
	k.Post("//platform/v1/sites/demo/domains", "Bearer "+kit.ProviderToken, map[string]any{"domain": "own.example"}).Want(t, http.StatusBadRequest, "rest_invalid_param")
	k.Del("//platform/v1/sites/demo/domains/none.example", "Bearer "+kit.ProviderToken).Want(t, http.StatusNotFound, "rest_domain_not_found")
}
