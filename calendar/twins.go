package calendar

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar/wording"
)

// Mark has the fields by which venues or organizers are compared, to find duplicates.
type Mark struct {
	ID                       int64
	Name, City, Zip, Address string // organizers have only a name
	Lat, Lng                 *float64
	Apart                    []int64 // items that somebody has said are others
}

// Likeness is the reason why items may be the same.
type Likeness string

// The reasons, the strongest first. Items of the first two are in the same town, have the same postcode or street, or nothing is known of
// where they are.
const (
	SameName    Likeness = "name"
	SimilarName Likeness = "similar"
	SameSpot    Likeness = "spot" // the same coordinates
)

// Twins are items that may be the same, each because of another one of them.
type Twins struct {
	Why   Likeness
	Items []Mark
}

// Limits of the search for twins.
const (
	MostMarks   = 20_000 // items of a site that are compared, the newest ones
	mostTwins   = 1_000  // groups
	mostSharing = 20     // items with one key that each other item with it is compared with
	mostAtSpot  = 4      // items with the same coordinates; more of them have those of their town, or are in one building
	longestName = 150    // bytes of a name in which mistyped letters are looked for
)

// FindTwins returns groups of items that may be the same, in the order of their names. It compares items that share a key, so that
// its costs grow with the number of items, not with its square.
func FindTwins(list []Mark) []Twins {
	f := &twinFinder{items: make([]folded, 0, len(list)), group: make([]int, len(list)), why: map[int]Likeness{}, spots: map[string]int{},
		seed: maphash.MakeSeed()}
	for i := range list {
		f.items = append(f.items, foldedOf(&list[i]))
		f.group[i] = i
		f.spots[f.items[i].spot]++
	}
	f.compare(SameName, f.byName, func(a, b *folded) bool { return slices.Equal(a.words, b.words) })
	f.compare(SimilarName, f.byTypo, mistyped)
	f.compare(SameSpot, f.bySpot, func(a, b *folded) bool { return a.spot == b.spot })
	return f.groups()
}

// folded is an item as it is compared.
type folded struct {
	*Mark
	words  []string // sorted, without those of the town
	places []string // the town, the postcode and the street; one "" if nothing is known
	spot   string   // the coordinates, to about ten metres; "": unknown
}

func foldedOf(m *Mark) folded {
	split := func(text string) []string {
		return strings.FieldsFunc(wording.FoldName(text), func(r rune) bool { return !wording.InWord(r) })
	}
	f := folded{Mark: m, words: split(m.Name)}
	if len(f.words) == 0 {
		f.words = []string{wording.FoldName(m.Name)}
	}
	city := split(m.City)
	if own := slices.DeleteFunc(slices.Clone(f.words), func(word string) bool { return slices.Contains(city, word) }); len(own) > 0 {
		f.words = own
	}
	slices.Sort(f.words)
	for kind, text := range []string{strings.Join(city, " "), strings.Join(split(m.Zip), " "), strings.Join(split(m.Address), " ")} {
		if text != "" {
			f.places = append(f.places, fmt.Sprint(kind, text))
		}
	}
	if len(f.places) == 0 {
		f.places = []string{""}
	}
	if m.Lat != nil && m.Lng != nil {
		f.spot = fmt.Sprintf("%.4f %.4f", *m.Lat, *m.Lng)
	}
	return f
}

// twinFinder joins items to groups.
type twinFinder struct {
	items []folded
	group []int            // an earlier item of the group of each, or the item itself
	why   map[int]Likeness // of a group, by its first item
	spots map[string]int   // how many items have the same coordinates
	seed  maphash.Seed
	keys  []sharedKey
}

// sharedKey is the digest of a key of an item.
type sharedKey struct {
	key  uint64
	item int
}

// compare joins the items that have a key in common and are the same.
func (f *twinFinder) compare(why Likeness, keys func(i int), same func(a, b *folded) bool) {
	f.keys = f.keys[:0]
	for i := range f.items {
		keys(i)
	}
	slices.SortFunc(f.keys, func(a, b sharedKey) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.item, b.item)) })
	first := 0
	for n, one := range f.keys {
		if one.key != f.keys[first].key {
			first = n
		}
		for _, other := range f.keys[first:min(n, first+mostSharing)] {
			a, b := &f.items[one.item], &f.items[other.item]
			if f.first(one.item) != f.first(other.item) && !slices.Contains(a.Apart, b.ID) && !slices.Contains(b.Apart, a.ID) &&
				same(a, b) {
				f.join(one.item, other.item, why)
			}
		}
	}
}

// add gives an item a key, which is these parts together.
func (f *twinFinder) add(i int, parts ...string) {
	var h maphash.Hash
	h.SetSeed(f.seed)
	for _, part := range parts {
		_, _ = h.WriteString(part)
	}
	f.keys = append(f.keys, sharedKey{h.Sum64(), i})
}

func (f *twinFinder) byName(i int) {
	for _, place := range f.items[i].places {
		f.add(i, place, "\n", strings.Join(f.items[i].words, " "))
	}
}

// byTypo compares items in one town, or else in one place, whose names are equal once a letter is left out of a word in one or both.
func (f *twinFinder) byTypo(i int) {
	one := &f.items[i]
	if len(one.Name) > longestName {
		return
	}
	for at, word := range one.words {
		if strings.ContainsAny(word, "0123456789") || utf8.RuneCountInString(word) < wording.NearlyFrom {
			continue // another number is another hall
		}
		others := strings.Join(slices.Concat(one.words[:at], one.words[at+1:]), " ") + "\n"
		f.add(i, one.places[0], "\n", others, word)
		for from, letter := range word {
			f.add(i, one.places[0], "\n", others, word[:from], word[from+utf8.RuneLen(letter):])
		}
	}
}

// mistyped reports whether the names of two items differ in one word, which is nearly the same.
func mistyped(a, b *folded) bool {
	x := slices.DeleteFunc(slices.Clone(a.words), func(word string) bool { return slices.Contains(b.words, word) })
	y := slices.DeleteFunc(slices.Clone(b.words), func(word string) bool { return slices.Contains(a.words, word) })
	return len(x) == 1 && len(y) == 1 && len(a.words) == len(b.words) && wording.Nearly(x[0], y[0])
}

func (f *twinFinder) bySpot(i int) {
	if spot := f.items[i].spot; spot != "" && f.spots[spot] <= mostAtSpot {
		f.add(i, spot)
	}
}

func (f *twinFinder) first(i int) int {
	for f.group[i] != i {
		f.group[i] = f.group[f.group[i]]
		i = f.group[i]
	}
	return i
}

// join puts two items into the same group, whose reason is the strongest.
func (f *twinFinder) join(i, other int, why Likeness) {
	a, b := f.first(i), f.first(other)
	if a > b {
		a, b = b, a
	}
	f.group[b] = a
	for _, is := range []Likeness{SameName, SimilarName, SameSpot} {
		if why == is || f.why[a] == is || f.why[b] == is {
			f.why[a] = is
			break
		}
	}
}

// groups returns the groups.
func (f *twinFinder) groups() []Twins {
	at := map[int]int{}
	var list []Twins
	for i := range f.items {
		first := f.first(i)
		if f.why[first] == "" {
			continue
		}
		n, known := at[first]
		if !known {
			n = len(list)
			at[first], list = n, append(list, Twins{Why: f.why[first]})
		}
		list[n].Items = append(list[n].Items, *f.items[i].Mark)
	}
	for _, one := range list {
		slices.SortFunc(one.Items, func(a, b Mark) int { return cmp.Compare(a.ID, b.ID) })
	}
	slices.SortFunc(list, func(a, b Twins) int {
		return cmp.Or(
			strings.Compare(wording.FoldName(a.Items[0].Name), wording.FoldName(b.Items[0].Name)),
			cmp.Compare(a.Items[0].ID, b.Items[0].ID),
		)
	})
	return list[:min(len(list), mostTwins)]
}
