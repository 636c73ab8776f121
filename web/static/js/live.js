// While an event is typed: when it is and happens again, what it costs, what else
// is there then.
import { ask, later } from './ask.js'

const form = document.querySelector('form.editor[data-preview]')
const shown = ['title', 'start_date', 'end_date', 'all_day', 'timezone', 'cost', 'venue', 'event_status', 'attendance_mode', 'csrf']
const about = (name) => shown.includes(name) || name.startsWith('tickets[') || name.startsWith('repeat')

let running
let pressed = Promise.resolve() // what buttons do waits for what they did before, and typing for both
const again = later(3_000, () => look())
async function look() {
  running?.abort()
  const { signal } = running = new AbortController()
  await pressed
  if (!signal.aborted) await show(signal)
}

/** Asks for what the form comes to, as a button of it is pressed or not, and shows that. */
async function show(signal, button) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (about(name)) body.append(name, value)
  }
  if (button) body.set('do', button)
  const answer = await ask(form.dataset.preview, { method: 'POST', body, signal }).catch(() => null)
  if (!answer?.ok) {
    if (!signal?.aborted && !(answer?.status < 500)) again()
    return
  }
  for (const part of answer.part.querySelectorAll('[data-live]')) {
    const place = document.querySelector(`[data-live="${part.dataset.live}"]`)
    if (place) put(place, part)
  }
}

/** Puts a part into its place. People keep what they have opened, and their focus; choices change only with what they are for. */
function put(place, part) {
  if ('of' in part.dataset ? part.dataset.of === place.dataset.of : part.innerHTML === place.innerHTML) return
  const { id, value } = place.contains(document.activeElement) ? document.activeElement : {}
  const open = place.querySelector('details')?.open
  place.replaceChildren(...part.childNodes)
  if ('of' in part.dataset) place.dataset.of = part.dataset.of
  if (open) for (const details of place.querySelectorAll('details')) details.open = true
  const focus = id ? document.getElementById(id) : value && place.querySelector(`button[value="${CSS.escape(value)}"]`)
  if (focus) focus.focus({ preventScroll: true })
}

/** Has the event start at another time; the rule stays. */
function startAt(text) {
  const start = form.elements.start_date
  start.value = text
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
  const soon = later(400, look)
  for (const kind of ['input', 'change']) {
    form.addEventListener(kind, ({ target }) => {
      if (about(target.name || target.dataset?.name || '') || target.type === 'date') soon()
    })
  }
  form.addEventListener('click', (event) => {
    const button = event.target.closest('button[name="do"]')?.value ?? ''
    if (!/^row_(date|month|start|holidays)_/.test(button)) return
    event.preventDefault()
    if (button.startsWith('row_start_')) return startAt(button.slice('row_start_'.length))
    running?.abort()
    pressed = pressed.then(() => show(undefined, button))
    pressed.then(() => form.dispatchEvent(new Event('input', { bubbles: true })))
  })
  for (const button of form.querySelectorAll('[data-plain]')) button.hidden = true
}
