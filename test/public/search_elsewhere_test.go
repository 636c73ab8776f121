package public

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestSearchForgivesElsewhere: cities have other names in other languages, people type other alphabets in Latin letters, and
// what only sounds like the words comes before what is spelled nearly like them, even if it is over. Today is 20 November 2026.
func TestSearchForgivesElsewhere(t *testing.T) {
	k := kit.PublicKit(t)
	for _, e := range [][3]string{
		{"EuroRust", "2027-10-01", "Cologne"}, {"Devoxx", "2026-10-05", "Antwerp"}, {"DevOpsCon", "2027-12-01", "Munich"}, {"HolyJS", "2027-05-01", "Saint Petersburg"},
		{"RubyConf", "2027-06-01", "Київ"}, {"Театр ляльок", "2027-06-02", "Львів"}, {"Vue Days", "2027-06-03", "Verona"},
	} {
		k.Event(kit.Object{"title": e[0], "start_date": e[1] + " 10:00", "end_date": e[1] + " 18:00",
			"venue": kit.Object{"venue": "Hall of " + e[2], "city": e[2], "status": "publish"}})
	}
	searches := []sentSearch{
		{"de", "Köln", "EuroRust"}, {"de", "koln", "EuroRust"}, {"en", "eurust", "EuroRust"}, {"en", "devoks", "Devoxx"}, {"es", "múnich", "DevOpsCon"},
		{"de", "sankt peterburg", "HolyJS"}, {"de", "Kiew", "RubyConf"}, {"en", "lemberg", "Театр ляльок"}, {"en", "teatr", "Театр ляльок"}, {"en", "рубиконф", "RubyConf"},
		{"nl", "antwerpen", "Devoxx"},
	}
	if missed := missedOf(t, k, searches); missed > 0 {
		t.Errorf("%d of %d searches miss what is meant", missed, len(searches))
	}
}
