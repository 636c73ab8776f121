// Corrects dates and addresses when people leave a field or send the form, not before: browsers report each digit of a year.
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
