// The address of a page is given to others: by what the system has for that, or copied.
import { tell } from './ask.js'

customElements.define('share-line', class extends HTMLElement {
  connectedCallback() {
    const { title, address: url, copied } = this.dataset
    const offer = (name, possible, act) => {
      const button = this.querySelector(`[data-do=${name}]`)
      button.hidden = !possible
      button.addEventListener('click', act)
    }
    offer('share', navigator.share, () => navigator.share({ title, url }).catch(() => {}))
    offer('copy', navigator.clipboard, async () => {
      await navigator.clipboard.writeText(url)
      tell(this.querySelector('[role=status]'), copied)
    })
  }
})
