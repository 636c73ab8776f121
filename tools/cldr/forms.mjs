// Prints what Node writes for one evening in each language of the interface, for
// web/ui/testdata/cldr.json: what the patterns of the catalogues must come to.
//
//	node tools/cldr/forms.mjs >web/ui/testdata/cldr.json
import { readdirSync } from 'node:fs'

const evening = new Date(Date.UTC(2027, 2, 7, 19, 30)), morning = new Date(Date.UTC(2027, 3, 15, 8, 5))
const forms = {}
for (const file of readdirSync(new URL('../../i18n/texts/', import.meta.url)).filter((name) => name.endsWith('.json')).sort()) {
  const language = file.replace('.json', '')
  const locale = new Intl.Locale(language, { calendar: 'gregory', numberingSystem: language === 'ar' ? 'arab' : undefined })
  const write = (date, options) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(date).replace(/[\u202f\u00a0\u2009]/g, ' ')
  const full = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }
  const number = (n) => new Intl.NumberFormat(locale).format(n).replace(/\u202f/g, ' ').replace(/\u00a0/g, ' ')
  forms[language] = {
    full: write(evening, full), april: write(morning, full),
    month: write(evening, { year: 'numeric', month: 'long' }),
    medium: write(evening, { year: 'numeric', month: 'short', day: 'numeric' }),
    short: write(evening, { year: 'numeric', month: 'numeric', day: 'numeric' }),
    time: write(evening, { timeStyle: 'short' }), early: write(morning, { timeStyle: 'short' }),
    thousand: number(1234), tenThousand: number(12345), million: number(1234567),
    week: (locale.maximize().getWeekInfo?.() ?? locale.maximize().weekInfo).firstDay,
  }
}
console.log(JSON.stringify(forms, null, 2))
