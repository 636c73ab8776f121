// Filters of public lists: what is typed above many options leaves those that have it, and the button says how many events there would be.
import { later, newest } from './ask.js'
import { narrow } from './combo.js'

const pause = 300

for (const field of document.querySelectorAll('.menu .find')) {
  field.hidden = false
  const options = field.parentElement.querySelectorAll('.option')
  field.addEventListener('input', () => narrow(options, field.value))
  field.addEventListener('keydown', (event) => { if (event.key === 'Enter') event.preventDefault() })
}

for (const form of document.querySelectorAll('form[data-count]')) {
  const ask = newest()
  const count = later(pause, async () => {
    const address = new URL(form.dataset.count, location.href)
    for (const [name, value] of new FormData(form)) if (value) address.searchParams.append(name, value)
    const answer = await ask(address, { credentials: 'omit' })
    if (answer?.ok && answer.text) for (const button of form.querySelectorAll('[type=submit]')) button.textContent = answer.text
  })
  form.addEventListener('input', ({ target }) => {
    if (!target.name) return
    ask.stop()
    count()
  })
}
