package services

import (
	"context"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// suggestPool is the number of matches that are ranked. With more matches, people keep typing.
const suggestPool = 100

// Suggest returns up to n items whose texts in any language match the typed text, best first: the exact name, then
// names that begin with it, names with a word that begins with it, and the others.
func (s Places[T, F]) Suggest(ctx context.Context, typed string, n int) ([]*T, error) {
	page, err := s.ListLong(ctx, &calendar.PlaceFilter{Search: args.Some(typed), Speaking: calendar.Speaking{Every: true}}, suggestPool)
	return calendar.Likeliest(page.Items, typed, n, s.kind.Names), err
}

// Suggest is Places.Suggest for terms, including those without events.
func (s Terms) Suggest(ctx context.Context, typed string, n int) ([]*calendar.Term, error) {
	f := &calendar.CategoryFilter{}
	f.HideEmpty, f.Every = args.Some(false), true
	if strings.TrimSpace(typed) != "" {
		f.Search = args.Some(strings.TrimSpace(typed))
	}
	page, err := s.ListLong(ctx, f, suggestPool)
	return calendar.Likeliest(page.Items, typed, n, (*calendar.Term).Names), err
}

// mostNamesakes is the maximum number of items among which Called looks for a name.
const mostNamesakes = 50

// Called returns the items with a name that the principal may see, as found by Meant with the languages of readers.
// It searches the names in all languages.
func (s Places[T, F]) Called(ctx context.Context, name string, languages []string) ([]*T, error) {
	if wording.FoldName(name) == "" {
		return nil, nil
	}
	f := &calendar.PlaceFilter{Search: args.Some(wording.Phrase(name)), Speaking: calendar.Speaking{Every: true}}
	page, err := s.ListLong(ctx, f, mostNamesakes)
	return calendar.Meant(page.Items, name, languages, s.kind.Names), err
}
