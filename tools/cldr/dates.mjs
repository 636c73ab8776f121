// Prints the keys of a catalogue that are facts of CLDR: names of months and days,
// patterns of dates and times, digits, the first day of the week. Node has CLDR in it.
//
//   node tools/cldr/dates.mjs pl >dates.json
//
// What a language has besides (forms of months and days in sentences) is for people.

const language = process.argv[2]
if (!language) {
  console.error('dates.mjs: which language?')
  process.exit(2)
}
const locale = new Intl.Locale(language, { calendar: 'gregory' })
const keys = {}
const warnings = []
const day = (month, date, hour = 19, minute = 30, year = 2027) => new Date(Date.UTC(year, month - 1, date, hour, minute))
const format = options => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
const parts = (options, date) => format(options).formatToParts(date)
const part = (type, options, date) => parts(options, date).find(p => p.type === type)?.value ?? ''

const digits = [...new Intl.NumberFormat(language, { useGrouping: false }).format(9876543210)].reverse().join('')
const latin = text => [...text].map(c => digits.includes(c) ? String(digits.indexOf(c)) : c).join('')
keys['date.digits'] = digits
keys['date.first'] = digits[1]
keys['date.decimal'] = new Intl.NumberFormat(language).formatToParts(1.5).find(p => p.type === 'decimal').value

// Names. A month is called otherwise with a day before it than alone in some languages.
const withDay = style => month => part('month', { year: 'numeric', month: style, day: 'numeric' }, day(month, 7))
const alone = style => month => {
  const name = part('month', { year: 'numeric', month: style }, day(month, 7))
  return /^\p{Nd}+$/u.test(name) ? format({ month: style }).format(day(month, 7)) : name // with its sign, where it is a number
}
for (const [style, short] of [['long', ''], ['short', 'short.']]) {
  for (let month = 1; month <= 12; month++) {
    const name = alone(style)(month)
    let dated = withDay(style)(month)
    if (latin(dated).match(/^\d+$/)) dated = part('month', { month: style, day: 'numeric', weekday: 'long' }, day(month, 7))
    if (latin(dated).match(/^\d+$/) || /\p{Script=Han}|\p{Script=Hangul}/u.test(name)) dated = name
    keys[`date.month.${short}${month}`] = dated
    if (dated !== name) keys[`date.month.${short}${month}@alone`] = name
  }
  for (let n = 1; n <= 7; n++) keys[`date.weekday.${short}${n}`] = part('weekday', { weekday: style }, day(3, n)) // 1 March 2027 is a Monday
}

// Patterns, read off one written date: Sunday, 7 March 2027, 7:30 in the evening.
const quoted = text => text.replace(/\u202f/g, '\u00a0').replace(/[A-Za-z]+/g, "'$&'")
const names = style => ({ long: keys['date.weekday.7'], short: keys['date.weekday.short.7'] })[style]
const pattern = (options, date = day(3, 7)) => parts(options, date).map(p => {
  const value = latin(p.value)
  switch (p.type) {
    case 'weekday': {
      const name = names(options.weekday)
      if (p.value !== name && p.value !== name + '.') warnings.push(`weekday ${p.value} in a date, ${name} alone`)
      return (options.weekday === 'long' ? 'EEEE' : 'EEE') + (p.value === name + '.' ? "'.'" : '')
    }
    case 'day': return value.length > 1 ? 'dd' : 'd'
    case 'month': {
      if (/^\d+$/.test(value)) return value.length > 1 ? 'MM' : 'M'
      const style = options.month === 'long' ? 'long' : 'short'
      const letters = style === 'long' ? 'MMMM' : 'MMM'
      return p.value === alone(style)(3) && p.value !== withDay(style)(3) ? letters.replaceAll('M', 'L') : letters
    }
    case 'year': return 'y'
    case 'hour': return options.hourCycle === 'h23' ? 'H'.repeat(latin(part('hour', options, day(3, 7, 7))).length) : 'h'
    case 'minute': return 'mm'
    case 'dayPeriod': return 'a'
    case 'literal': return quoted(p.value)
  }
  throw new Error(`no letter for ${p.type}`)
}).join('')

const long = { weekday: 'long', month: 'long', day: 'numeric' }
const medium = { weekday: 'short', month: 'short', day: 'numeric' }
const short = { weekday: 'short', month: 'numeric', day: 'numeric' }
const year = { year: 'numeric' }
const bare = ({ weekday, ...rest }) => rest
for (const [form, options] of [['', long], ['.medium', medium], ['.short', short]]) {
  keys[`date.pattern.full${form}`] = pattern({ ...options, ...year })
  keys[`date.pattern.day${form}`] = pattern(options)
}
keys['date.pattern.month'] = pattern({ month: 'long', ...year })
keys['date.pattern.short'] = pattern({ ...bare(medium), ...year })
keys['date.pattern.short.day'] = pattern(bare(medium))
keys['date.pattern.short.short'] = pattern({ ...bare(short), ...year })
keys['date.pattern.short.day.short'] = pattern(bare(short))
// The form of ISO 8601, with the weekday where the language has it.
const weekday = keys['date.pattern.full.short'].match(/^(EEE(?:'\.')?[,،]?) ?/) ?? keys['date.pattern.full.short'].match(/(.?EEE(?:'\.')?\)?)$/)
for (const [name, date] of [['full', 'y-MM-dd'], ['day', 'MM-dd']]) {
  const last = weekday.index > 0
  keys[`date.pattern.${name}.iso`] = last ? date + weekday[1].replace(/^[^(]?EEE/, ' EEE') : `${weekday[1]} ${date}`
}
keys['date.pattern.short.iso'] = 'y-MM-dd'
keys['date.pattern.short.day.iso'] = 'MM-dd'

// Times hold together: their blanks are fixed.
const fixed = text => text.replace(/[\s\u00a0]/g, '\u00a0')
const time = hourCycle => fixed(pattern({ timeStyle: 'short', hourCycle }))
keys['date.pattern.time.12'] = time('h12')
keys['date.pattern.time.24'] = time('h23')
const cycle = format({ hour: 'numeric' }).resolvedOptions().hourCycle
keys['date.pattern.time'] = cycle === 'h12' || cycle === 'h11' ? keys['date.pattern.time.12'] : keys['date.pattern.time.24']
keys['date.am'] = fixed(part('dayPeriod', { hour: 'numeric', hourCycle: 'h12' }, day(3, 7, 7)))
keys['date.pm'] = fixed(part('dayPeriod', { hour: 'numeric', hourCycle: 'h12' }, day(3, 7, 19)))

// Signs between: day and time, start and end.
const dated = format({ dateStyle: 'medium' }).format(day(3, 7)), timed = format({ timeStyle: 'short' }).format(day(3, 7))
const both = format({ dateStyle: 'medium', timeStyle: 'short' }).format(day(3, 7))
const join = both.startsWith(dated) && both.endsWith(timed) ? both.slice(dated.length, both.length - timed.length) : ' '
keys['date.join'] = `{{.Day}}${join}{{.Time}}`
const shared = (options, from, to) => {
  const list = format(options).formatRangeToParts(from, to)
  const at = list.findIndex(p => p.source === 'endRange')
  return list[at - 1]?.source === 'shared' ? list[at - 1].value.replace(/\u2009/g, ' ').replace(/[)分]/g, '') : ' – '
}
keys['date.range'] = `{{.Start}}${shared({ ...long, ...year }, day(3, 7), day(5, 9, 19, 30, 2028))}{{.End}}`
const times = shared({ hour: 'numeric', minute: '2-digit', hourCycle: 'h23' }, day(3, 7, 19), day(3, 7, 21))
keys['date.time.range'] = `{{.Start}}${cycle.startsWith('h1') ? ' – ' : times}{{.End}}`
keys['date.time.range.12'] = '{{.Start}} – {{.End}}'
keys['date.time.one'] = keys['date.time.one.12'] = '{{.Time}}'

keys['date.week.start'] = String((locale.maximize().getWeekInfo?.() ?? locale.maximize().weekInfo).firstDay)

// The smallest number that is grouped; of those that group by two further on, one that shows it.
const grouped = n => latin(new Intl.NumberFormat(language).format(n))
const groups = grouped(123456789).split(/\D+/)
keys['date.grouped'] = groups.at(-2).length === 2 ? grouped(123456) : grouped(1234) === '1234' ? grouped(12345) : grouped(1234)

const list = new Intl.ListFormat(language, { type: 'conjunction' })
const A = '{{.First}}', B = '{{.Second}}'
keys['recurrence.list.two'] = list.format([A, B])
keys['recurrence.list.more'] = list.formatToParts([A, 'x', 'y', B]).slice(0, 2).map(p => p.value).join('') + B
keys['recurrence.list.last'] = A + list.formatToParts([A, 'x', B]).slice(-2).map(p => p.value).join('')

for (const warning of new Set(warnings)) console.error(`dates.mjs: ${language}: ${warning}`)
console.log(JSON.stringify(Object.fromEntries(Object.entries(keys).sort()), null, 2))
