package terms

import "github.com/kalends/kalends/web/forms/frame"

// anyColor is the value of a color field if no color is chosen, because browsers do not allow an empty value.
const anyColor = "#3366cc"

// colorIn returns the color that a form chooses, or "" for none. A newly picked color counts even if the box "none"
// is still ticked.
func colorIn(f *frame.Form) string {
	color, was := f.Get("color"), f.Get("color_was")
	picked := was == "" && color != anyColor
	if f.Ticked("color_none") && !picked {
		return ""
	}
	return color
}

// colorShown is the value of the color field.
func colorShown(f *frame.Form) string {
	if color := f.Get("color"); color != "" {
		return color
	}
	return anyColor
}

// colorless reports whether the form chooses no color.
func colorless(f *frame.Form) bool {
	if !f.Has("color_none") {
		return f.Get("color") == ""
	}
	return colorIn(f) == ""
}
