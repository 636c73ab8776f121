package calendar

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
)

// Naming holds the names of a venue, organizer or term: its own name, and its names in other languages.
type Naming struct {
	Own string
	In  map[string]string // by language
}

// NamesOf returns the names of an item whose own fields have the name own.
func NamesOf(own string, t *Translated) Naming {
	n := Naming{Own: own}
	if t.Source != nil {
		n.Own = t.Source.Title
	}
	for language, text := range t.Texts.All() {
		if text.Title != "" {
			if n.In == nil {
				n.In = map[string]string{}
			}
			n.In[language] = text.Title
		}
	}
	return n
}

// Names returns the names of a venue in all languages.
func (v *Venue) Names() Naming { return NamesOf(v.Name, &v.Translated) }

// Names returns the names of an organizer in all languages.
func (o *Organizer) Names() Naming { return NamesOf(o.Name, &o.Translated) }

// Names returns the names of a term in all languages.
func (t *Term) Names() Naming { return NamesOf(t.Name, &t.Translated) }

// All returns all names, the own one first.
func (n Naming) All() []string {
	list := []string{n.Own}
	for _, name := range n.In {
		list = append(list, name)
	}
	return list
}

// Shown returns the name in the first of the languages that has one, and the own name if it differs from that.
func (n Naming) Shown(languages []string) (name, own string) {
	for _, language := range languages {
		if name = n.In[language]; name != "" && name != n.Own {
			return name, n.Own
		}
	}
	return n.Own, ""
}

// Label returns the name in the first of the languages that has one, with the own name in brackets if it differs.
func (n Naming) Label(languages []string) string {
	name, own := n.Shown(languages)
	if own != "" {
		name += " (" + own + ")"
	}
	return name
}

// Has reports whether one of the names is the given one, apart from case, accents and the like.
func (n Naming) Has(name string) bool {
	_, has := n.rank(wording.FoldName(name), nil)
	return has
}

// rank returns how well a folded name matches: 0 for the own name, then the languages in their order, then any
// other language.
func (n Naming) rank(folded string, languages []string) (int, bool) {
	if wording.FoldName(n.Own) == folded {
		return 0, true
	}
	for i, language := range languages {
		if name := n.In[language]; name != "" && wording.FoldName(name) == folded {
			return 1 + i, true
		}
	}
	for _, name := range n.In {
		if wording.FoldName(name) == folded {
			return 1 + len(languages), true
		}
	}
	return 0, false
}

// Meant returns the items of a list with a name. It searches their own names first, then the names in each of the
// languages in order, and finally the names in all other languages; it returns the items of the first search with a
// result. If it returns several items, the name is ambiguous.
func Meant[T any](list []T, name string, languages []string, names func(T) Naming) []T {
	var found []T
	best, folded := -1, wording.FoldName(name)
	for _, item := range list {
		switch rank, has := names(item).rank(folded, languages); {
		case !has, best >= 0 && rank > best:
		case rank == best:
			found = append(found, item)
		default:
			best, found = rank, []T{item}
		}
	}
	return found
}

// NameLanguages returns the languages in which names are searched after items' own names: those of the scope's
// texts, then that of its pages.
func NameLanguages(s *tenancy.Scope) []string {
	if s.Site == nil {
		return nil
	}
	return append(slices.Clone(s.Texts), s.Site.Texts(s.Language)...)
}

// Likeliest ranks matches by how well their names match the typed text, and returns the first n.
func Likeliest[T any](found []*T, typed string, n int, names func(*T) Naming) []*T {
	typed = strings.TrimSpace(wording.Fold(typed))
	fit := func(name string) int {
		switch folded := wording.Fold(name); {
		case folded == typed:
			return 0
		case strings.HasPrefix(folded, typed):
			return 1
		case wordBegins(folded, typed):
			return 2
		case strings.Contains(folded, typed):
			return 3
		}
		return 4
	}
	fits := func(item *T) int {
		best := 4
		for _, name := range names(item).All() {
			best = min(best, fit(name))
		}
		return best
	}
	slices.SortStableFunc(found, func(a, b *T) int {
		return cmp.Or(cmp.Compare(fits(a), fits(b)), cmp.Compare(wording.Fold(names(a).Own), wording.Fold(names(b).Own)))
	})
	return found[:min(n, len(found))]
}

// wordBegins reports whether a word of a text, other than the first, begins with the typed text.
func wordBegins(text, typed string) bool {
	parts := strings.Split(text, typed)
	return slices.ContainsFunc(parts[:len(parts)-1], func(before string) bool {
		last, _ := utf8.DecodeLastRuneInString(before)
		return !wording.InWord(last)
	})
}
