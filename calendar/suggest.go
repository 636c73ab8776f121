package calendar

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// suggestPool is the number of matches that are ranked. With more matches, people keep typing.
const suggestPool = 100

// Suggest returns up to n items whose texts in any language match the typed text, best first: the exact name, then
// names that begin with it, names with a word that begins with it, and the others.
func (s Places[T, F]) Suggest(ctx context.Context, typed string, n int) ([]*T, error) {
	page, err := s.ListLong(ctx, &PlaceFilter{Search: args.Some(typed), Speaking: Speaking{Every: true}}, suggestPool)
	return likeliest(page.Items, typed, n, s.kind.names), err
}

// Suggest is Places.Suggest for terms, including those without events.
func (s Terms) Suggest(ctx context.Context, typed string, n int) ([]*Term, error) {
	f := &CategoryFilter{}
	f.HideEmpty, f.Every = args.Some(false), true
	if strings.TrimSpace(typed) != "" {
		f.Search = args.Some(strings.TrimSpace(typed))
	}
	page, err := s.ListLong(ctx, f, suggestPool)
	return likeliest(page.Items, typed, n, (*Term).Names), err
}

// wordBegins reports whether a word of a text, other than the first, begins with the typed text.
func wordBegins(text, typed string) bool {
	parts := strings.Split(text, typed)
	return slices.ContainsFunc(parts[:len(parts)-1], func(before string) bool {
		last, _ := utf8.DecodeLastRuneInString(before)
		return !wording.InWord(last)
	})
}
