package frame

import (
	"context"
	"encoding/json"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/i18n"
)

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

// pluralSamples has a number of each plural form that numbers of ticked entries have in any language.
var pluralSamples = []int{0, 1, 2, 3, 5, 11, 100}

// CountedLive are attributes of a button whose text is about the number of ticked entries, as Counted. A script keeps it up to date.
func CountedLive(ctx context.Context, key string) templ.Attributes {
	type form struct {
		For  int    `json:"for"`
		Text string `json:"text"`
	}
	forms := make([]form, 0, len(pluralSamples))
	for _, n := range pluralSamples {
		forms = append(forms, form{n, i18n.T(ctx, "admin."+key, map[string]any{"Count": n, "Number": "#"})})
	}
	text, _ := json.Marshal(forms) //nolint:errchkjson // texts and numbers
	return templ.Attributes{"data-forms": string(text)}
}
