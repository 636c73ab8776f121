// Keeps what is being typed into the form of an event: a moment after the last
// change, and when the page is left. Without it nothing is missing but that.
import { ask, tell } from './ask.js'

const note = document.querySelector('[data-autosave]')
const form = document.querySelector('form.editor')

if (note && form) {
  const wait = 3_000 // milliseconds after the last change
  const patience = 20_000 // until what failed is tried again
  const secret = new Set(['post_password', 'post_password_clear', 'do'])
  const others = new BroadcastChannel(`kalends-draft-${note.dataset.autosave}`)
  let touched = 'unsaved' in note.dataset // what an untouched form holds is nobody's typing
  let leaving = false
  let stale = false // the token of the form is of a session that ended
  let timer = 0

  const typed = () => {
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(form)) {
      if (typeof value === 'string' && !secret.has(name)) body.append(name, value)
    }
    body.set('event', note.dataset.autosave)
    return body
  }
  const text = (body) => {
    const plain = new URLSearchParams(body)
    plain.delete('csrf')
    return plain.toString()
  }
  let kept = ''

  const say = (what) => { if (note.textContent !== what) tell(note, what) }
  const later = (milliseconds) => {
    clearTimeout(timer)
    timer = setTimeout(keep, milliseconds)
  }

  /** Takes the token of a session that began after this page was loaded. */
  const renew = async () => {
    const { ok, part } = await ask('/admin/session')
    if (!ok) return
    const { value } = part.querySelector('[name=csrf]')
    for (const field of document.querySelectorAll('input[name=csrf]')) field.value = value
    stale = false
  }

  const told = async (answer, was) => {
    if (answer.ok) {
      say(await answer.text())
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
    later(patience)
  }

  async function keep(last) {
    clearTimeout(timer)
    if (!touched || leaving) return
    try {
      if (stale && last !== true) await renew()
      const body = typed()
      const was = text(body)
      if (was === kept) return
      kept = was
      const sent = body.toString()
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Kalends-Part': '1' }
      const keepalive = last === true && sent.length < 60_000
      await told(await fetch('/admin/drafts', { method: 'POST', headers, body: sent, keepalive, redirect: 'error' }), was)
    } catch {
      kept = ''
      say(note.dataset.failed)
      later(patience)
    }
  }

  for (const kind of ['input', 'change']) {
    form.addEventListener(kind, () => {
      touched = true
      later(wait)
    })
  }
  addEventListener('submit', (event) => { // that the other scripts didn't hold back
    if (event.target !== form || event.defaultPrevented || event.submitter?.formTarget) return
    leaving = true
    clearTimeout(timer)
    others.postMessage('sent')
  })
  others.addEventListener('message', () => { kept = '' }) // there is one draft, and another page has put its own there
  addEventListener('pageshow', () => { leaving = false })
  addEventListener('pagehide', () => keep(true))
  document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'hidden') keep(true) })
  if (touched) keep()
  else (window.requestIdleCallback ?? setTimeout)(() => { if (!touched) kept = text(typed()) }) // reading a form makes the browser lay it out
}
