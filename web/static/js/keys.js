// Enter in a field of the editor leads nowhere, so that nobody publishes by accident. Ctrl+S saves what is there in the
// state in which it is, Ctrl+Enter publishes or updates (on a Mac with Command). After saving people are where they were.
const form = document.querySelector('form.editor')
const lines = 'input:not([type=submit], [type=button], [type=checkbox], [type=radio], [type=color], [type=file])'
const memory = `kalends-focus-${location.pathname.replace(/\/(new|\d+)$/, '')}`
const patience = 30_000 // milliseconds after which a page that comes isn't the answer any more

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

/** What leads back to an element of the form on the page that comes. */
function way(to) {
  if (to.closest('.rich-box')) return `#${CSS.escape(to.id)}`
  if (to.closest('.saves')) return `.saves button[value="${CSS.escape(to.value)}"]` // never one that does more than was pressed
  if (to.id) return `#${CSS.escape(to.id)}`
  return to.name && `${to.localName}[name="${CSS.escape(to.name)}"]`
}

/** Leads back to where people were when they saved. */
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
  if (!form || !document.querySelector('main > .notice[role=alert]') || form.contains(document.activeElement)) return
  const wrong = [...form.querySelectorAll('[aria-invalid=true], .wrong')].find((one) => one.textContent || one.matches('[aria-invalid]'))
  const field = wrong?.closest('.field, fieldset, pick-field')?.querySelector('input:not([type=hidden]), select, textarea:not([hidden]), .rich-box')
  field?.focus()
}

form?.addEventListener('submit', (event) => {
  const active = document.activeElement
  if (event.submitter?.formTarget || !form.contains(active)) return
  const [from, until] = active.matches('.rich-box') ? active.closest('rich-text').range : [active.selectionStart, active.selectionEnd]
  const kept = JSON.stringify({ to: way(active), at: Date.now(), from, until })
  sessionStorage.setItem(memory, kept)
})

if (form) addEventListener('load', () => { back().then(toWrong) })
