// What a search finds, while somebody types: links below the field, which the arrows lead to. Nothing is loaded before.
import { later, newest } from './ask.js'
import { walk } from './combo.js'

const pause = 250, least = 2

for (const form of document.querySelectorAll('form.search')) {
  const input = form.querySelector('input'), box = form.querySelector('.found'), status = form.querySelector('[role=status]')
  const ask = newest()
  const find = later(pause, async () => {
    const answer = await ask(`${form.dataset.found}?search=${encodeURIComponent(input.value.trim())}`, { credentials: 'omit' })
    if (!answer?.ok || answer.redirected) return
    box.replaceChildren(answer.part)
    status.textContent = box.querySelector('p').textContent
  })
  const end = () => { ask.stop(); find.stop() }
  const close = () => { end(); box.replaceChildren(); status.textContent = '' }

  input.addEventListener('input', () => {
    if (input.value.trim().length < least) close()
    else find()
  })
  form.addEventListener('keydown', (event) => {
    const links = box.querySelectorAll('a, button')
    if (event.key === 'Escape' && box.firstChild) {
      event.preventDefault()
      close()
      input.focus()
    } else if (links.length) walk(event, [input, ...links])
  })
  form.addEventListener('submit', end)
  form.addEventListener('focusout', ({ relatedTarget }) => { if (relatedTarget && !form.contains(relatedTarget)) close() })
  document.addEventListener('pointerdown', ({ target }) => { if (!form.contains(target)) close() })
}
