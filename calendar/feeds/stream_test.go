package feeds

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/tenancy"
)

// manyEvents returns a feed of n events in pieces of 100, as the calendar delivers them.
func manyEvents(n int) func(context.Context) ([]services.FeedEvent, error) {
	text := "<p>" + strings.Repeat("A meeting of people who like to meet. ", 10) + "</p>"
	first := time.Date(2030, 1, 1, 18, 0, 0, 0, time.UTC)
	made := 0
	return func(context.Context) (some []services.FeedEvent, _ error) {
		for ; len(some) < 100 && made < n; made++ {
			e := &calendar.Event{Start: first.AddDate(0, 0, made), End: first.AddDate(0, 0, made).Add(time.Hour), Timezone: "Europe/Berlin"}
			e.ID, e.Title, e.Slug, e.Status = int64(made+1), fmt.Sprint("Gathering ", made), fmt.Sprint("gathering-", made), calendar.Publish
			e.Description = text
			some = append(some, services.FeedEvent{Event: e})
		}
		return some, nil
	}
}

func streamOf(t testing.TB, n int, compress bool) *Stream {
	t.Helper()
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: 1, Name: "Town", Location: time.UTC}, Language: "en"})
	doc := calendarOf(ctx, manyEvents(n), About{}, 1, time.Time{}, time.Now(), false)
	answer, err := doc.Answer(ctx, "/events.ics", func(string) bool { return false })
	if err != nil || answer.Stream == nil {
		t.Fatalf("%v, streamed: %t", err, answer.Stream != nil)
	}
	if compress {
		answer.Stream.Compress()
	}
	return answer.Stream
}

// However long a feed is, memory holds no more than one buffer of it.
func TestStreamIsBounded(t *testing.T) {
	held := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := held()
	stream := streamOf(t, 50_000, false)
	most, sent := 0, 0
	piece := make([]byte, 1<<20)
	for {
		n, err := stream.Read(piece)
		sent += n
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, held()-before)
	}
	if sent < 40<<20 || most > maxBuffered+4<<20 {
		t.Errorf("%d bytes held of %d", most, sent)
	}
}

// A feed of 10,000 events, read by a client without pauses.
func BenchmarkStream(b *testing.B) {
	for name, compress := range map[string]bool{"plain": false, "gzip": true} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n, err := io.Copy(io.Discard, streamOf(b, 10_000, compress))
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(n)
			}
		})
	}
}
