package frame

import "github.com/kalends/kalends/calendar/editing"

// SureField is the form field that names the doubts shown on the page.
const SureField = "meant"

// DespiteDoubts returns the text key of a button that saves or publishes: key or, if the page shows doubts, the key
// of the text for doing so anyway.
func DespiteDoubts(d *editing.Doubts, do, key string) string {
	switch {
	case d == nil:
		return key
	case do == "publish":
		return "doubt.publish"
	}
	return "doubt.save"
}
