package platform

import (
	"golang.org/x/text/currency"
	"golang.org/x/text/language"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// derive fills in settings that the request for a new site leaves out. The currency is the installation's usual
// currency if there is one, otherwise that of the country of the time zone, otherwise that of the country with the
// most speakers of the language. The symbol and its position are as this language writes them in that country. It
// also sets the calendar for dates. If no country is known, the provider's defaults apply.
func (f *SiteFields) derive(site *tenancy.Site, usual string) {
	asked := f.Settings.Or(args.Object[SettingsFields]{}).Fields
	country := args.CountryOf(site.Timezone)
	code, given := asked.CurrencyCode.Get()
	if !given {
		if code = usual; code == "" {
			code = currencyOf(country, site.Language)
		}
	}
	position := asked.CurrencyPosition.Or(tenancy.ByLanguage)
	site.Settings.CurrencyFixed = position != tenancy.ByLanguage
	if settings := &site.Settings; code != "" {
		settings.CurrencyCode = code
		if !asked.CurrencySymbol.Given() {
			settings.CurrencySymbol = tenancy.CurrencySymbol(code, country, site.Language)
		}
		if !settings.CurrencyFixed {
			settings.CurrencyPosition = "postfix"
			if tenancy.SymbolFirst(country, site.Language) {
				settings.CurrencyPosition = "prefix"
			}
		}
	}
	if base, _ := language.Make(site.Language).Base(); base.String() == "fa" {
		site.Settings.Calendar = "jalali"
	}
}

// newer are the currencies that countries have adopted since the data of golang.org/x/text.
var newer = map[string]string{
	"BG": "EUR", "HR": "EUR", "CW": "XCG", "SX": "XCG", "MR": "MRU", "ST": "STN", "SL": "SLE", "VE": "VES", "ZW": "ZWG",
}

// currencyOf returns the code of a country's currency. Without a country, or if the country has no currency, it
// returns the currency of the language, or "" if there is none.
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
