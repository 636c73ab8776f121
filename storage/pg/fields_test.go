package pg

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
	read := func(f *Fields) {
		k.equal("integer", f.Int(), 7)
		k.equal("bigint", f.Int64(), int64(-8))
		k.equal("bool", f.Bool(), true)
		k.equal("text", f.Text(), "tëxt")
		k.equal("timestamptz", f.Time(), monday)
		k.equal("timestamp", f.Time().Format("2006-01-02 15:04:05"), "1999-12-31 23:59:59")
		k.equal("float8", *f.Float(), 0.5)
		k.equal("bytea", f.Bytes(), []byte{0, 1})
		var list []int
		f.JSON(&list)
		k.equal("jsonb", list, []int{1})
		k.equal("text[]", f.Texts(), []string{"a", "b,c"})
		k.equal("empty", f.Texts(), []string(nil))
		k.equal("nulls", []any{f.Int64(), f.Text(), f.Float() == nil, f.Bytes() == nil}, []any{int64(0), "", true, true})
		f.JSON(&list)
		k.must(f.Err())
	}
	k.must(k.db.Read(k.ctx, func(_ int64, b *pgx.Batch) {
		b.Queue(`SELECT ` + values + `, ROW(` + values + `), NULL::record,
			ARRAY(SELECT ROW(n, CASE WHEN n > 1 THEN ROW(n) END) FROM generate_series(1, 2) n), 1, 2`).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				f := RowFields(rows)
				read(f)
				k.equal("record", f.Record(read), true)
				k.equal("no record", f.Record(read), false)
				var inner []int
				f.Records(func(f *Fields) {
					inner = append(inner, f.Int())
					f.Record(func(f *Fields) { inner = append(inner, f.Int()) })
				})
				k.equal("records", inner, []int{1, 2, 2})
				packed := f.Pack(0)
				f.Unpack(packed)
				read(f)
				k.equal("record, unpacked", f.Record(read), true)
				f.Skip(2)
				k.equal("behind what is unpacked", []int{f.Int(), f.Int()}, []int{1, 2})
				k.must(f.Err())
				k.equal("at the end", f.Peek(), []byte(nil))
				f.Int()
				if f.Err() == nil {
					t.Error("read behind the last column")
				}
			}
			return rows.Err()
		})
	}))
}

// FuzzFields reads any bytes: wrong ones are an error or nonsense, never a crash.
func FuzzFields(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1})
	f.Add([]byte{0, 0, 0, 2, 0, 0, 0, 20, 255, 255, 255, 255, 0, 0, 0, 20, 0, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(_ *testing.T, b []byte) {
		in := &Fields{raw: [][]byte{b, b, b, b}}
		all := func(f *Fields) {
			f.Int64()
			f.Float()
			f.Time()
			f.Int64s()
			f.Texts()
			f.JSON(&struct{}{})
			f.Records(func(f *Fields) { f.Text() })
		}
		in.Record(all)
		in.Records(all)
		in.Texts()
		in.Unpack(b)
		all(in)
	})
}
