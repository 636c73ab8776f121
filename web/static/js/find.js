// What is typed above the many options of a menu leaves those that have it, and those that are ticked.
import { fold } from './fold.js'

for (const field of document.querySelectorAll('.menu .find')) {
  field.hidden = false
  const options = [...field.parentElement.querySelectorAll('.option')]
  field.addEventListener('input', () => {
    const wanted = fold(field.value.trim())
    for (const one of options) one.hidden = !fold(one.textContent).includes(wanted) && !one.querySelector('input').checked
  })
  field.addEventListener('keydown', (event) => { if (event.key === 'Enter') event.preventDefault() })
}
