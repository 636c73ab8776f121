package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestUploadsWhoseAnswerIsLost uploads pictures while the answer of Postgres to
// one round trip after the other is lost, that to the commit among them. Every
// picture the site has then has its file.
func TestUploadsWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	database := storagetest.Database(t)
	wire, address := kit.NewWire(t, database)
	k := kit.NewOn(t, address)
	k.URL = database
	k.Upload("demo", "administrator", "first.png", kit.Picture(9, 9)).Want(t, http.StatusCreated, "")
	const stored = "SELECT count(*)::text FROM images WHERE site_id = $1"
	site, picked, unanswered := k.Sites["demo"].ID, 0, 0
	// Round trips that aren't the upload's count, too: where they hid the commit's, it is tried
	// again. Later tries begin further on: if each took as long as the server remembers who signs
	// in, every one could ask that at the same place, and hide the commit for ever.
	for tried := 0; unanswered == 0; tried++ {
		if tried == 100 { // a busy machine has many rounds of its own
			t.Fatal("no picture was stored without an answer: nothing was tried")
		}
		for n := tried % 8; ; n++ {
			picked++
			before := k.Peek("demo", stored, site)
			wire.Lose(n)
			a := k.Upload("demo", "administrator", fmt.Sprintf("picture-%d.png", picked), kit.Picture(10+picked, 10))
			wire.Mend()
			k.DB.Reset()
			after := k.Peek("demo", stored, site)
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
	files := k.Peek("demo", "SELECT string_agg(key || '/' || file, ' ') FROM images WHERE site_id = $1", site)
	for file := range strings.FieldsSeq(files) {
		if a := k.Get("//media/"+file, ""); a.Status != http.StatusOK {
			t.Errorf("%s: %d", file, a.Status)
		}
	}
}
