// How the forms of events, venues and organizers are saved: by keys and with a session, and what people find when they come back.
import { fresh, make, way } from './ask.js'
import { sending } from './form.js'
import { fill, number, tell } from './say.js'
import { signedIn } from './session.js'

const form = document.querySelector('form.editor')
const lines = 'input:not([type=submit], [type=button], [type=checkbox], [type=radio], [type=color], [type=file])'
const own = (step) => sending((event) => { if (event.target === form) step(event) })

// A form whose session has ended asks to sign in where it stands, and is sent then, files and all. Without a connection it stays, because
// the browser would put a page of its own in its place. Whatever else fails is left to the form itself.
let sure = false

own(async (event) => {
  if (sure || fresh() && navigator.onLine) return
  event.preventDefault()
  const { submitter } = event, told = form.querySelector('[data-unreached]')
  const there = await signedIn()
  tell(told, there === undefined ? told.dataset.unreached : '')
  if (there === false || there === undefined) return submitter?.focus()
  sure = true
  form.requestSubmit(submitter)
  sure = false
})

// Enter in a field leads nowhere, so that nobody publishes by accident. Ctrl+S saves what is there in the state in which it is, Ctrl+Enter
// publishes or updates (on a Mac with Command).
form?.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey) return
  if (event.target.matches(lines)) event.preventDefault()
})

document.addEventListener('keydown', (event) => {
  if (!form || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || document.querySelector('dialog[open]')) return
  if (event.key !== 's' && event.key !== 'Enter') return
  event.preventDefault()
  form.requestSubmit(event.key === 'Enter' && form.querySelector('.saves .first') || form.querySelector('button[name=do][value=save]'))
})

// After saving, people are where they were.
const memory = `kalends-focus-${location.pathname.replace(/\/(new|\d+)$/, '')}`
const patience = 30_000 // milliseconds after which a page that comes isn't the answer any more

own((event) => {
  const active = document.activeElement
  if (event.submitter?.formTarget || !form.contains(active)) return
  const [from, until] = active.matches('.rich-box') ? active.closest('rich-text').range : [active.selectionStart, active.selectionEnd]
  const to = active.closest('.saves') ? `.saves ${way(active)}` : way(active) // never a button that does more than was pressed
  sessionStorage.setItem(memory, JSON.stringify({ to, at: Date.now(), from, until }))
})

async function back() {
  const { to, at, from, until } = JSON.parse(sessionStorage.getItem(memory) ?? '{}')
  sessionStorage.removeItem(memory)
  if (!to || Date.now() - at > patience || location.hash || !document.querySelector('main > .said')) return
  const field = document.querySelector(to)
  if (!field?.checkVisibility({ visibilityProperty: true })) return
  if (!field.matches('.rich-box')) field.focus({ preventScroll: true })
  if (typeof from === 'number' && field.matches(lines) && field.selectionStart !== null) field.setSelectionRange(from, until)
  if (field.matches('.rich-box')) await field.closest('rich-text').go(from)
  field.scrollIntoView({ block: 'nearest' })
}

/** Where something is wrong that a script has put another control over, that gets the focus. */
function toWrong() {
  if (!document.querySelector('main > .notice[role=alert]') || form.contains(document.activeElement)) return
  const wrong = [...form.querySelectorAll('[aria-invalid=true], .wrong')].find((one) => one.textContent || one.matches('[aria-invalid]'))
  const field = wrong?.closest('.field, fieldset, pick-field')?.querySelector('input:not([type=hidden]), select, textarea:not([hidden]), .rich-box')
  field?.focus()
}

if (form) addEventListener('load', () => { back().then(toWrong) })

// Going back to a form that has made something leads to what was made. The form would be empty of that, and sent again it would make another.
const key = 'kalends-made' // of this tab: the page a form made, by the form's token
const made = () => JSON.parse(sessionStorage.getItem(key) ?? '{}')
const token = form?.elements.namedItem('once')?.value

own((event) => {
  if (!token || event.submitter?.formTarget) return
  history.replaceState({ ...history.state, sent: token }, '')
  sessionStorage.setItem(key, JSON.stringify({ ...made(), last: { token, from: location.pathname } }))
})

const { last, ...others } = made()
if (last) {
  const came = !token && new URL(document.referrer || location).pathname === last.from
  sessionStorage.setItem(key, JSON.stringify(came ? { ...others, [last.token]: location.pathname } : others))
}

addEventListener('pageshow', () => {
  const address = made()[history.state?.sent]
  if (address) location.replace(address)
})

// Where a text comes near to what fits, the form says how long it is.
const near = 0.8 // of what fits

form?.addEventListener('input', ({ target }) => {
  const most = Number(target.dataset?.most)
  if (!most || !form.dataset.letters) return
  const n = [...target.value].length, id = `n-${target.name}`
  let note = document.getElementById(id)
  if (!note) {
    if (n < most * near) return
    note = make('p', { id, role: 'status' })
    target.after(note)
  }
  note.className = n > most ? 'wrong' : 'hint'
  tell(note, n < most * near ? '' : fill(form.dataset.letters, { n: number(n), most: number(most) }))
})
