package calendar

import (
	"errors"
	"testing"

	"github.com/kalends/kalends/tenancy"
)

// Editors with an area change the venues and organizers that it names, and their own. Of others they are told that these are outside.
func TestPlacesOutsideAnArea(t *testing.T) {
	t.Parallel()
	p := tenancy.Principal{UserID: 5, Role: tenancy.Editor, Area: tenancy.Area{Venues: []int64{7}}}
	for _, c := range []struct {
		kind    string
		id, by  int64
		outside bool
	}{{"venue", 7, 1, false}, {"venue", 8, 1, true}, {"venue", 8, 5, false}, {"organizer", 7, 1, true}} {
		post := &Post{ID: c.id, Author: c.by, Status: Publish}
		post.Outside = OutsideArea(p, c.kind, post)
		if post.Outside != c.outside || MayEdit(p, post) == c.outside || errors.Is(Editable(p, post, nil), tenancy.ErrOutside) != c.outside {
			t.Errorf("%s %d by %d: %v, %v", c.kind, c.id, c.by, post.Outside, Editable(p, post, nil))
		}
	}
	author := tenancy.Principal{UserID: 5, Role: tenancy.Author, Area: p.Area}
	foreign := &Post{ID: 8, Author: 1, Status: Publish}
	foreign.Outside = OutsideArea(author, "venue", foreign)
	if err := Editable(author, foreign, nil); !errors.Is(err, tenancy.ErrForbidden) || errors.Is(err, tenancy.ErrOutside) {
		t.Errorf("an author may not change what others have made, whatever their area is: %v", err)
	}
	p.Area = tenancy.Area{}
	if post := (&Post{ID: 8, Author: 1}); OutsideArea(p, "venue", post) {
		t.Error("a venue is outside of the whole calendar")
	}
}
