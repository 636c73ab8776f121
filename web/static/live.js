// While an event is typed: when it is, what it costs, what else is there then.
import { ask, later } from './ask.js'

const form = document.querySelector('form.editor[data-preview]')
const shown = ['title', 'start_date', 'end_date', 'all_day', 'timezone', 'cost', 'venue', 'csrf']

let running
const again = later(3_000, () => look())
async function look() {
  running?.abort()
  const { signal } = running = new AbortController()
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (shown.includes(name) || name.startsWith('tickets[')) body.append(name, value)
  }
  const answer = await ask(form.dataset.preview, { method: 'POST', body, signal }).catch(() => null)
  if (!answer?.ok) {
    if (!signal.aborted && !(answer?.status < 500)) again()
    return
  }
  for (const part of answer.part.querySelectorAll('[data-live]')) {
    const place = document.querySelector(`[data-live="${part.dataset.live}"]`)
    if (place && place.innerHTML !== part.innerHTML) place.replaceChildren(...part.childNodes)
  }
}

if (form) {
  const soon = later(400, look)
  for (const kind of ['input', 'change']) {
    form.addEventListener(kind, ({ target }) => {
      const name = target.name || target.dataset?.name || ''
      if (shown.includes(name) || name.startsWith('tickets[') || target.type === 'date') soon()
    })
  }
}
