package ui

import (
	"math"
	"strconv"

	"github.com/kalends/kalends/calendar"
)

// tones are the hues of the style sheet's tones, from the first on, in degrees.
// Text on each of them can be read, by day and by night; that can't be said of
// every colour a category may have.
var tones = []float64{204, 133, 33, 291, 356, 180, 240, 54}

// CategoryOf is the category that gives an event its colour: its first with
// one, else its first; nil for none.
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

// ColorOf is the colour of an event as its category has it, "" for none.
func ColorOf(e *calendar.Event) string {
	if t := CategoryOf(e); t != nil {
		return t.Color
	}
	return ""
}

// Tone is the class of the colour of an event.
func Tone(e *calendar.Event) string {
	if e.Masked {
		return "tone-0"
	}
	return "tone-" + strconv.Itoa(ToneOf(CategoryOf(e)))
}

// ToneOf is the tone of a category, 0 for none: the one nearest to its colour,
// or always the same one when it has no colour.
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

// hueOf is the hue of a colour #rrggbb in degrees; false for what is nearly
// grey.
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
