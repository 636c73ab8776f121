package args

// Opt is an argument that may be absent, null or set. The zero value is absent.
type Opt[T any] struct {
	value T
	state state
}

type state uint8

const (
	absent state = iota
	null
	set
)

// Some returns an argument set to v.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, state: set} }

// Null returns an argument that was sent as null.
func Null[T any]() Opt[T] { return Opt[T]{state: null} }

// Given reports whether the argument was sent at all, as a value or as null.
func (o Opt[T]) Given() bool { return o.state != absent }

// IsNull reports whether the argument was sent as null.
func (o Opt[T]) IsNull() bool { return o.state == null }

// Get returns the value and whether there is one.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == set }

// Or returns the value, or other when the argument is absent or null.
func (o Opt[T]) Or(other T) T {
	if o.state == set {
		return o.value
	}
	return other
}

// Patch writes the argument into target: a value replaces it, null replaces it
// with zero, absence leaves it alone (rule 3.4).
func (o Opt[T]) Patch(target *T, zero T) {
	switch o.state {
	case set:
		*target = o.value
	case null:
		*target = zero
	case absent:
	}
}

// raw parses one argument of the request.
func (o *Opt[T]) raw(v any, f *Field, where string, found *Problems) {
	defer found.markWrongType(len(found.list), f.reportsWrongType(v))
	if v == nil || f.Blank && v == "" {
		o.state = null
		if f.NoNull {
			found.Invalid(where, "problem.null", nil)
		}
		return
	}
	if convert(&o.value, v, f, where, found) {
		o.state = set
	}
}

func (o *Opt[T]) zero() any { var v T; return v }
