package lists

import (
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/eventtest"
)

func TestListsNameTheSite(t *testing.T) {
	t.Parallel()
	n := &meanings{of: map[string]*meaning{}}
	for _, word := range []string{"venue 7", "venue 30", "organizer 7"} {
		n.of[word] = &meaning{}
	}
	for name, q := range eventtest.Variants() {
		for _, lean := range []bool{false, true} {
			if tables := storagetest.Unnamed(newEventQuery(1, q, n).statement(lean)); len(tables) > 0 {
				t.Errorf("%s: %q", name, tables)
			}
		}
	}
	for _, wrong := range []string{"SELECT 1 FROM events", "SELECT 1 FROM events e JOIN venues v ON v.site_id = 1", "UPDATE events SET x = 1"} {
		if len(storagetest.Unnamed(wrong)) == 0 {
			t.Errorf("%s passes", wrong)
		}
	}
}
