package services

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// forgive makes the search of a query find other forms of its words, best matches first. It is for pages: the API finds only
// the words themselves.
func (s Events) forgive(ctx context.Context, q *calendar.EventQuery) error {
	if len(q.Search.Words) == 0 {
		return nil
	}
	q.OrderBy = calendar.ByRelevance
	return s.loosen(ctx, q)
}

// loosen makes the search of a query find other forms of its words.
func (s Events) loosen(ctx context.Context, q *calendar.EventQuery) error {
	words := q.Search.Inflected()
	if len(words) == 0 {
		return nil
	}
	stems, err := s.store.Events().Stems(ctx, spoken(tenancy.Current(ctx)), words)
	if err != nil {
		return fmt.Errorf("read the stems of words: %w", err)
	}
	q.Search = q.Search.Loosened(stems)
	return nil
}

// spoken returns the languages in which people may search: that of the page and that of the site.
func spoken(scope *tenancy.Scope) []string {
	return slices.Compact([]string{scope.Language, scope.Site.Language})
}

// Guesses returns what a search that found nothing probably means, best first: up to most searches with words from titles and
// names that everyone may read.
func (s Events) Guesses(ctx context.Context, search string, most int) ([]wording.Guess, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	q, err := (&calendar.EventFilter{Search: args.Some(search)}).Query(scope, s.Now())
	if err != nil {
		return nil, unknown(err)
	}
	words := q.Search
	if len(words.Words) == 0 || len(words.Without)+len(words.Quoted) > 0 {
		return nil, nil // quoted words are not corrected
	}
	known, err := s.store.Events().Vocabulary(ctx, q.Texts.In)
	if err != nil {
		return nil, fmt.Errorf("read the words of a site: %w", err)
	}
	stems, err := s.store.Events().Stems(ctx, spoken(scope), words.Words)
	if err != nil {
		return nil, fmt.Errorf("read the stems of words: %w", err)
	}
	first := make([]string, len(words.Words))
	for i, word := range words.Words {
		if of := stems[word]; len(of) > 0 {
			first[i] = wording.Fold(of[0])
		}
	}
	return known.Guesses(words.Words, first, most), nil
}

// CityIn returns the city that a search names, as venues write it, and the rest of the search. The city is "" if there is
// none.
func (s Events) CityIn(ctx context.Context, c *calendar.Choice) (city, rest string, err error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return "", "", err
	}
	q, err := c.Query(scope, s.Now())
	if err != nil {
		return "", "", unknown(err)
	}
	search := c.Search.Or("")
	if len(q.Search.Words) == 0 || len(q.Search.Without) > 0 || strings.Contains(search, `"`) {
		return "", "", nil
	}
	if err := s.loosen(ctx, &q); err != nil {
		return "", "", err
	}
	cities, err := s.store.Events().Cities(ctx, q)
	if err != nil {
		return "", "", fmt.Errorf("read the cities that a search names: %w", err)
	}
	words := strings.Fields(search)
	for _, name := range cities {
		folded := strings.Fields(wording.Fold(name))
		for i := 0; i+len(folded) <= len(words); i++ {
			if wording.Fold(strings.Join(words[i:i+len(folded)], " ")) == strings.Join(folded, " ") {
				return name, strings.Join(slices.Concat(words[:i], words[i+len(folded):]), " "), nil
			}
		}
	}
	return "", "", nil
}
