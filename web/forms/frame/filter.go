package frame

import "github.com/a-h/templ"

// FoundPart is the id of the part of a list page with the results. amountPart is the id of their number, which
// screen readers announce, and linksPart that of the links beside the button of the filter. A script replaces all of them.
const (
	FoundPart  = "found"
	amountPart = "amount"
	linksPart  = "filter-links"
)

// FilterLive makes a list's filter form show results while it is filled in: a script replaces the results with
// those of the page that the form would open, and updates the address.
func FilterLive() templ.Attributes {
	return templ.Attributes{"data-swap": "#" + FoundPart, "data-push": true}
}

// TurnLive is FilterLive for the links that sort a list or turn its pages.
func TurnLive() templ.Attributes { return templ.Attributes{"data-swap": "#" + FoundPart} }
