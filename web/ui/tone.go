package ui

import (
	"math"
	"strconv"

	"github.com/kalends/kalends/calendar"
)

// tones are the hues, in degrees, of the style sheet's tones in order. Text is readable on each of them in light and
// dark mode, unlike on arbitrary category colors.
var tones = []float64{204, 133, 33, 291, 356, 180, 240, 54, 322, 90, 14, 265, 155}

// deep are the style sheet's tones as backgrounds for white text, from tone 0.
var deep = []string{"#6a6d72", "#1d5c86", "#2f6b3c", "#8a4b00", "#7b3b86", "#a1323a", "#0f6b6b",
	"#4a4aa0", "#6b6213", "#9a2c6e", "#4f6b13", "#9c3d1d", "#5f3fa0", "#13694c"}

// Deep returns a tone as a background for white text.
func Deep(tone int) RGB {
	color, _ := ReadColor(deep[tone])
	return color
}

// CategoryOf returns the category that determines an event's color: its first category with a color, otherwise its
// first category, or nil if it has none.
func CategoryOf(e *calendar.Event) *calendar.Term {
	for i := range e.Categories {
		if e.Categories[i].Color != "" {
			return &e.Categories[i]
		}
	}
	if len(e.Categories) > 0 {
		return &e.Categories[0]
	}
	return nil
}

// ColorOf returns the color of an event's category, or "".
func ColorOf(e *calendar.Event) string {
	if t := CategoryOf(e); t != nil {
		return t.Color
	}
	return ""
}

// Tone returns the CSS class for the color of an event.
func Tone(e *calendar.Event) string {
	if e.Masked {
		return "tone-0"
	}
	return "tone-" + strconv.Itoa(ToneOf(CategoryOf(e)))
}

// ToneOf returns the tone of a category: the closest to its color or, if it has no color, a tone chosen by its id.
// It returns 0 for nil and for gray.
func ToneOf(t *calendar.Term) int {
	if t == nil {
		return 0
	}
	if t.Color == "" {
		return int((t.ID-1)%int64(len(tones))) + 1
	}
	hue, colorful := hueOf(t.Color)
	if !colorful {
		return 0
	}
	best, least := 0, 360.0
	for i, tone := range tones {
		away := math.Abs(hue - tone)
		if away = min(away, 360-away); away < least {
			best, least = i+1, away
		}
	}
	return best
}

// hueOf returns the hue of a color #rrggbb in degrees, or false if it is nearly gray.
func hueOf(color string) (hue float64, colorful bool) {
	n, err := strconv.ParseUint(color[1:], 16, 32)
	if err != nil {
		return 0, false
	}
	r, g, b := float64(n>>16&255), float64(n>>8&255), float64(n&255)
	most, least := max(r, g, b), min(r, g, b)
	span := most - least
	if span < 24 {
		return 0, false
	}
	switch most {
	case r:
		hue = 60 * (g - b) / span
	case g:
		hue = 60*(b-r)/span + 120
	default:
		hue = 60*(r-g)/span + 240
	}
	return math.Mod(hue+360, 360), true
}
