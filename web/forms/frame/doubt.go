package frame

import "github.com/kalends/kalends/calendar/editing"

// SureField is the form field that names the doubts which the page has shown.
const SureField = "meant"

// DespiteDoubts returns the text key of a button that saves or publishes: its own, or, if the page shows doubts, the one for
// doing so all the same.
func DespiteDoubts(d *editing.Doubts, do, key string) string {
	switch {
	case d == nil:
		return key
	case do == "publish":
		return "doubt.publish"
	}
	return "doubt.save"
}
