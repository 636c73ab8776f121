// A command is copied by a button, where the browser lets a page do so.
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
