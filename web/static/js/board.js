// The calendar of the administration, for those with a pointer and for keys: what is seen before the answer, and the answer. It does nothing
// that its links and forms don't do without it.
import { ask, later, make, put } from './ask.js'
import { board, clockText, dayOf, dayText, ended, factsOf, lastDay, leftToRight, minute, oneDay, shifted, written } from './clock.js'
import { dialogOf, modal } from './dialog.js'

let original = null // the calendar as the server wrote it, while another is shown
export let busy = false

/** Shows an event at another time before the server has said anything. */
function preview(event) {
  const seen = board()
  original ??= seen
  const copy = original.cloneNode(true)
  const pieces = [...copy.querySelectorAll(`:is(.cell, .hours) [data-id="${event.id}"]`)]
  const piece = pieces[0]?.cloneNode(true)
  for (const old of pieces) old.remove()
  if (piece) place(copy, piece, event)
  copy.classList.add('busy')
  put(seen, copy)
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

/** Takes back what was shown before the answer. */
function rollBack() {
  if (original) put(board(), original)
  original = null
}

const say = (...content) => document.getElementById('calendar-status').replaceChildren(...content)

function sayText(text, wrong) {
  say(make('p', { className: wrong ? 'notice' : 'said' }, text))
}

/** Shows the calendar of a page that the server sent. */
function adopt(page) {
  put(board(), page.getElementById('calendar'))
  original = null
  const form = page.querySelector('#calendar-status form')
  if (form) say(form)
  else sayText(page.querySelector('main > .said')?.textContent ?? '')
  if (!document.getElementById('calendar-status').textContent.trim()) say()
}

/** Sends a form of the calendar; what comes back is shown. */
async function post(action, fields, focus) {
  busy = true
  const form = new URLSearchParams(new FormData(document.getElementById('plan-form')))
  form.set('to', location.pathname + location.search)
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  try {
    await shown(await ask(action, { body: form }), action, focus)
  } finally {
    busy = false
  }
}

/** Shows an answer; what a change to a date of a series applies to is asked first. */
async function shown(answer, action, focus) {
  if (answer.status === 401) return location.assign(location.href)
  const again = answer.status ? await askWhich(answer.part) : undefined
  if (again) return await post(action, Object.fromEntries(again), focus)
  if (again === null) {
    rollBack()
    say()
  } else if (answer.part.getElementById('calendar')) adopt(answer.part)
  else if (answer.ok) return location.assign(answer.url)
  else await refused(answer.part)
  focusOn(focus)
}

/** Says why an event stays where it is, and shows the calendar as it is now. */
async function refused(page) {
  const why = [...page.querySelectorAll('main .wrong')].map((e) => e.textContent).join(' ') || page.querySelector('main [role=alert]')?.textContent ||
    page.querySelector('main h1 + p')?.textContent
  rollBack()
  const { part } = await ask(location.href)
  if (part.getElementById('calendar')) adopt(part)
  sayText(why?.trim() || board().dataset.failed, true)
}

function focusOn(id) {
  if (id) board().querySelector(`[data-id="${id}"] a.title:not([tabindex])`)?.focus({ preventScroll: true })
}

/** Asks in a dialog what a change to one date of a series applies to, with the form of the page that came: the form as it is to be sent, null
 *  when nothing shall change, undefined when the page asks nothing. */
async function askWhich(page) {
  const form = page.querySelector('form.which')
  if (!form) return undefined
  return await modal(dialogOf('which-title', page.querySelector('#which-title'), form), (end) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      end(new FormData(form, event.submitter))
    })
    form.querySelector('[type=radio]:checked')?.focus()
  }) ?? null
}

/** Moves an event: seen at once, then asked for. */
export function move(from, to) {
  if (from.start === to.start && from.end === to.end) return rollBack()
  preview(to)
  sayText(board().dataset.working)
  const text = to.allDay ? dayText : written
  return post(`/admin/events/${from.id}/move`, { version: from.version, start_date: text(to.start), end_date: text(to.end) }, from.id)
}

// By keyboard: Alt and the arrows, with Shift the end.
let pressed = null // what keys have asked for and nobody has sent yet
const pause = 500 // milliseconds after the last key
const sendPressed = later(pause, () => {
  const { from, to } = pressed
  pressed = null
  move(from, to)
})

document.addEventListener('keydown', (e) => {
  const item = e.target.closest?.('#calendar .event[data-movable]')
  if (!item || !e.altKey || e.ctrlKey || e.metaKey || !e.key.startsWith('Arrow')) return
  e.preventDefault()
  if (busy || (pressed && pressed.from.id !== item.dataset.id)) return
  pressed ??= { from: factsOf(item) }
  pressed.to = stepped(pressed.to ?? pressed.from, e.key, e.shiftKey, item.classList.contains('slot'))
  sendPressed()
  preview(pressed.to)
})

/** The event after one key. */
function stepped(event, key, end, hours) {
  const on = { ArrowRight: leftToRight() ? 1 : -1, ArrowLeft: leftToRight() ? -1 : 1 }[key]
  const down = { ArrowDown: 1, ArrowUp: -1 }[key]
  const by = on ? on * oneDay : down * (hours ? 15 * minute : 7 * oneDay)
  return end ? ended(event, event.end + by) : shifted(event, by)
}

document.addEventListener('submit', (e) => {
  const form = e.target.closest('#calendar-status form')
  if (!form || busy) return
  e.preventDefault()
  const id = form.getAttribute('action').match(/\d+/)[0]
  post(form.getAttribute('action'), { ...Object.fromEntries(new FormData(form)), undo: '1' }, id)
})

/** Shows the hours in which most things happen. */
function toMorning() {
  const week = board()?.querySelector('.plan-week')
  if (week && week.scrollTop === 0) week.scrollTop = week.querySelector('.morning').offsetTop // within the hours, which begin below the heads
}

document.addEventListener('moved', () => {
  say()
  toMorning()
  const to = document.querySelector('form.language input[name=to]')
  if (to) to.value = location.pathname + location.search
})

toMorning()
