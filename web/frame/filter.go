package frame

import "github.com/a-h/templ"

// The parts of a list's page: what was found, and how much that is, which is
// read out.
const (
	FoundPart  = "found"
	amountPart = "amount"
)

// FilterLive lets a list's form of filters show what it finds while it is filled
// in: of the page that sending the form leads to, what was found takes the place
// of what is here, and the address follows.
func FilterLive(address string) templ.Attributes {
	return templ.Attributes{
		"hx-get":        address,
		"hx-trigger":    "submit, input delay:300ms",
		"hx-target":     "#" + FoundPart,
		"hx-select":     "#" + FoundPart,
		"hx-select-oob": "#" + amountPart + ":innerHTML",
		"hx-swap":       "outerHTML",
		"hx-push-url":   "true",
		"hx-sync":       "this:replace",
	}
}

// TurnLive is filterLive for the links of a list that sort it and turn its pages.
func TurnLive() templ.Attributes {
	return templ.Attributes{
		"hx-boost":      "true",
		"hx-target":     "#" + FoundPart,
		"hx-select":     "#" + FoundPart,
		"hx-select-oob": "#" + amountPart + ":innerHTML",
		"hx-swap":       "outerHTML show:none",
	}
}
