package calendar

import (
	"fmt"
	"testing"
)

// A name means the entries that have it in their own fields, then those that have it in the language of the reader, then any.
func TestMeant(t *testing.T) {
	t.Parallel()
	list := []Naming{
		{Own: "Town Hall", In: map[string]string{"de": "Rathaus", "fr": "Mairie"}},
		{Own: "Mairie"},
		{Own: "Museum of the Lake", In: map[string]string{"de": "Seemuseum", "fr": "Musée du lac"}},
		{Own: "Old museum", In: map[string]string{"de": "Museum", "fr": "Seemuseum"}},
		{Own: "City Library"},
		{Own: "City Library", In: map[string]string{"de": "Große Bücherei"}},
	}
	for _, c := range []struct {
		name      string
		languages []string
		want      string
	}{
		{"town  hall", nil, "[Town Hall]"},
		{"RATHAUS", []string{"de"}, "[Town Hall]"},
		{"Rathaus", nil, "[Town Hall]"},
		{"Mairie", []string{"fr"}, "[Mairie]"},
		{"musee du lac", nil, "[Museum of the Lake]"},
		{"Seemuseum", []string{"de"}, "[Museum of the Lake]"},
		{"Seemuseum", []string{"fr"}, "[Old museum]"},
		{"Seemuseum", nil, "[Museum of the Lake Old museum]"},
		{"City Library", []string{"de"}, "[City Library City Library]"},
		{"Grosse Bucherei", nil, "[City Library]"},
		{"Theatre", []string{"de"}, "[]"},
	} {
		var own []string
		for _, n := range Meant(list, c.name, c.languages, func(n Naming) Naming { return n }) {
			own = append(own, n.Own)
		}
		if got := fmt.Sprint(own); got != c.want {
			t.Errorf("%s in %v: %s, want %s", c.name, c.languages, got, c.want)
		}
	}
	if got := list[0].Label([]string{"it", "de"}) + ", " + list[0].Label(nil) + ", " + list[1].Label([]string{"de"}); got != "Rathaus (Town Hall), Town Hall, Mairie" {
		t.Error(got)
	}
}
