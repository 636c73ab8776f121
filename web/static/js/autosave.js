// Keeps what is being typed into the form of an event: a moment after the last
// change, and when the page is left. Without it nothing is missing but that.
import { ask, later } from './ask.js'
import { idle, sending } from './form.js'
import { tell } from './say.js'
import { renewed } from './session.js'

const note = document.querySelector('[data-autosave]')
const form = document.querySelector('form.editor')
const wait = 3_000 // milliseconds after the last change
const patience = 20_000 // until what failed is tried again
const unkept = new Set(['post_password', 'post_password_clear', 'do', 'csrf'])

if (note && form) {
  const others = new BroadcastChannel(`kalends-draft-${note.dataset.autosave}`)
  let touched = 'unsaved' in note.dataset // what an untouched form holds is nobody's typing
  let leaving = false
  let stale = false // the token of the form is of a session that ended
  let kept = ''
  const soon = later(wait, keep), again = later(patience, keep)

  const typed = () => {
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(form)) {
      if (typeof value === 'string' && !unkept.has(name)) body.append(name, value)
    }
    body.set('event', note.dataset.autosave)
    return body.toString()
  }
  const say = (what) => { if (note.textContent !== what) tell(note, what) }

  async function keep(last) {
    soon.stop()
    again.stop()
    if (!touched || leaving) return
    if (stale && last !== true && (await renewed()).ok) stale = false
    const was = typed()
    if (was === kept) return
    kept = was
    const body = new URLSearchParams(`csrf=${encodeURIComponent(form.elements.csrf.value)}&${was}`)
    const answer = await ask('/admin/drafts', { body, keepalive: last === true && was.length < 60_000, redirect: 'error' })
    if (answer.ok) {
      say(answer.text)
      others.postMessage('kept')
      return
    }
    if (answer.status === 413) { // nor will it fit the next time, unless it is changed
      say(note.dataset.large)
      return
    }
    stale = answer.status === 401 || answer.status === 403
    if (kept === was) kept = ''
    say(answer.status === 401 ? note.dataset.signedOut : note.dataset.failed)
    again()
  }

  for (const kind of ['input', 'change']) {
    form.addEventListener(kind, () => {
      touched = true
      again.stop()
      soon()
    })
  }
  sending(({ target, submitter }) => {
    if (target !== form || submitter?.formTarget) return
    leaving = true
    soon.stop()
    again.stop()
    others.postMessage('sent')
  })
  others.addEventListener('message', () => { kept = '' }) // there is one draft, and another page has put its own there
  addEventListener('pageshow', () => { leaving = false })
  addEventListener('pagehide', () => keep(true))
  document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'hidden') keep(true) })
  if (touched) keep()
  else idle(() => { if (!touched) kept = typed() })
}
