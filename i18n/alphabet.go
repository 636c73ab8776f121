package i18n

import (
	"bytes"
	"slices"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// collators are the pools of collators by language tag. A collator is not safe for concurrent use.
var collators sync.Map

// collatorOf returns the pool of collators of a language.
func collatorOf(lang string) *sync.Pool {
	pool, known := collators.Load(lang)
	if !known {
		pool, _ = collators.LoadOrStore(lang, &sync.Pool{New: func() any {
			return collate.New(language.Make(lang), collate.IgnoreCase, collate.Numeric)
		}})
	}
	return pool.(*sync.Pool)
}

// InOrder sorts items by name in the order of a language: in Swedish ö comes after z, in German with o. Numbers in
// names are compared by value, letter case is ignored (ADR 69).
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
