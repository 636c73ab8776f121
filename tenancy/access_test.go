package tenancy_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/kalends/kalends/tenancy"
)

func TestAccessNames(t *testing.T) {
	t.Parallel()
	names := tenancy.AccessNames()
	for i, name := range names {
		if a := tenancy.AccessOf([]string{name}); a != 1<<i || !slices.Equal(a.Names(), []string{name}) {
			t.Errorf("%s: %b", name, a)
		}
	}
	if a := tenancy.AccessOf([]string{"events:read", "all", ""}); a != tenancy.ReadEvents {
		t.Errorf("unknown names open %v", a.Names())
	}
	if last := tenancy.WriteSettings.Names(); len(last) != 1 || last[0] != "settings:write" {
		t.Errorf("the last: %v", last)
	}
	if n := len(tenancy.FullAccess.Names()); n != len(names) {
		t.Errorf("everything has %d names of %d", n, len(names))
	}
}

func TestReach(t *testing.T) {
	t.Parallel()
	person := tenancy.Principal{UserID: 1, Role: tenancy.Author}
	key := person
	key.Kind, key.Limits = tenancy.APIKey, &tenancy.KeyLimits{Access: tenancy.ReadEvents | tenancy.WriteEvents | tenancy.WriteTerms}
	if person.Reach(tenancy.WriteUsers) != nil || key.Reach(tenancy.WriteEvents) != nil {
		t.Error("refused what is open")
	}
	closed, ok := errors.AsType[*tenancy.AccessError](key.RequireFor(tenancy.ReadEvents|tenancy.WriteVenues, tenancy.EditOwn))
	if !ok || closed.Name() != "venues:write" {
		t.Errorf("lacks %v", closed)
	}
	if err := key.RequireFor(tenancy.WriteEvents, tenancy.EditOthers); err != tenancy.ErrForbidden {
		t.Errorf("beyond its owner: %v", err)
	}
	if person.ByPerson() != nil || key.ByPerson() != tenancy.ErrKeyMayNot {
		t.Error("a key is not a person")
	}
	if a := key.Access(); a != tenancy.ReadEvents|tenancy.WriteEvents|tenancy.WriteTerms {
		t.Errorf("open now: %v", a.Names())
	}
	key.Role, key.ReadOnly = tenancy.Contributor, true
	if a := key.Access(); a != tenancy.ReadEvents {
		t.Errorf("of a contributor, reading: %v", a.Names())
	}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{}, Principal: key})
	if wider := tenancy.Current(tenancy.Opening(ctx, tenancy.WriteVenues)).Principal; !wider.Opens(tenancy.WriteVenues) || key.Opens(tenancy.WriteVenues) {
		t.Error("opening is for one context")
	}
	if tenancy.Current(tenancy.Importing(ctx, 1)).Principal.Opens(tenancy.WriteVenues) {
		t.Error("a key that opens no imports imports")
	}
}
