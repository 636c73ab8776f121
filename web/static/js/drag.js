// Dragging, with mouse, pen and finger.
import { begun, board, clockText, dayOf, dayText, ended, factsOf, lastDay, minute, oneDay, read, shifted, snapped, written } from './clock.js'
import { busy, move } from './board.js'

const slack = 5 // pixels before a press is a drag
const longPress = 450 // milliseconds before a touch is

let drag = null

const days = () => [...board().querySelectorAll('[data-day]')]
const inside = (box, x, y) => x >= box.left && x < box.right && y >= box.top && y < box.bottom

/** The box of a day at a point; by its hours, or as a whole. */
function dayAt(x, y, hours) {
  const found = days().filter((d) => d.classList.contains('hours') === hours)
  return found.find((d) => hours ? x >= d.getBoundingClientRect().left && x < d.getBoundingClientRect().right : inside(d.getBoundingClientRect(), x, y))
}

/** The moment at a point of the hours. */
function momentAt(box, y) {
  const { top, height } = box.getBoundingClientRect()
  return read(box.dataset.day) + Math.min(Math.max((y - top) / height, 0), 1) * oneDay
}

document.addEventListener('pointerdown', (e) => {
  if (e.button !== 0 || !e.isPrimary || busy || drag || !e.target.closest?.('#calendar')) return
  const item = e.target.closest('.event[data-movable]')
  const ground = e.target.closest('.hours, .cell')
  if (e.target.closest('.move, .number, .add, .more') || !ground || (!item && e.target.closest('.event'))) return
  if (e.target.closest('.row')) return
  const hours = ground.classList.contains('hours')
  drag = { pointer: e.pointerId, touch: e.pointerType === 'touch', x: e.clientX, y: e.clientY, item, hours, on: false,
    grip: item && e.target.classList.contains('grip') ? e.target.className.replace(/.*grip-/, '') : '',
    event: item && factsOf(item), from: hours ? momentAt(ground, e.clientY) : read(ground.dataset.day) }
  if (drag.touch) drag.timer = setTimeout(begin, longPress)
})

document.addEventListener('pointermove', (e) => {
  if (!drag || e.pointerId !== drag.pointer) return
  const far = Math.hypot(e.clientX - drag.x, e.clientY - drag.y) > slack
  if (!drag.on && far && drag.touch) return stop()
  if (!drag.on && far) begin()
  if (drag.on) over(e.clientX, e.clientY)
})

function begin() {
  drag.on = true
  document.documentElement.classList.add('grabbing')
  if (drag.item) for (const piece of board().querySelectorAll(`[data-id="${drag.event.id}"]`)) piece.classList.add('dragging')
  if (drag.touch) navigator.vibrate?.(10)
  over(drag.x, drag.y)
}

/** Says what letting go here would do, and shows it. */
function over(x, y) {
  const box = dayAt(x, y, drag.hours)
  if (!box) return
  scrollHours(y)
  const at = drag.hours ? momentAt(box, y) : read(box.dataset.day)
  drag.to = drag.item ? target(at) : ground(at)
  show(drag.to)
}

/** The event as it would be with the pointer at a time. */
function target(at) {
  const { event, from, grip, hours } = drag
  if (grip === 'below') return ended(event, snapped(at))
  if (grip === 'end') return ended(event, event.end + at - lastDay(event.start, event.end))
  if (grip === 'start') return begun(event, event.start + at - dayOf(event.start))
  if (!hours) return shifted(event, at - from)
  const by = dayOf(at) - dayOf(from)
  const within = at % oneDay - from % oneDay
  if (Math.abs(within) < 7.5 * minute) return shifted(event, by)
  return shifted(event, snapped(event.start + by + within) - event.start)
}

/** The time of an event that begins on empty ground. */
function ground(at) {
  if (!drag.hours) return { start: Math.min(at, drag.from), end: Math.max(at, drag.from), allDay: true }
  const quarter = 15 * minute
  const [a, b] = [drag.from, dayOf(drag.from) + at % oneDay].sort((x, y) => x - y)
  return { start: Math.floor(a / quarter) * quarter, end: Math.max(Math.ceil(b / quarter) * quarter, Math.floor(a / quarter) * quarter + quarter) }
}

function show(to) {
  clearShown()
  if (drag.hours) {
    const day = dayOf(to.start)
    const list = board().querySelector(`.hours[data-day="${dayText(day)}"] .slots`)
    const ghost = document.createElement('li')
    ghost.className = `ghost at-${Math.floor((to.start - day) / (15 * minute))} for-${Math.max(1, Math.round((Math.min(to.end, day + oneDay) - to.start) / (15 * minute)))}`
    ghost.textContent = `${clockText(to.start)} – ${clockText(to.end)}`
    list?.append(ghost)
    return
  }
  const last = to.allDay || to.end - to.start >= oneDay ? lastDay(to.start, to.end) : dayOf(to.start)
  for (const cell of days()) {
    const day = read(cell.dataset.day)
    cell.classList.toggle('target', !cell.classList.contains('hours') && day >= dayOf(to.start) && day <= last)
  }
}

function clearShown() {
  for (const ghost of board().querySelectorAll('.ghost')) ghost.remove()
  for (const cell of board().querySelectorAll('.target')) cell.classList.remove('target')
}

function scrollHours(y) {
  const box = board().querySelector('.plan-week')
  if (!box || !drag.hours) return
  const { top, bottom } = box.getBoundingClientRect()
  if (y > bottom - 24) box.scrollTop += 12
  if (y < top + 90) box.scrollTop -= 12
}

function stop() {
  clearTimeout(drag.timer)
  document.documentElement.classList.remove('grabbing')
  clearShown()
  for (const piece of board().querySelectorAll('.dragging')) piece.classList.remove('dragging')
  drag = null
}

document.addEventListener('pointerup', (e) => {
  if (!drag || e.pointerId !== drag.pointer) return
  const { on, item, event, to, hours } = drag
  const number = e.target.closest?.('td.cell')?.querySelector('.number')
  const empty = !on && !item && !hours && e.target.closest?.('.cell')
  stop()
  if (on) {
    addEventListener('click', quiet, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', quiet, true), 50)
  }
  if (on && item && to) move(event, to)
  else if (on && to) location.assign(newAddress(to))
  else if (empty && number && !empty.querySelector('.add')?.checkVisibility()) number.click() // a narrow month has no room to add
  else if (empty) location.assign(`/admin/events/new?start_date=${empty.dataset.day}`)
})

/** A drag is no click on what it began on. */
function quiet(e) {
  e.preventDefault()
  e.stopPropagation()
}

function newAddress(to) {
  const text = to.allDay ? dayText : (at) => written(at).slice(0, 16)
  const query = new URLSearchParams({ start_date: text(to.start), end_date: text(to.end) })
  if (to.allDay) query.set('all_day', '1')
  return `/admin/events/new?${query}`
}

document.addEventListener('pointercancel', (e) => { if (drag?.pointer === e.pointerId) stop() })
document.addEventListener('touchmove', (e) => { if (drag?.on) e.preventDefault() }, { passive: false })
document.addEventListener('contextmenu', (e) => { if (drag?.touch) e.preventDefault() })
document.addEventListener('dragstart', (e) => { if (e.target.closest?.('#calendar')) e.preventDefault() })
document.addEventListener('keydown', (e) => { if (e.key === 'Escape' && drag) stop() })
