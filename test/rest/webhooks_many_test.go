package rest

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/kit"
)

// An import tells each webhook of each event once, and neither it nor a receiver that never answers keeps another site's webhooks waiting:
// a receiver of the import's messages answers each only when the other site's webhook was told of something that happened meanwhile. IMPORT_EVENTS=10000 imports so many.
func TestWebhooksOfALargeImport(t *testing.T) {
	t.Parallel()
	events := 200
	if n, err := strconv.Atoi(os.Getenv("IMPORT_EVENTS")); err == nil {
		events = n
	}
	k := kit.New(t)
	k.Site("two")
	taking, dead, other := k.Receive(), k.Receive(), k.Receive()
	asked, told, ended := make(chan chan struct{}), make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(ended) })
	taking.Answer(func(w http.ResponseWriter, r *http.Request) {
		answer := make(chan struct{})
		select {
		case asked <- answer:
			<-answer
		case <-told:
		case <-r.Context().Done(): // nobody waits for the answer any more
		}
		w.WriteHeader(http.StatusNoContent)
	})
	dead.Answer(func(http.ResponseWriter, *http.Request) { <-ended })
	var hooks []int64
	for _, r := range []*kit.Receiver{taking, dead} {
		a := k.Send(kit.Request{Method: "POST", Path: "/webhooks", Site: "two", As: "administrator",
			JSON: kit.Object{"url": r.URL, "events": []string{"event.published", "event.updated"}}}).Want(t, 201, "")
		hooks = append(hooks, a.ID())
	}
	k.Webhook(other.URL, nil)
	k.Deliver()
	var file strings.Builder
	file.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for i := range events {
		fmt.Fprintf(&file, "BEGIN:VEVENT\r\nUID:%d@club\r\nSUMMARY:Choir %d\r\nDTSTART:20300101T%02d%02d00Z\r\nEND:VEVENT\r\n", i, i, i/60%24, i%60)
	}
	file.WriteString("END:VCALENDAR\r\n")
	begun := time.Now()
	k.StartImport(kit.Sent{Site: "two", Name: "club.ics", File: file.String(), Fields: map[string]string{"status": "publish"}}).Want(t, 202, "")
	imported := make(chan struct{})
	go func() {
		defer close(imported)
		k.RunImports()
	}()
	for i := range 20 {
		var answer chan struct{}
		storagetest.Until(t, "the receiver is told of the import", func() bool {
			select {
			case answer = <-asked:
				return true
			default:
				return false
			}
		})
		k.Event(nil)
		other.Await(i + 1)
		close(answer)
	}
	took := time.Since(begun)
	close(told)
	<-imported
	names, of := map[string]bool{}, map[int64]int{}
	for len(of) < events {
		have := len(of)
		storagetest.Until(t, fmt.Sprintf("more than %d of %d events are told of", have, events), func() bool {
			for _, m := range taking.Taken() {
				if name := m.Header.Get("webhook-id"); !names[name] {
					names[name] = true
					of[m.Data.ID]++
				}
			}
			return len(of) > have
		})
	}
	storagetest.Until(t, "nothing more is to be told", func() bool {
		return k.Peek("two", `SELECT count(*)::text FROM webhook_messages WHERE site_id = $1 AND webhook_id = $2`, k.Sites["two"].ID, hooks[0]) == "0"
	})
	t.Logf("%d events are imported, 20 of another site were told of after %v, all told of after %v", events, took, time.Since(begun))
	if len(names) != events || len(of) != events {
		t.Errorf("%d messages of %d events, want one of each of %d", len(names), len(of), events)
	}
	for _, m := range dead.Taken() {
		t.Errorf("a receiver that never answers took %s", m.Body)
	}
}
