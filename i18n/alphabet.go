package i18n

import (
	"bytes"
	"slices"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// collators are those of the languages, by tag; each is for one goroutine at a time.
var collators sync.Map

// collatorOf returns a pool of what compares the names of a language.
func collatorOf(lang string) *sync.Pool {
	pool, known := collators.Load(lang)
	if !known {
		pool, _ = collators.LoadOrStore(lang, &sync.Pool{New: func() any {
			return collate.New(language.Make(lang), collate.IgnoreCase, collate.Numeric)
		}})
	}
	return pool.(*sync.Pool)
}

// InOrder puts what has names in the order in which a language has them: in Swedish ö comes
// behind z, in German beside o. Numbers in names count as numbers, letter case doesn't (ADR 69).
func InOrder[T any](lang string, list []T, name func(T) string) {
	type keyed struct {
		item T
		key  []byte
	}
	pool := collatorOf(lang)
	of, buffer := pool.Get().(*collate.Collator), &collate.Buffer{}
	defer pool.Put(of)
	all := make([]keyed, len(list))
	for i, item := range list {
		all[i] = keyed{item, of.KeyFromString(buffer, name(item))}
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return bytes.Compare(a.key, b.key) })
	for i := range all {
		list[i] = all[i].item
	}
}
