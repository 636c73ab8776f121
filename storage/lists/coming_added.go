package lists

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unique"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// answer is an event's value in an extra field that visitors can filter by, as key=value.
type answer struct{ unique.Handle[string] }

// The parts of a statement that read the answers of entries: addedKeys reads from the row of the site the fields
// that visitors can filter by, and addedAnswers is the column with the answers of an event e.
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

// field returns the kind of choice for the field of the answer.
func (a answer) field() string {
	key, _, _ := strings.Cut(a.Value(), "=")
	return fieldKind(key)
}

// fieldKind returns the kind of choice for an extra field.
func fieldKind(key string) string { return "fields." + key }

// chooseAdded records which answers the visitor has chosen.
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

// countAdded counts the answers of entry number n. If the entry misses a single choice, of the kind not, only
// answers of that kind count: choosing a second value of the same field would find the entry.
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

// collectAdded adds the answers that were counted to the facets, in order, grouped by field.
func (k *census) collectAdded(f *calendar.Facets) {
	for _, a := range slices.SortedFunc(maps.Keys(k.added), func(a, b answer) int { return cmp.Compare(a.Value(), b.Value()) }) {
		if f.Fields == nil {
			f.Fields = map[string][]calendar.Facet{}
		}
		key, value, _ := strings.Cut(a.Value(), "=")
		f.Fields[key] = append(f.Fields[key], calendar.Facet{Slug: value, Count: k.added[a].n})
	}
}
