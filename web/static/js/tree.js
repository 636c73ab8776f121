// Categories that match what is typed, with those above them and those ticked. They are one stop of the Tab key: arrows go from one to the next.
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
    const boxes = rows.map((row) => row.querySelector('input'))
    const stop = (one) => { for (const box of boxes) box.tabIndex = box === one ? 0 : -1 }
    const open = () => boxes.filter((box) => box.checkVisibility())
    stop(boxes[0])
    this.addEventListener('focusin', ({ target }) => { if (boxes.includes(target)) stop(target) })
    this.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return
      if (event.key === 'Enter' && event.target === field) event.preventDefault()
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], all = open()
      if (!step || event.target !== field && !boxes.includes(event.target)) return
      event.preventDefault()
      const to = all.indexOf(event.target) + step // the field stands before the first
      if (to < 0) field.focus()
      else all[to]?.focus()
    })
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
      if (!open().some((box) => box.tabIndex === 0)) stop(open()[0])
      if (fresh) make.textContent = this.dataset.new.replace('{name}', field.value.trim())
    })
  }
})
