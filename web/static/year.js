// A year typed with two digits, such as 26, is one of this century. Browsers take it for the year 26. Years are corrected
// only when the field is left or the form is sent, because browsers report every digit of a year that is being typed.
const dates = 'input[type=date], input[type=datetime-local]'

function correct(field) {
  if (!/^00\d\d-/.test(field.value)) return
  field.value = `20${field.value.slice(2)}`
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))
}

document.addEventListener('focusout', ({ target }) => { if (target.matches?.(dates)) correct(target) })
document.addEventListener('submit', ({ target }) => { for (const field of target.querySelectorAll(dates)) correct(field) }, true)
