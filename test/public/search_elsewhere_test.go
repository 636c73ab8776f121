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
		{"Summer Camp", "2027-08-05", "Oslo"}, {"Land Day", "2027-08-06", "Oslo"}, {"Cascadia Talks", "2025-09-01", "Seattle"}, {"Lambda World", "2024-10-01", "Cádiz"},
		{"DjangoCon Africa", "2026-09-01", "Oslo"}, {"DjangoCon Chicago", "2025-09-01", "Chicago"}, {"DjangoCon Japan", "2024-09-01", "Tokyo"},
		{"React Norway", "2025-06-13", "Oslo"}, {"Norwi Talks", "2024-06-13", "Oslo"}, {"DjangoCon Europe", "2018-05-23", "Heidelberg"}, {"UX Design", "2027-09-01", "New York"}, {"Data Design", "2017-11-06", "New York, NY"},
		{"Peace Talks", "2025-03-01", "The Hague"}, {"Reading Circle", "2027-02-01", "Copenhagen"}, {"Frontiers", "2025-02-01", "Lima"},
		{"Fronteers", "2025-02-02", "Quito"}, {"Fronteers Spring", "2025-04-02", "Quito"}, {"iJS Conference Kyoto", "2025-06-01", "Kyoto"}, {"Robotics Conference", "2027-06-01", "Kyoto"},
	} {
		k.Event(kit.Object{"title": e[0], "start_date": e[1] + " 10:00", "end_date": e[1] + " 18:00",
			"venue": kit.Object{"venue": "Hall of " + e[2], "city": e[2], "status": "publish"}})
	}
	searches := []sentSearch{
		{"de", "Köln", "EuroRust"}, {"de", "koln", "EuroRust"}, {"en", "eurust", "EuroRust"}, {"en", "devoks", "Devoxx"}, {"es", "múnich", "DevOpsCon"},
		{"de", "sankt peterburg", "HolyJS"}, {"de", "Kiew", "RubyConf"}, {"en", "lemberg", "Театр ляльок"}, {"en", "teatr", "Театр ляльок"}, {"en", "рубиконф", "RubyConf"},
		{"nl", "antwerpen", "Devoxx"}, {"ja", "東京", "DjangoCon Japan"},
		// a mistake is sought in all words, an old one that is near comes before a new one that is not, and parts of words come last
		{"en", "lamda", "Lambda World"}, {"en", "cadis", "Lambda World"}, {"en", "norwy", "React Norway"}, {"en", "вумщчч", "Devoxx"},
		// of words that sound alike the one with the same letters comes first
		{"en", "frontiiers", "Frontiers"},
		// words that are only inside of others are sought in other spellings, and all words beside a city, even if that is over
		{"en", "hage", "Peace Talks"}, {"en", "ijs konference kyoto", "iJS Conference Kyoto"},
		// years that are over are years, too
		{"en", "djangocon 2018", "DjangoCon Europe"}, {"en", "jangocon 2018", "DjangoCon Europe"}, {"en", "design new york 2017", "Data Design"},
	}
	if missed := missedOf(t, k, searches); missed > 0 {
		t.Errorf("%d of %d searches miss what is meant", missed, len(searches))
	}
}
