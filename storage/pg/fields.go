package pg

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"
	"unsafe"

	"github.com/jackc/pgx/v5"
)

// Fields reads the columns of a row, or the fields of a record within one, in the order they were selected. It
// reads the binary format of Postgres, because an event with its linked items has about a hundred fields and lists
// have many events. Null reads as the zero value. Err returns the first error. The zero Fields is empty until Row
// is called.
//
// The bytes it reads are never overwritten, so texts are not copied out of them.
type Fields struct {
	raw   [][]byte
	at    int
	err   error
	inner *Fields // reused for nested records
}

// RowFields returns the columns of the current row of rows.
func RowFields(rows pgx.Rows) *Fields {
	f := &Fields{}
	f.Row(rows)
	return f
}

// Row starts reading the current row of rows. It copies the row, because the connection reuses its buffer.
func (f *Fields) Row(rows pgx.Rows) {
	sent := rows.RawValues()
	size := 0
	for _, b := range sent {
		size += len(b)
	}
	kept := make([]byte, 0, size)
	f.raw, f.at = slices.Grow(f.raw[:0], len(sent)), 0
	for _, b := range sent {
		if b == nil {
			f.raw = append(f.raw, nil)
			continue
		}
		start := len(kept)
		kept = append(kept, b...)
		f.raw = append(f.raw, kept[start:len(kept):len(kept)])
	}
}

// next returns the next field, or nil for null.
func (f *Fields) next() []byte {
	if f.at >= len(f.raw) {
		f.Fail("no field %d", f.at)
		return nil
	}
	f.at++
	return f.raw[f.at-1]
}

// Err returns the first error so far, or nil.
func (f *Fields) Err() error { return f.err }

// Peek returns the next field as Postgres sent it, without moving on. It returns nil for null and after the last
// field.
func (f *Fields) Peek() []byte {
	if f.at >= len(f.raw) {
		return nil
	}
	return f.raw[f.at]
}

// Skip skips n fields.
func (f *Fields) Skip(n int) { f.at += n }

// At returns how many fields have been read.
func (f *Fields) At() int { return f.at }

// Pack returns the fields from start up to the next one as one value for Unpack.
func (f *Fields) Pack(start int) []byte {
	size := 0
	for _, b := range f.raw[start:f.at] {
		size += 4 + len(b)
	}
	row := make([]byte, 0, size)
	for _, b := range f.raw[start:f.at] {
		if b == nil {
			row = binary.BigEndian.AppendUint32(row, 1<<32-1)
			continue
		}
		row = append(binary.BigEndian.AppendUint32(row, uint32(len(b))), b...)
	}
	return row
}

// Unpack inserts packed fields before the remaining fields. At most eight may remain.
func (f *Fields) Unpack(packed []byte) {
	var rest [8][]byte
	n := copy(rest[:], f.raw[f.at:])
	f.raw, f.at = f.raw[:0], 0
	for r := (reader{packed}); len(r.b) > 0; {
		f.raw = append(f.raw, r.value())
	}
	f.raw = append(f.raw, rest[:n]...)
}

// Fail notes that the field just read is wrong. Err returns only the first error.
func (f *Fields) Fail(format string, a ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("read row: "+format, a...)
	}
}

// Int64 reads a bigint or an integer.
func (f *Fields) Int64() int64 {
	switch b := f.next(); len(b) {
	case 0:
		return 0
	case 4:
		return int64(int32(binary.BigEndian.Uint32(b)))
	case 8:
		return int64(binary.BigEndian.Uint64(b))
	default:
		f.Fail("field %d is no number", f.at)
		return 0
	}
}

// Int reads an integer or a bigint.
func (f *Fields) Int() int { return int(f.Int64()) }

// Bool reads a boolean.
func (f *Fields) Bool() bool {
	b := f.next()
	return len(b) == 1 && b[0] != 0
}

// Text reads a text.
func (f *Fields) Text() string { return shared(f.next()) }

// shared returns bytes as text without copying them. Nobody may write to these bytes.
func shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) } //nolint:gosec // as it says

// Bytes reads a bytea, or nil for null.
func (f *Fields) Bytes() []byte { return f.next() }

// MicrosecondsTo2000 is the time between the epochs of Unix and of Postgres.
const MicrosecondsTo2000 = 946_684_800_000_000

// Instant returns the time for a number of microseconds since 2000, as Postgres counts.
func Instant(microseconds int64) time.Time {
	return time.UnixMicro(microseconds + MicrosecondsTo2000).UTC()
}

// Time reads a timestamp, with or without time zone, as UTC.
func (f *Fields) Time() time.Time {
	b := f.next()
	if len(b) != 8 {
		f.Fail("field %d is no time", f.at)
		return time.Time{}
	}
	return Instant(int64(binary.BigEndian.Uint64(b)))
}

// Moment reads a timestamp; null reads as the zero time.
func (f *Fields) Moment() time.Time {
	if f.at < len(f.raw) && f.raw[f.at] == nil {
		f.at++
		return time.Time{}
	}
	return f.Time()
}

// Float reads a double precision, or nil for null.
func (f *Fields) Float() *float64 {
	b := f.next()
	if len(b) != 8 {
		return nil
	}
	n := math.Float64frombits(binary.BigEndian.Uint64(b))
	return &n
}

// JSONText reads a jsonb as text, or nil for null.
func (f *Fields) JSONText() []byte {
	b := f.next()
	if len(b) > 0 && b[0] == 1 {
		b = b[1:] // version number before a jsonb in a record
	}
	return b
}

// JSON decodes a jsonb; null leaves into unchanged.
func (f *Fields) JSON(into any) {
	b := f.JSONText()
	if b == nil {
		return
	}
	if err := json.Unmarshal(b, into); err != nil {
		f.Fail("field %d: %w", f.at, err)
	}
}

// Int64s reads a bigint[], or nil if it is empty.
func (f *Fields) Int64s() []int64 {
	var list []int64
	f.Elements(func(b []byte) {
		if len(b) == 8 {
			list = append(list, BigInt(b))
		}
	})
	return list
}

// Texts reads a text[], or nil if it is empty.
func (f *Fields) Texts() []string {
	var list []string
	f.Elements(func(b []byte) { list = append(list, shared(b)) })
	return list
}

// Record reads a nested record and reports whether it is not null.
func (f *Fields) Record(read func(*Fields)) bool {
	b := f.next()
	if b == nil {
		return false
	}
	f.Inside(b, read)
	return true
}

// Records reads each record of an array.
func (f *Fields) Records(read func(*Fields)) {
	f.Elements(func(b []byte) { f.Inside(b, read) })
}

// Inside splits a record and reads it.
func (f *Fields) Inside(b []byte, read func(*Fields)) {
	if f.inner == nil {
		f.inner = &Fields{raw: make([][]byte, 0, 32)}
	}
	inner := f.inner
	inner.raw, inner.at, inner.err = inner.raw[:0], 0, nil
	r := reader{b}
	for n := r.int32(); n > 0 && len(r.b) > 0; n-- {
		r.int32() // type
		inner.raw = append(inner.raw, r.value())
	}
	read(inner)
	if inner.err != nil {
		f.Fail("field %d: %w", f.at, inner.err)
	}
}

// Elements splits an array of one dimension.
func (f *Fields) Elements(each func([]byte)) {
	r := reader{f.next()}
	if r.int32() == 0 {
		return
	}
	r.int32() // nulls
	r.int32() // type
	n := r.int32()
	r.int32() // lower bound
	for ; n > 0 && len(r.b) > 0; n-- {
		each(r.value())
	}
}

// reader cuts values from a binary value. It returns zeros after the end.
type reader struct{ b []byte }

func (r *reader) int32() int32 {
	if len(r.b) < 4 {
		r.b = nil
		return 0
	}
	n := int32(binary.BigEndian.Uint32(r.b))
	r.b = r.b[4:]
	return n
}

// value cuts a value that is preceded by its length; the length -1 means null.
func (r *reader) value() []byte {
	n := int(r.int32())
	if n < 0 || n > len(r.b) {
		return nil
	}
	v := r.b[:n:n]
	r.b = r.b[n:]
	return v
}

// BigInt reads the binary form of a bigint; anything else is 0.
func BigInt(b []byte) int64 {
	if len(b) != 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b))
}
