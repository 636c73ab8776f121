package storage

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"
	"unsafe"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// fields reads the columns of a row, or the fields of a record within one, in
// the order they were selected. It takes them as Postgres sends them, in binary:
// an event with everything nested has some hundred of them, and lists are made
// of events. Nulls read as zero values. The first thing wrong stays in err.
//
// The bytes it reads are never written to again, so texts are not copied out of
// them.
type fields struct {
	raw   [][]byte
	at    int
	err   error
	inner *fields // for the records within

	language string          // of the text that stands for the translations of an event; "": all that are asked for stand there
	known    *calendar.Texts // the texts of an event whose row is remembered
}

// rowFields returns the columns of the row that rows stands on.
func rowFields(rows pgx.Rows) *fields {
	f := &fields{}
	f.row(rows)
	return f
}

// row goes on to the row that rows stands on. The connection uses its buffer
// again, so the row is copied, in one piece.
func (f *fields) row(rows pgx.Rows) {
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

// next returns the next field, nil for null.
func (f *fields) next() []byte {
	if f.at >= len(f.raw) {
		f.fail("no field %d", f.at)
		return nil
	}
	f.at++
	return f.raw[f.at-1]
}

func (f *fields) fail(format string, a ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("read row: "+format, a...)
	}
}

// int64 reads a bigint or an integer.
func (f *fields) int64() int64 {
	switch b := f.next(); len(b) {
	case 0:
		return 0
	case 4:
		return int64(int32(binary.BigEndian.Uint32(b)))
	case 8:
		return int64(binary.BigEndian.Uint64(b))
	default:
		f.fail("field %d is no number", f.at)
		return 0
	}
}

func (f *fields) int() int { return int(f.int64()) }

func (f *fields) bool() bool {
	b := f.next()
	return len(b) == 1 && b[0] != 0
}

func (f *fields) text() string { return shared(f.next()) }

// shared returns bytes that nobody writes to as text.
func shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) } //nolint:gosec // as it says

func (f *fields) bytes() []byte { return f.next() }

// microsecondsTo2000 lie between the epochs of Unix and of Postgres.
const microsecondsTo2000 = 946_684_800_000_000

// time reads a timestamp, with or without time zone, as UTC.
func (f *fields) time() time.Time {
	b := f.next()
	if len(b) != 8 {
		f.fail("field %d is no time", f.at)
		return time.Time{}
	}
	return time.UnixMicro(int64(binary.BigEndian.Uint64(b)) + microsecondsTo2000).UTC()
}

// moment reads a timestamp; null is the zero time.
func (f *fields) moment() time.Time {
	if f.at < len(f.raw) && f.raw[f.at] == nil {
		f.at++
		return time.Time{}
	}
	return f.time()
}

// float reads a double precision, nil for null.
func (f *fields) float() *float64 {
	b := f.next()
	if len(b) != 8 {
		return nil
	}
	n := math.Float64frombits(binary.BigEndian.Uint64(b))
	return &n
}

// json decodes a jsonb; null leaves into alone.
func (f *fields) json(into any) {
	b := f.next()
	if len(b) > 0 && b[0] == 1 {
		b = b[1:] // the version that stands before a jsonb in a record
	}
	if b == nil {
		return
	}
	if err := json.Unmarshal(b, into); err != nil {
		f.fail("field %d: %w", f.at, err)
	}
}

// texts reads a text[], nil when it is empty.
func (f *fields) texts() []string {
	var list []string
	f.elements(func(b []byte) { list = append(list, shared(b)) })
	return list
}

// record reads a nested record and reports whether it is there.
func (f *fields) record(read func(*fields)) bool {
	b := f.next()
	if b == nil {
		return false
	}
	f.inside(b, read)
	return true
}

// records reads each record of an array.
func (f *fields) records(read func(*fields)) {
	f.elements(func(b []byte) { f.inside(b, read) })
}

// inside splits a record and reads it.
func (f *fields) inside(b []byte, read func(*fields)) {
	if f.inner == nil {
		f.inner = &fields{raw: make([][]byte, 0, 32)}
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
		f.fail("field %d: %w", f.at, inner.err)
	}
}

// elements splits an array of one dimension.
func (f *fields) elements(each func([]byte)) {
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

// reader cuts a binary value; behind its end are zeros.
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

// value cuts a value with its length before it; -1 is null.
func (r *reader) value() []byte {
	n := int(r.int32())
	if n < 0 || n > len(r.b) {
		return nil
	}
	v := r.b[:n:n]
	r.b = r.b[n:]
	return v
}
