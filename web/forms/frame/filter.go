package frame

import "github.com/a-h/templ"

// The ids of the parts of a list page: the results and their count, which is read out by screen readers.
const (
	FoundPart  = "found"
	amountPart = "amount"
)

// FilterLive makes a list's filter form show results while it is filled in: a script replaces the results with those
// of the page that the form leads to, and updates the address.
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

// TurnLive is FilterLive for the links that sort a list or turn its pages.
func TurnLive() templ.Attributes {
	return templ.Attributes{
		"hx-boost":      "true",
		"hx-target":     "#" + FoundPart,
		"hx-select":     "#" + FoundPart,
		"hx-select-oob": "#" + amountPart + ":innerHTML",
		"hx-swap":       "outerHTML show:none",
	}
}
