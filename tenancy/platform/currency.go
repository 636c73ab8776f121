package platform

import (
	"slices"
	"strings"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// derive sets what the request for a new site leaves out. The currency is the usual one of the installation if there is one, or else that of
// the country of its time zone, or else of the country where most people speak its language. Symbol and position are as this language writes
// them in that country. It also sets the calendar for dates. If no country is known, the provider's defaults stay.
func (f *SiteFields) derive(site *tenancy.Site, usual string) {
	asked := f.Settings.Or(args.Object[SettingsFields]{}).Fields
	country := args.CountryOf(site.Timezone)
	code, given := asked.CurrencyCode.Get()
	if !given {
		if code = usual; code == "" {
			code = currencyOf(country, site.Language)
		}
	}
	if settings := &site.Settings; code != "" {
		settings.CurrencyCode = code
		if !asked.CurrencySymbol.Given() {
			settings.CurrencySymbol = symbolOf(code, country, site.Language)
		}
		if !asked.CurrencyPosition.Given() {
			settings.CurrencyPosition = positionOf(country, site.Language)
		}
	}
	if base, _ := language.Make(site.Language).Base(); base.String() == "fa" {
		site.Settings.Calendar = "jalali"
	}
}

// newer are the currencies that countries have adopted since the data of golang.org/x/text.
var newer = map[string]string{"BG": "EUR", "HR": "EUR", "CW": "XCG", "SX": "XCG", "MR": "MRU", "ST": "STN", "SL": "SLE", "VE": "VES", "ZW": "ZWG"}

// currencyOf returns the code of a country's currency. Without a country, or for one without a currency, it is the currency of
// the language, or "" if there is none.
func currencyOf(country, tag string) string {
	if code := newer[country]; code != "" {
		return code
	}
	region, err := language.ParseRegion(country)
	if err != nil {
		region, _ = language.Make(tag).Region()
	}
	unit, known := currency.FromRegion(region)
	if !known && country != "" {
		return currencyOf("", tag) // Antarctica
	}
	if !known {
		return ""
	}
	return unit.String()
}

// symbolOf returns how a language writes a currency in a country, such as "$" for CAD in Canada, or the code if it has no
// symbol.
func symbolOf(code, country, tag string) string {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return code
	}
	spoken := language.Make(tag)
	if region, err := language.ParseRegion(country); err == nil {
		if local, err := language.Compose(spoken, region); err == nil {
			spoken = local
		}
	}
	symbol := message.NewPrinter(spoken).Sprint(currency.Symbol(unit))
	symbol = strings.Trim(symbol, "\u200e\u200f")
	return strings.ReplaceAll(symbol, "￥", "¥")
}

// Languages that write the symbol before the amount, and the countries that do it the other way, as in the standard patterns
// for currencies of CLDR.
var (
	symbolFirst   = []string{"en", "fa", "hi", "id", "ja", "ko", "nl", "pt", "tr", "zh"}
	symbolFirstIn = map[string][]string{"de": {"AT", "CH", "LI"}, "it": {"CH"},
		"es": {"AR", "BO", "CL", "CO", "CR", "CU", "DO", "EC", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "PY", "SV", "US", "UY", "VE"}}
	symbolLastIn = map[string][]string{"pt": {"AO", "CH", "CV", "GQ", "GW", "LU", "MO", "MZ", "PT", "ST", "TL"}}
)

// positionOf returns where a language puts the symbol in a country.
func positionOf(country, tag string) string {
	base, _ := language.Make(tag).Base()
	spoken := base.String()
	first := slices.Contains(symbolFirst, spoken) && !slices.Contains(symbolLastIn[spoken], country)
	if first || slices.Contains(symbolFirstIn[spoken], country) {
		return "prefix"
	}
	return "postfix"
}
