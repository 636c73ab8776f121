// What is seen before the answer, and the answer.
import { board, clockText, dayOf, dayText, lastDay, minute, oneDay, written } from './board_time.js'
import { askWhich } from './which.js'

let original = null // the calendar as the server wrote it, while another is shown
export let busy = false

/** Shows an event at another time before the server has said anything. */
export function preview(event) {
  const seen = board()
  original ??= seen
  const copy = original.cloneNode(true)
  const pieces = [...copy.querySelectorAll(`:is(.cell, .hours) [data-id="${event.id}"]`)]
  const piece = pieces[0]?.cloneNode(true)
  for (const old of pieces) old.remove()
  if (piece) place(copy, piece, event)
  copy.classList.add('busy')
  swap(seen, copy)
  copy.querySelector(`[data-id="${event.id}"] a.title`)?.focus({ preventScroll: true })
}

function place(copy, piece, event) {
  const hours = piece.classList.contains('slot')
  const last = hours ? dayOf(event.start) : event.end - event.start < oneDay && !event.allDay ? dayOf(event.start) : lastDay(event.start, event.end)
  for (let day = dayOf(event.start); day <= last; day += oneDay) {
    const one = piece.cloneNode(true)
    if (hours) {
      one.className = piece.className.replace(/\b(at|for|lane)-[\d-]+/g, '')
      one.classList.add(`at-${Math.floor((event.start - day) / (15 * minute))}`, 'lane-1-1',
        `for-${Math.max(2, Math.ceil((Math.min(event.end, day + oneDay) - event.start) / (15 * minute)))}`)
    } else if (day > dayOf(event.start)) {
      one.className = one.className.replace(/\bover-\d/, '')
    }
    const when = one.querySelector('.when')
    if (when && !event.allDay) when.textContent = clockText(event.start)
    copy.querySelector(`${hours ? '.hours' : '.cell'}[data-day="${dayText(day)}"] ${hours ? '.slots' : '.events'}`)?.append(one)
  }
}

/** Puts one calendar in the place of another; the hours stay where they were scrolled to. */
function swap(old, fresh) {
  const before = old.querySelector('.plan-week')
  const [x, y] = [before?.scrollLeft, before?.scrollTop]
  old.replaceWith(fresh)
  const now = fresh.querySelector('.plan-week')
  if (before && now) [now.scrollLeft, now.scrollTop] = [x, y]
}

/** Takes back what was shown before the answer. */
function rollBack() {
  if (original) swap(board(), original)
  original = null
}

export function say(...content) {
  const line = document.getElementById('calendar-status')
  line.replaceChildren(...content)
}

function sayText(text, wrong) {
  const line = document.createElement('p')
  line.className = wrong ? 'notice' : 'said'
  line.textContent = text
  say(line)
}

const parse = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html')

/** Shows the calendar of a page that the server sent. */
function adopt(page) {
  const fresh = document.adoptNode(page.getElementById('calendar'))
  swap(board(), fresh)
  original = null
  const form = page.querySelector('#calendar-status form')
  if (form) say(document.adoptNode(form))
  else sayText(page.querySelector('main > .said')?.textContent ?? '')
  if (!document.getElementById('calendar-status').textContent.trim()) say()
}

/** Sends a form of the calendar; what comes back is shown. */
export async function post(action, fields, focus) {
  busy = true
  const form = new URLSearchParams(new FormData(document.getElementById('plan-form')))
  form.set('to', location.pathname + location.search)
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const failed = board().dataset.failed
  try {
    const answer = await fetch(action, { method: 'POST', body: form, redirect: 'follow' })
    const page = await parse(answer)
    if (answer.status === 401) return location.assign(location.href)
    const again = await askWhich(page)
    if (again === null) {
      rollBack()
      say()
      return focusOn(focus)
    }
    if (again) return await post(action, Object.fromEntries(again), focus)
    if (page.getElementById('calendar')) adopt(page)
    else if (answer.ok) return location.assign(answer.url)
    else await refused(page, failed)
    focusOn(focus)
  } catch {
    rollBack()
    sayText(failed, true)
  } finally {
    busy = false
  }
}

/** Says why an event stays where it is, and shows the calendar as it is now. */
async function refused(page, failed) {
  const why = [...page.querySelectorAll('main .wrong')].map((e) => e.textContent).join(' ') || page.querySelector('main [role=alert]')?.textContent ||
    page.querySelector('main h1 + p')?.textContent
  rollBack()
  const answer = await fetch(location.href)
  const fresh = answer.ok ? await parse(answer) : null
  if (fresh?.getElementById('calendar')) adopt(fresh)
  sayText(why?.trim() || failed, true)
}

function focusOn(id) {
  if (id) board().querySelector(`[data-id="${id}"] a.title:not([tabindex])`)?.focus({ preventScroll: true })
}

/** Moves an event: seen at once, then asked for. */
export function move(from, to) {
  if (from.start === to.start && from.end === to.end) return rollBack()
  preview(to)
  sayText(board().dataset.working)
  const text = to.allDay ? dayText : written
  return post(`/admin/events/${from.id}/move`, { version: from.version, start_date: text(to.start), end_date: text(to.end) }, from.id)
}
