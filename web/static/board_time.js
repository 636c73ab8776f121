// The calendar of the administration, for those with a pointer and for keys.
// It does nothing that its links and forms don't do without it.
import { askWhich } from './which.js'

// Wall clocks are milliseconds as if they were UTC: no zone moves them.
const minute = 60_000
const oneDay = 24 * 60 * minute

const read = (text) => Date.parse(`${text.length === 10 ? `${text}T00:00:00` : text}Z`)
const written = (at) => new Date(at).toISOString().slice(0, 19)
const dayText = (at) => written(at).slice(0, 10)
const dayOf = (at) => Math.floor(at / oneDay) * oneDay

// What ends at midnight doesn't happen on the day that begins there.
const lastDay = (start, end) => dayOf(end > start && end % oneDay === 0 ? end - 1 : end)

const hourCycles = { 12: 'h12', 24: 'h23' }
const clockText = (at) => new Intl.DateTimeFormat(document.documentElement.lang,
  { timeStyle: 'short', timeZone: 'UTC', hourCycle: hourCycles[board().dataset.clock] }).format(at)

const snapped = (at) => Math.round(at / (15 * minute)) * 15 * minute

const board = () => document.getElementById('calendar')
const leftToRight = () => document.documentElement.dir !== 'rtl'

/** What is known of the event that an element of the calendar shows. */
const factsOf = (item) => ({
  id: item.dataset.id, version: item.dataset.version, start: read(item.dataset.start), end: read(item.dataset.end), allDay: 'allDay' in item.dataset,
})

/** The same event at another time, its length and its clock kept. */
const shifted = (event, by) => ({ ...event, start: event.start + by, end: event.end + by })

/** The same event with another end, never before its start. */
function ended(event, end) {
  const least = event.allDay || board().dataset.view !== 'week' ? Math.min(event.end, dayOf(event.start) + (event.end % oneDay)) : event.start + 15 * minute
  return { ...event, end: Math.max(end, least, event.start) }
}

/** The same event with another start, never after its end. */
const begun = (event, start) => ({ ...event, start: Math.min(start, dayOf(event.end) + (event.start % oneDay), event.end) })
