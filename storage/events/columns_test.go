package events

import (
	"testing"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/places"
	"github.com/kalends/kalends/storage/terms"
)

// FuzzEvent reads events, and what they are linked to, from any fields: wrong ones are
// an error or nonsense, never a crash.
func FuzzEvent(f *testing.F) {
	f.Add([]byte{0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1, 255, 255, 255, 255, 0, 0, 0, 1, 'a'})
	f.Add([]byte{0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(_ *testing.T, b []byte) {
		unpacked := func() *pg.Fields {
			f := &pg.Fields{}
			f.Unpack(b)
			return f
		}
		_ = Read(unpacked(), NewLinked(nil))
		_ = places.Venues.Decode(unpacked())
		_ = places.Organizers.Decode(unpacked())
		_ = terms.Read(unpacked())
		ReadSeries(unpacked(), Read(unpacked(), NewLinked(nil)))
	})
}
