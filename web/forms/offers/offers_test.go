package offers

import (
	"slices"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Each category is below its parent, in the order given, and none is lost whose parent is missing.
func TestTree(t *testing.T) {
	t.Parallel()
	term := func(id, parent int64, name string) *calendar.Term {
		made := &calendar.Term{Name: name, Parent: parent}
		made.ID = id
		return made
	}
	var labels []string
	for _, pair := range Indented(tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{}}), Tree([]*calendar.Term{term(4, 2, "Choir"), term(1, 0, "Market"), term(2, 0, "Music"), term(3, 2, "Organ"),
		term(5, 4, "Gospel"), term(6, 99, "Orphan")})) {
		labels = append(labels, pair.Name+" "+pair.Value)
	}
	want := []string{"1 Market", "2 Music", "4 – Choir", "5 – – Gospel", "3 – Organ", "6 Orphan"}
	if !slices.Equal(labels, want) {
		t.Errorf("%q, want %q", labels, want)
	}
}
