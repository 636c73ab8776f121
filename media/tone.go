package media

import (
	"fmt"
	"image"
)

// The tone of an image is determined from at most sampled × sampled of its pixels.
const sampled = 48

// toneOf returns the dominant color of an image as #rrggbb: the mean of the most frequent among similar colors. It is "" for an image that
// shows what is behind it.
func toneOf(picture image.Image) string {
	type sum struct{ n, r, g, b uint32 }
	alike := map[[3]uint32]sum{}
	bounds := picture.Bounds()
	across, down := min(sampled, bounds.Dx()), min(sampled, bounds.Dy())
	open := 0
	for row := range down {
		for column := range across {
			x, y := bounds.Min.X+(2*column+1)*bounds.Dx()/(2*across), bounds.Min.Y+(2*row+1)*bounds.Dy()/(2*down)
			r, g, b, a := picture.At(x, y).RGBA()
			if a < 0x8000 {
				open++
				continue
			}
			r, g, b = r>>8, g>>8, b>>8
			key := [3]uint32{r >> 5, g >> 5, b >> 5}
			s := alike[key]
			alike[key] = sum{s.n + 1, s.r + r, s.g + g, s.b + b}
		}
	}
	var most sum
	var first [3]uint32
	for key, s := range alike {
		if s.n > most.n || s.n == most.n && before(key, first) { // the same for the same image
			most, first = s, key
		}
	}
	if most.n == 0 || open > across*down/4 {
		return ""
	}
	return fmt.Sprintf("#%02x%02x%02x", most.r/most.n, most.g/most.n, most.b/most.n)
}

func before(a, b [3]uint32) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}
