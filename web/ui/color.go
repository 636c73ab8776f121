package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// RGB is an sRGB color with components from 0 to 1.
type RGB [3]float64

// StandardAccent is the default accent color in light mode.
const StandardAccent = "#1d5c86"

// ReadColor parses #rrggbb.
func ReadColor(text string) (RGB, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil || len(text) != 7 || text[0] != '#' {
		return RGB{}, false
	}
	return RGB{float64(n>>16) / 255, float64(n>>8&255) / 255, float64(n&255) / 255}, true
}

// String formats the color as #rrggbb.
func (c RGB) String() string {
	return fmt.Sprintf("#%02x%02x%02x", int(math.Round(c[0]*255)), int(math.Round(c[1]*255)), int(math.Round(c[2]*255)))
}

// mix returns the color mixed with a share of another.
func (c RGB) mix(other RGB, share float64) RGB {
	for i := range c {
		c[i] += (other[i] - c[i]) * share
	}
	return c
}

// luminance returns the relative luminance as defined by WCAG 2.2.
func (c RGB) luminance() float64 {
	for i, part := range c {
		if part <= 0.04045 {
			c[i] = part / 12.92
		} else {
			c[i] = math.Pow((part+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
}

// contrast returns the contrast ratio as defined by WCAG 2.2, from 1 to 21.
func contrast(a, b RGB) float64 {
	one, two := a.luminance(), b.luminance()
	return (math.Max(one, two) + 0.05) / (math.Min(one, two) + 0.05)
}
