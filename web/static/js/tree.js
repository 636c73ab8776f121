// Categories that match what is typed, with those above them and those ticked.
import { fold } from './fold.js'

customElements.define('filter-tree', class extends HTMLElement {
  connectedCallback() {
    const rows = [...this.querySelectorAll('[data-depth]')]
    if (rows.length < 8) return
    const field = document.createElement('input')
    field.type = 'search'
    field.setAttribute('aria-label', this.dataset.label)
    field.placeholder = this.dataset.label
    const none = document.createElement('p')
    none.className = 'hint'
    none.setAttribute('role', 'status')
    this.prepend(field)
    this.append(none)
    const fresh = this.closest('fieldset').querySelector('input[name=new_category]')
    const make = document.createElement('button')
    make.type = 'button'
    make.className = 'plain'
    make.hidden = true
    if (fresh) this.append(make)
    make.addEventListener('click', () => {
      fresh.value = field.value.trim()
      field.value = ''
      field.dispatchEvent(new Event('input', { bubbles: true }))
      fresh.closest('details').open = true
      fresh.focus()
    })
    field.addEventListener('keydown', (event) => { if (event.key === 'Enter') event.preventDefault() })
    field.addEventListener('input', () => {
      const wanted = fold(field.value.trim())
      let found = 0
      let depth = -1 // down to which those above a match are
      for (const row of rows.toReversed()) {
        const own = Number(row.dataset.depth)
        const match = fold(row.textContent).includes(wanted)
        const shown = match || own < depth || row.querySelector('input').checked
        if (match) found++
        if (shown) depth = own
        else if (own <= depth) depth = own
        row.hidden = !shown
      }
      none.textContent = found ? '' : this.dataset.none
      make.hidden = found > 0
      if (fresh) make.textContent = this.dataset.new.replace('{name}', field.value.trim())
    })
  }
})
