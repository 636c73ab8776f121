package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestUploadsWhoseAnswerIsLost uploads pictures while the answer of Postgres to
// one round trip after the other is lost, that to the commit among them. Every
// picture the site has then has its file.
func TestUploadsWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	wire, address := newWire(t, database)
	k := newKitOn(t, address)
	k.url = database
	k.upload("demo", "administrator", "first.png", picture(9, 9)).want(t, http.StatusCreated, "")
	const stored = "SELECT count(*)::text FROM images WHERE site_id = $1"
	site, picked, unanswered := k.sites["demo"].ID, 0, 0
	// Round trips that aren't the upload's count, too: where they hid the commit's, it is tried
	// again. Later tries begin further on: if each took as long as the server remembers who signs
	// in, every one could ask that at the same place, and hide the commit for ever.
	for tried := 0; unanswered == 0; tried++ {
		if tried == 100 { // a busy machine has many rounds of its own
			t.Fatal("no picture was stored without an answer: nothing was tried")
		}
		for n := tried % 8; ; n++ {
			picked++
			before := k.peek("demo", stored, site)
			wire.lose(n)
			a := k.upload("demo", "administrator", fmt.Sprintf("picture-%d.png", picked), picture(10+picked, 10))
			wire.mend()
			k.db.Reset()
			after := k.peek("demo", stored, site)
			if a.Status == http.StatusServiceUnavailable && after != before {
				unanswered++
			}
			if a.Status == http.StatusCreated {
				break
			}
			if a.Status != http.StatusServiceUnavailable || n > 20 {
				t.Fatalf("after %d round trips: %d %s", n, a.Status, a.Raw)
			}
		}
	}
	files := k.peek("demo", "SELECT string_agg(key || '/' || file, ' ') FROM images WHERE site_id = $1", site)
	for file := range strings.FieldsSeq(files) {
		if a := k.get("//media/"+file, ""); a.Status != http.StatusOK {
			t.Errorf("%s: %d", file, a.Status)
		}
	}
}
