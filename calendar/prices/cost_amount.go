package prices

import (
	"regexp"
	"strings"
)

// amountForms are the notations of numbers, tried in this order.
var amountForms = []struct {
	form   *regexp.Regexp
	groups string // the thousands separator
	comma  bool   // a comma is the decimal separator
}{
	{regexp.MustCompile("^[1-9][0-9]{0,2}(?:[ \u00a0\u202f'’][0-9]{3})+(?:[.,][0-9]{1,2})?"), " \u00a0\u202f'’", true},
	{regexp.MustCompile(`^[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?`), ",", false},
	{regexp.MustCompile(`^[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?`), ",", false}, // Indian
	{regexp.MustCompile(`^[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+`), ".", true},
	{regexp.MustCompile(`^[1-9][0-9]{0,2}(?:\.[0-9]{3})+`), ".", true},
	{regexp.MustCompile(`^[0-9]*[.,][0-9]+`), "", true},
	{regexp.MustCompile(`^[0-9]+`), "", true},
}

// goesOn matches if a number has not ended yet.
var goesOn = regexp.MustCompile(`^[.,]?[0-9]`)

// readAmount returns the number at the start of s, as written and as a decimal number: "1.000,50" is 1000.50, "1,000" and
// "1.000" are 1000, "10,50" is 10.50. It returns "" if there is none.
func readAmount(s string) (amount, value string) {
	for _, f := range amountForms {
		amount = f.form.FindString(s)
		if amount == "" || goesOn.MatchString(s[len(amount):]) {
			continue
		}
		value = strings.Map(func(r rune) rune {
			switch {
			case strings.ContainsRune(f.groups, r):
				return -1
			case r == ',':
				return '.'
			}
			return r
		}, amount)
		if value[0] == '.' {
			value = "0" + value
		}
		return amount, value
	}
	return "", ""
}

// ambiguous matches an amount whose point may separate thousands or three decimals.
var ambiguous = regexp.MustCompile(`^[1-9][0-9]{0,2}\.[0-9]{3}$`)

// leadingZero matches digits that are no amount by themselves, such as those of a telephone number.
var leadingZero = regexp.MustCompile(`^0[0-9]*[1-9]`)
