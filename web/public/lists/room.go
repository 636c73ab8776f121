package lists

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

// room is the place of an image on screens of at least a width: how wide the place is, and how wide for its height.
type room struct {
	from    float64 // in rem; the last room of a place has 0
	width   float64
	unit    string
	ratio   float64
	cropped bool // portrait images, too, fill it
}

// rooms are the place of an image on wide and on narrow screens, widest first.
type rooms []room

var (
	leadRooms  = rooms{{from: 60, width: 42, unit: "rem", ratio: 16. / 9}, {width: 80, unit: "vw", ratio: 16. / 9}}
	besideLead = rooms{{from: 60, width: 28, unit: "rem", ratio: 3 / 1.38}, {width: 80, unit: "vw", ratio: 16. / 9}}
	shelfRooms = rooms{{from: 60, width: 14, unit: "rem", ratio: 3. / 4}, {width: 44, unit: "vw", ratio: 3. / 4}}
	wallRooms  = rooms{{from: 36, width: 18, unit: "rem", ratio: 3. / 2}, {width: 92, unit: "vw", ratio: 3. / 2}}
	fewRooms   = rooms{{from: 42, width: 18, unit: "rem", ratio: 3. / 2}, {width: 5.5, unit: "rem", ratio: 1, cropped: true}}

	rowRooms = rooms{{from: 48, width: 9, unit: "rem", ratio: 3. / 2, cropped: true}, {width: 5.5, unit: "rem", ratio: 1, cropped: true}}
)

// tileRooms are the rooms of rows in the themes that show lists as walls.
var tileRooms = map[string]rooms{
	"night":  {{from: 36, width: 18, unit: "rem", ratio: 3. / 2, cropped: true}, {width: 92, unit: "vw", ratio: 16. / 9, cropped: true}},
	"poster": {{from: 36, width: 16, unit: "rem", ratio: 4. / 5, cropped: true}, {width: 45, unit: "vw", ratio: 4. / 5, cropped: true}},
}

// photoRooms are the rooms of images by the level of their heading: in a wall of images (h2), and in the few of a
// section (h3), which are rows on a phone.
var photoRooms = map[string]rooms{"h2": wallRooms, "h3": fewRooms}

// rowRoomsOf returns the rooms of the image of a row in the theme of the site.
func rowRoomsOf(ctx context.Context) rooms {
	if wall, ok := tileRooms[ui.SiteOf(ctx).Settings.Face.Theme]; ok {
		return wall
	}
	return rowRooms
}

// wholly reports whether an image is shown uncropped, on its dominant color, where there is room.
func wholly(i *calendar.Image) bool { return i.Tone != "" && i.Height > i.Width }

// littleWider is how much wider than its room a cropped image may be without that browsers have to know.
const littleWider = 1.25

// sizes returns the sizes attribute of an image in a place. Browsers choose a file by its width; so it tells the
// width of the image, which is less than that of the room if the image is shown uncropped, and more if it is wide
// and cropped to a narrow room.
func (rs rooms) sizes(i *calendar.Image) string {
	own := float64(i.Width) / float64(i.Height)
	var list []string
	for _, r := range rs {
		part := own / r.ratio
		switch {
		case wholly(i) && !r.cropped:
			part = min(1, part)
		case part < littleWider:
			part = 1
		}
		size := strconv.FormatFloat(r.width*part, 'f', 1, 64)
		size = strings.TrimSuffix(size, ".0") + r.unit
		if r.from > 0 {
			size = fmt.Sprintf("(min-width: %grem) %s", r.from, size)
		}
		list = append(list, size)
	}
	return strings.Join(list, ", ")
}
