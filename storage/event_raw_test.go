package storage

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestFieldsReadWhatPostgresSends reads each type alone and in a record.
func TestFieldsReadWhatPostgresSends(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	const values = `7, -8::bigint, true, 'tëxt'::text, timestamptz '2027-03-01 13:00+01', timestamp '1999-12-31 23:59:59', 0.5::float8,
		'\x0001'::bytea, '[1]'::jsonb, ARRAY['a', 'b,c'], ARRAY[]::text[], NULL::bigint, NULL::text, NULL::float8, NULL::bytea, NULL::jsonb`
	read := func(f *fields) {
		k.equal("integer", f.int(), 7)
		k.equal("bigint", f.int64(), int64(-8))
		k.equal("bool", f.bool(), true)
		k.equal("text", f.text(), "tëxt")
		k.equal("timestamptz", f.time(), monday)
		k.equal("timestamp", f.time().Format("2006-01-02 15:04:05"), "1999-12-31 23:59:59")
		k.equal("float8", *f.float(), 0.5)
		k.equal("bytea", f.bytes(), []byte{0, 1})
		var list []int
		f.json(&list)
		k.equal("jsonb", list, []int{1})
		k.equal("text[]", f.texts(), []string{"a", "b,c"})
		k.equal("empty", f.texts(), []string(nil))
		k.equal("nulls", []any{f.int64(), f.text(), f.float() == nil, f.bytes() == nil}, []any{int64(0), "", true, true})
		f.json(&list)
		k.must(f.err)
	}
	k.in(k.site, func(tx pgx.Tx) error {
		rows, err := tx.Query(t.Context(), `SELECT `+values+`, ROW(`+values+`), NULL::record,
			ARRAY(SELECT ROW(n, CASE WHEN n > 1 THEN ROW(n) END) FROM generate_series(1, 2) n)`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			f := rowFields(rows)
			read(f)
			k.equal("record", f.record(read), true)
			k.equal("no record", f.record(read), false)
			var inner []int
			f.records(func(f *fields) {
				inner = append(inner, f.int())
				f.record(func(f *fields) { inner = append(inner, f.int()) })
			})
			k.equal("records", inner, []int{1, 2, 2})
			k.must(f.err)
			f.int()
			if f.err == nil {
				t.Error("read behind the last column")
			}
		}
		return rows.Err()
	})
}

// FuzzFields reads events from any bytes: wrong ones are an error or nonsense,
// never a crash.
func FuzzFields(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1})
	f.Add([]byte{0, 0, 0, 2, 0, 0, 0, 20, 255, 255, 255, 255, 0, 0, 0, 20, 0, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(_ *testing.T, b []byte) {
		in := &fields{raw: [][]byte{b, b, b, b}}
		in.record(func(f *fields) { readVenue(f) })
		in.records(func(f *fields) { readOrganizer(f) })
		in.texts()
		in.record(func(f *fields) { _ = readEvent(f, newNested(nil)) })
	})
}
