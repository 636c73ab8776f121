// Categories that match what is typed, with those above them and those ticked. They are one stop of the Tab key: arrows go from one to the next.
import { make } from './ask.js'
import { narrow, stop, walk } from './combo.js'
import { fill } from './say.js'

customElements.define('filter-tree', class extends HTMLElement {
  connectedCallback() {
    const rows = [...this.querySelectorAll('[data-depth]')]
    if (rows.length < 8) return
    const { label } = this.dataset
    const field = make('input', { type: 'search', placeholder: label, ariaLabel: label })
    const none = make('p', { className: 'hint', role: 'status' })
    this.prepend(field)
    this.append(none)
    const fresh = this.closest('fieldset').querySelector('input[name=new_category]')
    const create = make('button', { type: 'button', className: 'plain', hidden: true })
    if (fresh) this.append(create)
    create.addEventListener('click', () => {
      fresh.value = field.value.trim()
      field.value = ''
      field.dispatchEvent(new Event('input', { bubbles: true }))
      fresh.closest('details').open = true
      fresh.focus()
    })
    const boxes = rows.map((row) => row.querySelector('input'))
    const open = () => boxes.filter((box) => box.checkVisibility())
    stop(boxes, boxes[0])
    this.addEventListener('focusin', ({ target }) => { if (boxes.includes(target)) stop(boxes, target) })
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && event.target === field) event.preventDefault()
      if (event.target === field || boxes.includes(event.target)) walk(event, [field, ...open()])
    })
    field.addEventListener('input', () => {
      const found = narrow(rows, field.value)
      let depth = -1 // down to which those above a match are
      for (const row of rows.toReversed()) {
        const own = Number(row.dataset.depth)
        if (own < depth) row.hidden = false
        if (!row.hidden || own <= depth) depth = own
      }
      none.textContent = found ? '' : this.dataset.none
      create.hidden = found > 0
      if (!open().some((box) => box.tabIndex === 0)) stop(boxes, open()[0])
      if (fresh) create.textContent = fill(this.dataset.new, { name: field.value.trim() })
    })
  }
})
