package args

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Form collects the fields of one form or query. A value is a text, or a branch for names with brackets (rule 3.1):
// name[], name[0], name[key], and nested ones.
type Form map[string]any

// branch is a list or an object under construction.
type branch struct {
	next    int // next index for name[]
	entries map[string]any
}

// maxBrackets is the maximum nesting of names; fields with deeper names are ignored.
const maxBrackets = 6

// ReadForm parses urlencoded pairs into values and overwrites existing ones.
func ReadForm(values Values, text string) {
	f := Form{}
	for text != "" {
		var pair string
		pair, text, _ = strings.Cut(text, "&")
		name, value, _ := strings.Cut(pair, "=")
		if n, err := url.QueryUnescape(name); err == nil {
			name = n
		}
		if v, err := url.QueryUnescape(value); err == nil {
			value = v
		}
		f.Add(name, value)
	}
	f.Into(values)
}

// Add adds one field.
func (f Form) Add(name, value string) {
	base, rest, nested := strings.Cut(name, "[")
	if base == "" {
		return
	}
	inside, closed := strings.CutSuffix(rest, "]")
	if !nested || !closed {
		f[name] = value
		return
	}
	keys := strings.Split(inside, "][")
	if len(keys) > maxBrackets {
		return
	}
	at, isBranch := f[base].(*branch)
	if !isBranch {
		at = &branch{}
		f[base] = at
	}
	at.add(keys, value)
}

func (b *branch) add(keys []string, value string) {
	key := keys[0]
	if key == "" {
		key = strconv.Itoa(b.next)
	}
	if n, ok := index(key); ok {
		b.next = max(b.next, n+1)
	}
	if b.entries == nil {
		b.entries = map[string]any{}
	}
	if len(keys) == 1 {
		b.entries[key] = value
		return
	}
	below, isBranch := b.entries[key].(*branch)
	if !isBranch {
		below = &branch{}
		b.entries[key] = below
	}
	below.add(keys[1:], value)
}

// index returns the number of a key that is a list index.
func index(key string) (int, bool) {
	n, err := strconv.Atoi(key)
	return n, err == nil && n >= 0 && n < 1<<20 && strconv.Itoa(n) == key
}

// Into moves the collected fields to values.
func (f Form) Into(values Values) {
	for name, value := range f {
		values[name] = settled(value)
	}
}

// settled converts a branch to a list if all its keys are list indexes, and to an object otherwise.
func settled(value any) any {
	b, isBranch := value.(*branch)
	if !isBranch {
		return value
	}
	var places []int
	object := make(map[string]any, len(b.entries))
	for key, entry := range b.entries {
		object[key] = settled(entry)
		if n, ok := index(key); ok {
			places = append(places, n)
		}
	}
	if len(places) < len(object) {
		return object
	}
	slices.Sort(places)
	list := make([]any, len(places))
	for i, n := range places {
		list[i] = object[strconv.Itoa(n)]
	}
	return list
}
