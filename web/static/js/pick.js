// Names looked for while they are typed, and what is chosen as a list that can be put in order.
import { later, make, newest } from './ask.js'
import { Combo } from './combo.js'
import { fill, number, tell } from './say.js'

/** Adds the fields of one more entry before a button, or returns undefined where there are as many as there may be. */
const another = (button) => {
  const last = [...button.parentElement.querySelectorAll('[data-row]')].pop()
  const row = Number(last.dataset.row) + 1
  if (row >= Number(button.dataset.most)) return undefined
  const made = last.cloneNode(true)
  const numbered = (text) => text.replace(/^((?:f-)?)(?:(new_\w+)\.(?:\d+\.)?|(tickets)\[\d+\])/, (_, before, fresh, list) => before + (fresh ? `${fresh}.${row}.` : `${list}[${row}]`))
  made.dataset.row = row
  made.ariaLabel = `${button.dataset.label} ${number(row + 1)}`
  for (const wrong of made.querySelectorAll('.wrong')) wrong.remove()
  for (const field of made.querySelectorAll('input, select')) {
    field.value = ''
    for (const one of ['value', 'aria-invalid', 'aria-describedby']) field.removeAttribute(one)
    field.id = numbered(field.id)
    field.name = numbered(field.name)
  }
  for (const label of made.querySelectorAll('label')) label.htmlFor = numbered(label.htmlFor)
  last.after(made)
  if (row + 1 >= Number(button.dataset.most)) button.hidden = true
  return made
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest?.('.another')
  if (button) another(button)?.querySelector('input').focus()
})

customElements.define('pick-field', class extends HTMLElement {
  connectedCallback() {
    if (this.input) return
    const { name } = this.dataset
    this.free = 'free' in this.dataset
    this.chips = make('ul', { className: 'chips' })
    this.list = make('ul', { role: 'listbox', id: `pick-${name}`, className: 'picks', hidden: true })
    this.told = make('p', { className: 'hidden', role: 'status' })
    const fields = [...this.querySelectorAll('input')]
    if (this.free) this.takeOne(fields[0])
    else this.takeAll(fields)
    const box = make('div', { className: 'pick-box' })
    this.input.replaceWith(box)
    box.append(this.input, this.list)
    ;(this.querySelector('.stack') ?? box).before(this.chips)
    this.append(this.told)
    this.combobox()
  }

  /** Of fields with a name each, the first blank one stays to type into. */
  takeAll(fields) {
    this.input = fields.find((field) => !field.value.trim())
    this.input.setAttribute('aria-label', this.dataset.label)
    this.input.placeholder = this.dataset.label
    for (const field of fields) {
      if (field === this.input) continue
      if (field.value.trim()) this.addChip(field.value.replace(/ \(#\d+\)$/, ''), field)
      else field.remove()
    }
    this.querySelector('datalist')?.remove()
  }

  /** Of one field with commas between names, another takes the place. */
  takeOne(field) {
    this.whole = field
    this.input = field.cloneNode()
    this.input.removeAttribute('name')
    this.input.value = ''
    field.removeAttribute('id')
    field.type = 'hidden'
    field.after(this.input)
    for (const text of field.value.split(',')) if (text.trim()) this.addChip(text.trim())
    this.input.addEventListener('blur', () => this.keepTyped())
    this.closest('form').addEventListener('formdata', ({ formData }) => {
      if (this.input.value.trim()) formData.set(field.name, [...this.names(), this.input.value].join(', '))
    })
  }

  combobox() {
    for (const [key, value] of Object.entries({ role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false',
      'aria-controls': this.list.id, autocomplete: 'off' })) this.input.setAttribute(key, value)
    this.input.removeAttribute('list')
    this.list.setAttribute('aria-label', this.dataset.label ?? this.input.labels?.[0]?.textContent ?? '')
    this.ask = newest()
    this.soon = later(200, () => this.search())
    this.combo = new Combo(this.input, this.list, (option) => this.choose(option), () => this.open || this.search())
    this.input.addEventListener('input', this.soon)
    this.input.addEventListener('click', () => { if (!this.open) this.search() })
    this.input.addEventListener('keydown', (event) => this.key(event))
    this.input.addEventListener('blur', () => this.hide())
    this.chips.addEventListener('click', ({ target }) => {
      const button = target.closest('[data-do]')
      if (button) this.change(button.dataset.do, button.closest('li'))
    })
  }

  get open() { return !this.list.hidden }

  async search() {
    this.soon.stop() // or it would unmark what is marked by then
    const answer = await this.ask(`${this.dataset.source}?q=${encodeURIComponent(this.input.value.trim())}`)
    if (!answer?.ok || document.activeElement !== this.input) return
    this.combo.mark()
    this.list.replaceChildren(...answer.part.querySelectorAll('[role=option]'))
    this.show(this.list.children.length > 0)
    tell(this.told, answer.part.querySelector('p').textContent)
  }

  show(on) {
    this.list.hidden = !on
    this.input.ariaExpanded = String(on)
  }

  hide() {
    this.ask.stop()
    this.show(false)
    this.combo.mark()
  }

  key(event) {
    if (event.defaultPrevented || event.isComposing) return // the list has taken it
    if (event.key === 'Escape' && (this.open || this.input.value)) {
      event.preventDefault()
      if (this.open) this.hide()
      else this.input.value = ''
    } else if (event.key === 'Enter' && this.input.value.trim()) {
      event.preventDefault()
      const { shown } = this.combo
      if (this.free) this.keepTyped()
      else if (!this.open) this.search()
      else if (shown.length === 1) this.choose(shown[0])
    } else if (event.key === ',' && this.free) {
      event.preventDefault()
      this.keepTyped()
    } else if (event.key === 'Backspace' && !this.input.value && this.chips.lastElementChild) {
      this.change('remove', this.chips.lastElementChild)
    }
  }

  choose(option) {
    const { value, name, new: fresh } = option.dataset
    this.input.value = ''
    this.hide()
    if (fresh === undefined) this.add(name, this.free ? undefined : value)
    else if (this.free) this.add(fresh)
    else this.create(fresh)
  }

  /** Opens the fields of a new entry: those that are free, or more of them. Where
   *  there can be no more, the name stays where it was typed. */
  create(name) {
    const details = document.querySelector(`#new-${this.dataset.name}`), more = details.querySelector('.another')
    details.open = true
    const firsts = [...details.querySelectorAll('[data-row]')].map((one) => one.querySelector('input'))
    const free = firsts.find((first) => !first.value.trim() || first.value === name) ?? (more && another(more)?.querySelector('input'))
    if (!free) {
      this.input.value = name
      firsts[0].focus()
      return
    }
    free.value = name
    free.closest('[data-row]').querySelectorAll('input')[1].focus()
    this.changed()
  }

  keepTyped() {
    for (const text of this.input.value.split(',')) if (text.trim()) this.add(text.trim())
    this.input.value = ''
    this.hide()
  }

  names() { return [...this.chips.children].map((chip) => chip.dataset.name) }

  add(name, value) {
    if ((this.free && this.names().includes(name)) || [...this.chips.querySelectorAll('input')].some((field) => field.value === value)) return
    this.addChip(name, value === undefined ? undefined : make('input', { name: this.dataset.name, value }))
    tell(this.told, fill(this.dataset.added, { name }))
    this.changed()
  }

  addChip(name, field) {
    const chip = this.querySelector('template').content.firstElementChild.cloneNode(true)
    chip.dataset.name = name
    chip.querySelector('bdi').textContent = name
    for (const button of chip.querySelectorAll('button')) button.ariaLabel = fill(button.ariaLabel, { name })
    if (field) {
      field.type = 'hidden'
      chip.append(field)
    }
    this.chips.append(chip)
  }

  change(what, chip) {
    const { name } = chip.dataset
    if (what === 'remove') {
      const next = chip.nextElementSibling ?? chip.previousElementSibling
      chip.remove()
      ;(next?.querySelector('[data-do=remove]') ?? this.input).focus()
    } else {
      if (what === 'up') chip.previousElementSibling?.before(chip)
      else chip.nextElementSibling?.after(chip)
      chip.querySelector(`[data-do=${what}]`).focus()
    }
    tell(this.told, fill(this.dataset[what === 'remove' ? 'removed' : 'moved'], { name }))
    this.changed()
  }

  changed() {
    if (this.whole) this.whole.value = this.names().join(', ')
    this.dispatchEvent(new Event('change', { bubbles: true }))
  }
})

// A list of the browser's own comes when somebody goes to its field, and again for what is typed where there is too much to have it all.
for (const field of document.querySelectorAll('input[data-options]')) {
  const ask = newest(), typed = 'typed' in field.dataset
  const offer = async () => {
    const answer = await ask(field.dataset.options + (typed ? `?${new URLSearchParams({ [field.name]: field.value })}` : ''))
    if (answer?.ok) field.list.replaceChildren(answer.part)
  }
  field.addEventListener('focus', offer, { once: true })
  if (typed) field.addEventListener('input', later(300, offer))
}
