package ui

import "github.com/a-h/templ"

// Latest returns the maximum of a field for a day, by its input type. Without a maximum, browsers accept six-digit
// years.
func Latest(kind string) templ.Attributes {
	switch kind {
	case "datetime-local":
		return templ.Attributes{"max": "9999-12-31T23:59"}
	case "date":
		return templ.Attributes{"max": "9999-12-31"}
	}
	return nil
}
