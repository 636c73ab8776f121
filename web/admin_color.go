package web

// anyColor is what a field for a colour shows where none is chosen: browsers
// know no empty one.
const anyColor = "#3366cc"

// color is the colour a form chooses, "" for none. Who picks a colour means it,
// though the box that says "none" is still ticked as it was.
func (f *form) color() string {
	color, was := f.get("color"), f.get("color_was")
	picked := was == "" && color != anyColor
	if f.ticked("color_none") && !picked {
		return ""
	}
	return color
}

// colorShown is what the field for a colour shows.
func (f *form) colorShown() string {
	if color := f.get("color"); color != "" {
		return color
	}
	return anyColor
}

// colorless reports whether the form chooses no colour.
func (f *form) colorless() bool {
	if !f.has("color_none") {
		return f.get("color") == ""
	}
	return f.color() == ""
}
