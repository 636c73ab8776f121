package lists

import (
	"testing"

	"github.com/kalends/kalends/calendar"
)

// Browsers choose the file of an image by the width that a page names. It is the width of the image where it is shown, not that of the
// place: a portrait image that is shown whole on a card is narrower, a wide image that is cropped to a square is wider.
func TestWidthsOfImages(t *testing.T) {
	t.Parallel()
	portrait := calendar.Image{Width: 900, Height: 1300, Tone: "#123456"}
	for name, c := range map[string]struct {
		rooms rooms
		image calendar.Image
		want  string
	}{
		"landscape":               {fewRooms, calendar.Image{Width: 1500, Height: 1000, Tone: "#123456"}, "(min-width: 42rem) 18rem, 8.2rem"},
		"portrait":                {wallRooms, portrait, "(min-width: 36rem) 8.3rem, 42.5vw"},
		"portrait, a row":         {fewRooms, portrait, "(min-width: 42rem) 8.3rem, 5.5rem"},
		"portrait, a poster":      {shelfRooms, portrait, "(min-width: 60rem) 12.9rem, 40.6vw"},
		"nearly square, a poster": {shelfRooms, calendar.Image{Width: 990, Height: 1000, Tone: "#123456"}, "(min-width: 60rem) 14rem, 44vw"},
		"portrait, no ground":     {wallRooms, calendar.Image{Width: 900, Height: 1300}, "(min-width: 36rem) 18rem, 92vw"},
		"a little wider":          {wallRooms, calendar.Image{Width: 1920, Height: 1080}, "(min-width: 36rem) 18rem, 92vw"},
		"much wider":              {wallRooms, calendar.Image{Width: 3000, Height: 1000}, "(min-width: 36rem) 36rem, 184vw"},
		"a tile":                  {tileRooms["poster"], calendar.Image{Width: 1500, Height: 1000}, "(min-width: 36rem) 30rem, 84.4vw"},
	} {
		if got := c.rooms.sizes(&c.image); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
