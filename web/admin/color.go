package admin

import "github.com/kalends/kalends/web/forms/frame"

// anyColor is what a field for a colour shows where none is chosen: browsers
// know no empty one.
const anyColor = "#3366cc"

// colorIn is the colour a form chooses, "" for none. Who picks a colour means it,
// though the box that says "none" is still ticked as it was.
func colorIn(f *frame.Form) string {
	color, was := f.Get("color"), f.Get("color_was")
	picked := was == "" && color != anyColor
	if f.Ticked("color_none") && !picked {
		return ""
	}
	return color
}

// colorShown is what the field for a colour shows.
func colorShown(f *frame.Form) string {
	if color := f.Get("color"); color != "" {
		return color
	}
	return anyColor
}

// colorless reports whether the form chooses no colour.
func colorless(f *frame.Form) bool {
	if !f.Has("color_none") {
		return f.Get("color") == ""
	}
	return colorIn(f) == ""
}
