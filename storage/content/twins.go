package content

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/bounded"
)

// TwinsOf names the venues or organizers of a site.
type TwinsOf struct {
	Site int64
	Kind string
}

// FoundTwins are those among them that may be the same, at the version of the site at which such an item has changed
// last.
type FoundTwins struct {
	Version int64
	Groups  []calendar.Twins
}

// twinBytes limits the memory for twins of all sites.
const twinBytes = 8 << 20

func newTwins() bounded.Cache[TwinsOf, FoundTwins] {
	return bounded.New(bounded.Options[TwinsOf, FoundTwins]{Bytes: twinBytes, Weigh: func(_ TwinsOf, f FoundTwins) uint32 {
		weight := 100
		for i := range f.Groups {
			for j := range f.Groups[i].Items {
				m := &f.Groups[i].Items[j]
				weight += 180 + len(m.Name) + len(m.City) + len(m.Zip) + len(m.Address) + 8*len(m.Apart)
			}
		}
		return uint32(min(weight, twinBytes))
	}})
}
