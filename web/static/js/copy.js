// A command is copied by a button, where the browser lets a page do so. A link to a page that asks for an address copies it. A button prints.
import { tell } from './ask.js'

customElements.define('copy-line', class extends HTMLElement {
  connectedCallback() {
    if (!navigator.clipboard) return
    const button = this.querySelector('button')
    button.hidden = false
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(this.querySelector('code').textContent)
      tell(this.querySelector('[role=status]'), this.dataset.copied)
    })
  }
})

document.addEventListener('click', async ({ target }) => {
  const link = target.closest('a[data-copy]')
  if (!link || !navigator.clipboard) return
  await navigator.clipboard.writeText(link.dataset.copy)
  const line = link.closest('.choices').querySelector('copy-line')
  tell(line.querySelector('[role=status]'), line.dataset.copied)
})

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
