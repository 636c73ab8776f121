package feeds

import (
	"strconv"

	"golang.org/x/image/colornames"
)

// colorName returns the CSS color name closest to a color in the form #rrggbb, because iCalendar allows only names
// (RFC 7986 §5.9). It returns "" if color is malformed.
func colorName(color string) string {
	n, err := strconv.ParseUint(color[min(1, len(color)):], 16, 32)
	if len(color) != 7 || err != nil {
		return ""
	}
	best, nearest := "", 1<<30
	for _, name := range colornames.Names {
		c := colornames.Map[name]
		r, g, b := int(c.R)-int(n>>16), int(c.G)-int(n>>8&255), int(c.B)-int(n&255)
		if d := r*r + g*g + b*b; d < nearest {
			best, nearest = name, d
		}
	}
	return best
}
