package calendar

import (
	"context"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// suggestPool is the number of matches that are ranked. With more matches, people keep typing.
const suggestPool = 100

// Suggest returns up to n items whose texts match the typed text, best first: the exact name, names that begin with it, names
// with a word that begins with it, the rest.
func (s Places[T, F]) Suggest(ctx context.Context, typed string, n int) ([]*T, error) {
	page, err := s.ListLong(ctx, &PlaceFilter{Search: args.Some(typed)}, suggestPool)
	return likeliest(page.Items, typed, n, s.kind.title), err
}

// Suggest is Places.Suggest for terms, including those without events.
func (s Terms) Suggest(ctx context.Context, typed string, n int) ([]*Term, error) {
	f := &CategoryFilter{}
	f.HideEmpty = args.Some(false)
	if strings.TrimSpace(typed) != "" {
		f.Search = args.Some(strings.TrimSpace(typed))
	}
	page, err := s.ListLong(ctx, f, suggestPool)
	return likeliest(page.Items, typed, n, func(t *Term) string { return t.Name }), err
}

// likeliest ranks matches by how well their names fit the typed text, and returns the first n.
func likeliest[T any](found []*T, typed string, n int, name func(*T) string) []*T {
	typed = strings.TrimSpace(wording.Fold(typed))
	fits := func(item *T) int {
		switch folded := wording.Fold(name(item)); {
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
	sort.SliceStable(found, func(i, j int) bool {
		if a, b := fits(found[i]), fits(found[j]); a != b {
			return a < b
		}
		return wording.Fold(name(found[i])) < wording.Fold(name(found[j]))
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
