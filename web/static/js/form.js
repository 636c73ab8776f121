// The life of a form: what is typed is put right, what is sent is sent once, and nobody leaves by accident what they have changed.
import { make } from './ask.js'
import { number, tell } from './say.js'

const steps = []

/** Calls do with each form that is sent, in the order of who asked for it, until one holds the form back. */
export const sending = (step) => steps.push(step)

addEventListener('submit', (event) => {
  for (const step of [...steps, once, left]) if (!event.defaultPrevented) step(event)
})

/** When the browser has time: reading a whole form makes it lay the page out. */
export const idle = (run) => (window.requestIdleCallback ?? setTimeout)(run)

// Dates and addresses are put right when people leave a field or send the form, not before: browsers report each digit of a year.
const dot = String.raw`[^\s:/@.]+(\.[^\s:/@.]+)+`
const bare = new RegExp(`^${dot}(:\\d+)?([/?#]|$)`)
const mail = new RegExp(`^[^\\s:/@]+@${dot}$`)

/** A year of two digits is one of this century; browsers take 26 for the year 26. */
const year = (text) => text.replace(/^00(?=\d\d-)/, '20')

/** An address gets the https:// it lacks, and its letters are encoded. */
function address(text) {
  const typed = bare.test(text) ? `https://${text}` : text
  return /[^!-~]/.test(typed) && /^https?:/i.test(typed) && URL.canParse(typed) ? new URL(typed).href : typed
}

const link = (text) => mail.test(text) ? `mailto:${text}` : address(text)
const kinds = { date: year, 'datetime-local': year, url: address }

function correct(field) {
  const text = (field.matches?.('[data-link]') ? link : kinds[field.type])?.(field.value.trim())
  if (text === undefined || text === field.value) return
  field.value = text
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))
}

addEventListener('focusout', ({ target }) => correct(target))
// Browsers check addresses before they send a form, so the keys that send it come first.
addEventListener('keydown', ({ key, target, ctrlKey, metaKey }) => { if (key === 'Enter' || key === 's' && (ctrlKey || metaKey)) correct(target) }, true)
addEventListener('submit', ({ target }) => { for (const field of target.elements) correct(field) }, true)

// A second click on a form that is being sent does not send it again. After a while it does, because the first try may have been
// stopped. Where it takes long, the button says so; # is how many are chosen.
const pause = 30_000
let sent = new WeakMap()

function chosen({ elements }) {
  const all = elements.namedItem('all')
  return all?.checked ? Number(all.dataset.number) : [...elements].filter((one) => one.name === 'id' && (one.checked || one.type === 'hidden')).length
}

function once(event) {
  const { target: form, submitter: button } = event, text = button?.dataset.busy
  if (!text && !form.matches('.send')) return
  if (event.timeStamp - (sent.get(form) ?? -pause) < pause) return event.preventDefault()
  sent.set(form, event.timeStamp)
  if (!text) return
  const status = make('p', { role: 'status', className: 'busy' })
  button.ariaBusy = 'true'
  button.parentElement.append(status)
  tell(status, text.replace('#', number(chosen(form))))
}

// Before a page is left whose form was changed and not sent, the browser asks. The form of an event keeps a draft instead.
const leaving = new Set() // the forms that are being sent

function left({ target }) { leaving.add(target) }

for (const form of document.querySelectorAll('form[data-leave]')) {
  const own = ([name]) => name !== 'csrf' && form.elements.namedItem(name)?.type !== 'password' // which browsers fill in
  const content = () => [...new FormData(form)].filter(own).map(([name, value]) => `${name}=${value.name ?? value}`).join('\n')
  const again = form.dataset.leave !== '' || form.querySelector('[aria-invalid="true"]') !== null // it was sent and isn't stored
  let stored = ''
  let touched = again
  form.addEventListener('input', () => {
    touched = true
    leaving.delete(form)
  })
  if (!again) idle(() => { if (!touched) stored = content() })
  addEventListener('beforeunload', (event) => {
    if (touched && !leaving.has(form) && content() !== stored) event.preventDefault()
  })
}

addEventListener('pageshow', () => {
  sent = new WeakMap()
  leaving.clear()
  for (const button of document.querySelectorAll('button[aria-busy]')) button.ariaBusy = null
  for (const status of document.querySelectorAll('p.busy')) status.remove()
})

// The way into a site is chosen: on to it.
document.querySelector('form[data-onward]')?.requestSubmit()

// The code of a color and the box to choose it from are kept in step.
document.addEventListener('input', ({ target }) => {
  const [box, code] = target.closest('[data-color]')?.querySelectorAll('input') ?? []
  if (!code) return
  if (target === box) {
    code.value = box.value
    code.dispatchEvent(new Event('input', { bubbles: true }))
  } else {
    const [, digits] = code.value.trim().match(/^#?([0-9a-f]{6})$/i) ?? []
    if (digits) code.value = box.value = `#${digits.toLowerCase()}`
  }
})
