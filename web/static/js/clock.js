// Times of the calendar. Wall clocks are milliseconds as if they were UTC: no zone moves them.
export const minute = 60_000
export const oneDay = 24 * 60 * minute

export const read = (text) => Date.parse(`${text.length === 10 ? `${text}T00:00:00` : text}Z`)
export const written = (at) => new Date(at).toISOString().slice(0, 19)
export const dayText = (at) => written(at).slice(0, 10)
export const dayOf = (at) => Math.floor(at / oneDay) * oneDay

// What ends at midnight doesn't happen on the day that begins there.
export const lastDay = (start, end) => dayOf(end > start && end % oneDay === 0 ? end - 1 : end)

const hourCycles = { 12: 'h12', 24: 'h23' }
export const clockText = (at) => new Intl.DateTimeFormat(document.documentElement.lang,
  { timeStyle: 'short', timeZone: 'UTC', hourCycle: hourCycles[board().dataset.clock] }).format(at)

export const snapped = (at) => Math.round(at / (15 * minute)) * 15 * minute

export const board = () => document.getElementById('calendar')
export const leftToRight = () => document.documentElement.dir !== 'rtl'

/** What is known of the event that an element of the calendar shows. */
export const factsOf = (item) => ({
  id: item.dataset.id, version: item.dataset.version, start: read(item.dataset.start), end: read(item.dataset.end), allDay: 'allDay' in item.dataset,
})

/** The same event at another time, its length and its clock kept. */
export const shifted = (event, by) => ({ ...event, start: event.start + by, end: event.end + by })

/** The same event with another end, never before its start. */
export function ended(event, end) {
  const least = event.allDay || board().dataset.view !== 'week' ? Math.min(event.end, dayOf(event.start) + (event.end % oneDay)) : event.start + 15 * minute
  return { ...event, end: Math.max(end, least, event.start) }
}

/** The same event with another start, never after its end. */
export const begun = (event, start) => ({ ...event, start: Math.min(start, dayOf(event.end) + (event.start % oneDay), event.end) })
