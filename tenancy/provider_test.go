package tenancy_test

import (
	"testing"

	"github.com/kalends/kalends/tenancy"
)

func TestEnter(t *testing.T) {
	t.Parallel()
	site := &tenancy.Site{ID: 3, Language: "de"}
	base := tenancy.Base{Origin: "https://calendars.example"}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Base: base, Language: "en"})
	_, err := tenancy.Enter(ctx, site)
	wantError(t, err, tenancy.ErrUnauthenticated)

	in, err := tenancy.Enter(tenancy.AsProvider(ctx, tenancy.Provider{}), site)
	if err != nil {
		t.Fatal(err)
	}
	scope, err := tenancy.From(in)
	if err != nil || scope.Site != site || scope.Base != base || scope.Language != "en" {
		t.Errorf("%+v, %v", scope, err)
	}
	if err := scope.Principal.Require(tenancy.ManageUsers | tenancy.EditOthers); err != nil {
		t.Errorf("the provider may not: %v", err)
	}
	if in, _ = tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{}), site); tenancy.Current(in).Language != "de" {
		t.Errorf("language %q", tenancy.Current(in).Language)
	}
}
