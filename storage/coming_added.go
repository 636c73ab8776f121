package storage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unique"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// answer is the value of an event in an extra field that visitors choose by, written as the field's key, =, and the value.
type answer struct{ unique.Handle[string] }

// The parts of a statement that read the answers of entries: addedKeys reads from the row of the site which fields visitors
// can choose by, and addedAnswers is the column with the answers of an event e.
const (
	addedKeys = `filters AS MATERIALIZED (
		SELECT array_agg(d ->> 'key') AS keys
		FROM sites s
		CROSS JOIN LATERAL jsonb_array_elements(s.fields) d
		WHERE s.id = $1
		  AND (d ->> 'filter')::boolean
		  AND NOT (d ->> 'archived')::boolean
	)`
	addedAnswers = `CASE WHEN e.fields IS NOT NULL THEN (
			SELECT array_agg(k || '=' || (e.fields ->> k))
			FROM unnest((SELECT keys FROM filters)) k
			WHERE e.fields ? k) END`
)

// readAnswers reads a column of answers, nil when there are none.
func readAnswers(f *pg.Fields) (list []answer) {
	f.Elements(func(b []byte) { list = append(list, answer{unique.Make(string(b))}) })
	return list
}

// field returns the kind of choice that the answer belongs to.
func (a answer) field() string {
	key, _, _ := strings.Cut(a.Value(), "=")
	return fieldKind(key)
}

// fieldKind returns the kind of choice for an extra field.
func fieldKind(key string) string { return "fields." + key }

// chooseAdded notes which answers are chosen.
func (k *census) chooseAdded(q calendar.EventQuery) {
	for _, one := range q.Fields {
		want := map[answer]bool{}
		for _, value := range one.Values {
			want[answer{unique.Make(one.Key + "=" + value)}] = true
		}
		k.choices = append(k.choices, made{fieldKind(one.Key), func(e *entry) bool {
			return slices.ContainsFunc(e.added, func(a answer) bool { return want[a] })
		}})
	}
}

// countAdded counts the answers of the n-th entry. Choosing a second value of a field finds more entries, not fewer.
func (k *census) countAdded(n int, e *entry, not string) {
	for _, a := range e.added {
		if not != "" && not != a.field() {
			continue
		}
		if k.added[a] == nil {
			k.added[a] = &amount{}
		}
		k.added[a].add(n)
	}
}

// collectAdded adds the answers that were counted to the facets, in order and by field.
func (k *census) collectAdded(f *calendar.Facets) {
	for _, a := range slices.SortedFunc(maps.Keys(k.added), func(a, b answer) int { return cmp.Compare(a.Value(), b.Value()) }) {
		if f.Fields == nil {
			f.Fields = map[string][]calendar.Facet{}
		}
		key, value, _ := strings.Cut(a.Value(), "=")
		f.Fields[key] = append(f.Fields[key], calendar.Facet{Slug: value, Count: k.added[a].n})
	}
}
