package forms

import (
	"context"
	"testing"

	"github.com/kalends/kalends/tenancy"
)

// inLanguage is a context of a public site in Berlin.
func inLanguage(t *testing.T, language string) context.Context {
	t.Helper()
	site := &tenancy.Site{Name: "Demo", Language: "en", Settings: tenancy.DefaultSettings()}
	site.SetTimezone("Europe/Berlin")
	return tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: language, Base: tenancy.Base{Origin: "https://demo.example.org"}})
}
