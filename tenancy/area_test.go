package tenancy

import (
	"context"
	"testing"
)

// Editors, authors and contributors have an area; administrators write the whole calendar (ADR 208).
func TestAreaByRole(t *testing.T) {
	t.Parallel()
	for _, role := range Roles() {
		u := &User{ID: 1, Role: role, Area: Area{Venues: []int64{3}}}
		if limited := role == Editor || role == Author || role == Contributor; u.Principal().Limited() != limited {
			t.Errorf("%s: limited is %v", role, !limited)
		}
	}
}

// A site with review takes the right to publish from authors, and nothing from anybody else (rule 2.3).
func TestReviewTakesPublishing(t *testing.T) {
	t.Parallel()
	for _, review := range []bool{false, true} {
		for _, role := range Roles() {
			ctx := With(context.Background(), Scope{Site: &Site{Settings: Settings{Review: review}}, Principal: Principal{UserID: 1, Role: role}})
			want := role.Rights()
			if review && role == Author {
				want &^= Publish
			}
			p := Current(ctx).Principal
			if p.Rights() != want || p.May(Publish) != (want&Publish != 0) || p.MayRead(Publish) != (want&Publish != 0) {
				t.Errorf("%s, review %v: %b, want %b", role, review, p.Rights(), want)
			}
		}
	}
}
