// While an event is typed: the end follows the start, and the page says when it is and happens again, what it costs, what else is there then.
import { ask, later, make, newest, put } from './ask.js'
import { follow } from './ends.js'

const form = document.querySelector('form.editor[data-preview]')
const shown = ['title', 'start_date', 'end_date', 'all_day', 'end_unknown', 'timezone', 'cost', 'venue', 'event_status', 'attendance_mode', 'csrf']
const about = (name) => shown.includes(name) || name.startsWith('tickets[') || name.startsWith('repeat')

const looked = newest()
let pressed = Promise.resolve() // what buttons do waits for what they did before, and typing for both
const again = later(3_000, look), soon = later(400, look)

async function look() {
  looked.stop()
  await pressed
  await show(looked)
}

/** Asks for what the form comes to, as a button of it is pressed or not, and shows that. */
async function show(asking, button) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (about(name)) body.append(name, value)
  }
  if (button) body.set('do', button)
  const answer = await asking(form.dataset.preview, { body })
  if (!answer) return
  if (!answer.ok) {
    if (!answer.status || answer.status >= 500) again()
    return
  }
  for (const part of answer.part.querySelectorAll('[data-live]')) {
    const place = document.querySelector(`[data-live="${part.dataset.live}"]`)
    if (place) renew(place, part)
  }
}

/** Puts a part into its place. What people have opened stays open, and choices change only with what they are for. */
function renew(place, part) {
  if ('of' in part.dataset ? part.dataset.of === place.dataset.of : part.innerHTML === place.innerHTML) return
  if (place.querySelector('details[open]')) for (const details of part.querySelectorAll('details')) details.open = true
  put(place, part, true)
  if ('of' in part.dataset) place.dataset.of = part.dataset.of
}

/** Has the event start at another time; the rule stays. */
function startAt(text) {
  const start = form.elements.start_date
  start.value = start.type === 'date' ? text.slice(0, 10) : text
  form.elements.repeat_from.value = `${text}:00`
  start.dispatchEvent(new Event('change', { bubbles: true }))
}

// What a folded part says of its field follows that.
for (const part of document.querySelectorAll('.folded:has(> summary > .soft)')) {
  const field = part.querySelector('select, input:not([type=hidden])')
  const said = part.querySelector('summary > .soft')
  field?.addEventListener('change', () => { said.textContent = field.selectedOptions?.[0]?.textContent ?? field.value })
}

if (form) {
  for (const kind of ['input', 'change']) {
    form.addEventListener(kind, ({ target }) => {
      if (about(target.name || target.dataset?.name || '')) soon()
    })
  }
  form.addEventListener('click', (event) => {
    const { value: button = '', ariaLabel } = event.target.closest('button[name="do"]') ?? {}
    if (!/^row_(date|month|start|holidays)_/.test(button)) return
    event.preventDefault()
    if (button.startsWith('row_start_')) return startAt(button.slice('row_start_'.length))
    looked.stop()
    // Of arrows to a month there is another one after each press before, with another month.
    const now = () => [...form.querySelectorAll('[value^=row_month_]')].find((one) => one.ariaLabel === ariaLabel)?.value ?? button
    pressed = pressed.then(() => show(ask, button.startsWith('row_month_') ? now() : button))
    pressed.then(() => form.dispatchEvent(new Event('input', { bubbles: true })))
  })
}

// A new event like an earlier one keeps what was typed before.
const likes = document.querySelector('.patterns')

if (form && likes) {
  let typed = document.querySelector('[data-unsaved]') !== null
  form.addEventListener('input', () => { typed = true })
  likes.addEventListener('click', (event) => {
    const link = event.target.closest('a')
    if (!typed || !link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const to = new URL(link.href)
    if (start.value !== start.defaultValue) to.searchParams.set('start_date', start.value)
    if (!guess || guess.dataset.chosen && !guess.checked) to.searchParams.set('end_date', end.value)
    const button = make('button', { type: 'submit', name: 'do', value: 'like', formAction: to.href, formNoValidate: true, hidden: true })
    form.append(button)
    form.requestSubmit(button)
  })
}

// An event of whole days is asked for days; what is sent has the clock of before.
const start = document.querySelector('#f-start_date')
const end = document.querySelector('#f-end_date')
const allDay = document.querySelector('#f-all_day')

// The end that a new event proposes is a guess: it counts as unknown until somebody chooses an end or ticks otherwise.
const guess = document.querySelector('[data-guessed] input[type=checkbox]')

function guessed() {
  if (!guess || guess.dataset.chosen) return
  guess.checked = !allDay.checked
  if (!allDay.checked) soon()
}

if (guess) {
  guess.addEventListener('change', () => { guess.dataset.chosen = 'yes' })
  end.addEventListener('change', () => {
    if (guess.dataset.chosen) return
    Object.assign(guess, { checked: false }).dataset.chosen = 'yes'
    soon()
  })
  allDay.addEventListener('change', guessed)
  guessed()
}

if (start && end && allDay) {
  const clocks = new Map(), renewed = follow(start, end)
  const timed = (field, day = field.value) => `${day}T${clocks.get(field) || '00:00'}`
  const ticked = () => {
    const [type, max] = allDay.checked ? ['date', '9999-12-31'] : ['datetime-local', '9999-12-31T23:59']
    for (const field of [start, end]) {
      const [day, clock] = field.value.split('T')
      if (clock) clocks.set(field, clock)
      Object.assign(field, { type, max, value: allDay.checked || !day ? day : timed(field, day) })
    }
    renewed()
  }
  start.form.addEventListener('formdata', ({ formData }) => {
    for (const field of [start, end]) if (field.type === 'date' && formData.get(field.name)) formData.set(field.name, timed(field))
  })
  start.addEventListener('change', () => document.querySelector('[data-proposed]')?.remove())
  allDay.addEventListener('change', ticked)
  ticked()
}
