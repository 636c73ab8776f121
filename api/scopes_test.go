package api_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/wordpress"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/tenancy"
)

// Every route says what a key has to open for it: a read something that reads, a write something that writes.
func TestRoutesSayWhatKeysOpen(t *testing.T) {
	t.Parallel()
	a := api.New(services.New(nil, nil, nil))
	var without []string
	used := tenancy.NoAccess
	for _, r := range slices.Concat(a.Routes(), wordpress.New(a, nil).Routes()) {
		name := strings.Join(r.Methods, ",") + " " + r.Path
		if r.Access == nil {
			without = append(without, name)
			continue
		}
		used |= *r.Access
		names := r.Access.Names()
		reads := r.Methods[0] == "GET"
		for _, scope := range names {
			if reads && strings.HasSuffix(scope, ":write") && scope != "imports:write" && scope != "sources:write" && scope != "webhooks:write" {
				t.Errorf("%s reads and takes %s", name, scope)
			}
			if !reads && strings.HasSuffix(scope, ":read") {
				t.Errorf("%s writes and takes only %s", name, scope)
			}
		}
		if len(names) == 0 && !reads {
			t.Errorf("%s writes and takes nothing", name)
		}
	}
	if len(without) > 0 {
		t.Errorf("these routes don't say what a key has to open (Route.By):\n%s", strings.Join(without, "\n"))
	}
	for _, scope := range []tenancy.Access{tenancy.ReadEvents, tenancy.WriteEvents, tenancy.WriteTerms, tenancy.ReadChanges, tenancy.WriteSubmissions} {
		if used&scope == 0 {
			t.Errorf("no route takes %v", scope.Names())
		}
	}
}
