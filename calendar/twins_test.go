package calendar

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// twinsOf writes the groups as "why id id".
func twinsOf(list []Mark) []string {
	var texts []string
	for _, one := range FindTwins(list) {
		text := string(one.Why)
		for _, m := range one.Items {
			text += fmt.Sprint(" ", m.ID)
		}
		texts = append(texts, text)
	}
	return texts
}

// Venues may be the same that have the same or nearly the same name in the same place, or the same coordinates, unless somebody has said
// that they are not.
func TestFindTwins(t *testing.T) {
	t.Parallel()
	spot := func(m Mark, lat, lng float64) Mark { m.Lat, m.Lng = &lat, &lng; return m }
	for name, c := range map[string]struct {
		list []Mark
		want string
	}{
		"case, accents and blanks":   {[]Mark{{ID: 1, Name: "Café  Zoo", City: "Bonn"}, {ID: 2, Name: "cafe zoo", City: "BONN"}, {ID: 3, Name: "Cafe Zoo", City: "Köln"}}, "name 1 2"},
		"the same postcode":          {[]Mark{{ID: 1, Name: "Zoo", City: "Bonn", Zip: "53111"}, {ID: 2, Name: "Zoo", Zip: "53111"}}, "name 1 2"},
		"the same street":            {[]Mark{{ID: 1, Name: "Zoo", City: "Bonn", Address: "Park Lane 3"}, {ID: 2, Name: "Zoo", Address: "Park lane 3."}}, "name 1 2"},
		"the town in the name":       {[]Mark{{ID: 1, Name: "Town Hall Bonn", City: "Bonn"}, {ID: 2, Name: "Town hall", City: "Bonn"}, {ID: 3, Name: "Bonn", City: "Bonn"}}, "name 1 2"},
		"another order":              {[]Mark{{ID: 1, Name: "Zoo, Haus Nord", City: "Bonn"}, {ID: 2, Name: "Haus Nord (Zoo)", City: "Bonn"}}, "name 1 2"},
		"a letter is missing":        {[]Mark{{ID: 1, Name: "Stadtbibliothek", City: "Bonn"}, {ID: 2, Name: "Stadtbibilothek", City: "Bonn"}, {ID: 3, Name: "Stadtbiblothek", City: "Köln"}}, "similar 1 2"},
		"two spellings":              {[]Mark{{ID: 1, Name: "Müllers Mühle", City: "Bonn"}, {ID: 2, Name: "Muellers Mühle", City: "Bonn"}}, "similar 1 2"},
		"another number or letter":   {[]Mark{{ID: 1, Name: "Halle 1", City: "Bonn"}, {ID: 2, Name: "Halle 2", City: "Bonn"}, {ID: 3, Name: "Saal A", City: "Bonn"}, {ID: 4, Name: "Saal B", City: "Bonn"}}, ""},
		"a part of the name":         {[]Mark{{ID: 1, Name: "Museum", City: "Bonn"}, {ID: 2, Name: "Museum cafe", City: "Bonn"}}, ""},
		"nothing is known of both":   {[]Mark{{ID: 1, Name: "Park"}, {ID: 2, Name: "park"}, {ID: 3, Name: "Park", City: "Bonn"}}, "name 1 2"},
		"the same coordinates":       {[]Mark{spot(Mark{ID: 1, Name: "Old mill", City: "Bonn"}, 50.123456, 7.1), spot(Mark{ID: 2, Name: "Culture house", City: "Beuel"}, 50.123451, 7.1), spot(Mark{ID: 3, Name: "Far"}, 50.2, 7.1)}, "spot 1 2"},
		"those of a town":            {[]Mark{spot(Mark{ID: 1, Name: "A"}, 50, 7), spot(Mark{ID: 2, Name: "B"}, 50, 7), spot(Mark{ID: 3, Name: "C"}, 50, 7), spot(Mark{ID: 4, Name: "D"}, 50, 7), spot(Mark{ID: 5, Name: "E"}, 50, 7)}, ""},
		"several":                    {[]Mark{{ID: 1, Name: "Kirche", City: "Bonn"}, {ID: 2, Name: "Kirsche", City: "Bonn"}, {ID: 3, Name: "Kirche", City: "Bonn"}}, "name 1 2 3"},
		"others":                     {[]Mark{{ID: 1, Name: "Zoo", City: "Bonn", Apart: []int64{9, 2}}, {ID: 2, Name: "Zoo", City: "Bonn"}}, ""},
		"others, but not from all":   {[]Mark{{ID: 1, Name: "Zoo", City: "Bonn", Apart: []int64{2}}, {ID: 2, Name: "Zoo", City: "Bonn"}, {ID: 3, Name: "Zoo", City: "Bonn"}}, "name 1 2 3"},
		"in the order of their name": {[]Mark{{ID: 1, Name: "Zoo"}, {ID: 2, Name: "Bar"}, {ID: 3, Name: "bar"}, {ID: 4, Name: "zoo"}}, "name 2 3, name 1 4"},
		"no words":                   {[]Mark{{ID: 1, Name: "!!"}, {ID: 2, Name: "??"}}, ""},
	} {
		if got := strings.Join(twinsOf(c.list), ", "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// manyMarks are n venues in as many towns as there are towns, of which every tenth has a double.
func manyMarks(n, towns int) []Mark {
	words := strings.Fields("Stadthalle Kulturhaus Bibliothek Rathaus Museum Theater Konzertsaal Sportplatz Gemeindezentrum Kirche Schlossgarten Bahnhof Werkstatt Galerie Kino")
	random := rand.New(rand.NewPCG(1, 2))
	list := make([]Mark, 0, n)
	for i := range n {
		if i%10 == 9 {
			double := list[i-1]
			double.ID = int64(i + 1)
			list = append(list, double)
			continue
		}
		lat, lng := 47+random.Float64(), 9+random.Float64()
		list = append(list, Mark{ID: int64(i + 1), Name: words[i%len(words)] + " " + words[random.IntN(len(words))] + fmt.Sprint(" ", i), Lat: &lat, Lng: &lng,
			City: fmt.Sprint("Town ", i%towns), Zip: fmt.Sprint(10000 + i%towns), Address: fmt.Sprint("Main Street ", random.IntN(300))})
	}
	return list
}

// The costs do not explode if all venues are in one town, or have one name.
func TestFindTwinsOfMany(t *testing.T) {
	t.Parallel()
	for _, towns := range []int{1, 500} {
		if got := len(FindTwins(manyMarks(10_000, towns))); got != 1000 {
			t.Errorf("%d groups in %d towns", got, towns)
		}
	}
	same := make([]Mark, MostMarks)
	for i := range same {
		same[i] = Mark{ID: int64(i + 1), Name: "Stadthalle Bibliothek Kulturhaus", City: "Bonn"}
	}
	if got := FindTwins(same); len(got) != 1 || len(got[0].Items) != MostMarks {
		t.Errorf("%d groups of one name", len(got))
	}
}

func BenchmarkFindTwins(b *testing.B) {
	list := manyMarks(10_000, 50)
	b.ReportAllocs()
	for b.Loop() {
		FindTwins(list)
	}
}
