// A picture: dropped, pasted, chosen, from the library or from an address. A
// file is stored at once; the form only names it.
import { ask, later, make, newest } from './ask.js'
import { modal } from './dialog.js'
import { send, takes } from './upload.js'

customElements.define('image-field', class extends HTMLElement {
  connectedCallback() {
    if (this.tools) return
    this.name = this.dataset.name ?? 'image'
    this.kind = this.dataset.kind ?? 'image'
    this.field = this.querySelector(`[name=${this.name}]`)
    this.file = this.querySelector(`[name=${this.name}_file]`)
    this.shown = this.querySelector('[data-shown]')
    this.address = this.querySelector('[data-address]')
    this.tools = this.querySelector('.image-tools')
    this.told = this.querySelector('[data-told]')
    const wrong = this.address.querySelector('.wrong')
    this.showAddress(Boolean(wrong) || !this.shown.children.length && /\D/.test(this.field.value))
    this.tools.addEventListener('click', ({ target }) => this.press(target.closest('[data-do]')?.dataset.do))
    this.field.addEventListener('change', () => this.take())
    if (!this.file) return
    this.querySelector('[data-file]').hidden = true
    this.file.addEventListener('change', () => { if (this.file.files.length) this.send(this.file.files[0]) })
    const here = ({ target }) => this.contains(target) || !this.dataset.name && !target.closest?.('rich-text, input, textarea')
    takes(this, ([file]) => this.send(file), here)
  }

  press(what) {
    if (what === 'file') this.file.click()
    else if (what === 'library') this.library()
    else if (what === 'remove') this.set('', '', null)
    else if (what === 'address') {
      this.showAddress(this.address.hidden)
      if (!this.address.hidden) this.field.focus()
    }
  }

  showAddress(on) {
    this.address.hidden = !on
    this.tools.querySelector('[data-do=address]').ariaExpanded = String(on)
  }

  set(id, alt, figure) {
    this.field.value = id
    for (const words of this.querySelectorAll('[name=image_alt], [name=image_alt_was]')) words.value = alt
    this.shown.replaceChildren(...(figure ? [figure] : []))
    this.told.replaceChildren()
    if (this.file) this.file.value = ''
    for (const kind of this.dataset.name ? ['input', 'change'] : ['input']) this.field.dispatchEvent(new Event(kind, { bubbles: true }))
  }

  /** Shows an answer: a picture, or what is wrong with it. */
  show(part) {
    const figure = part.querySelector('figure')
    if (!figure) {
      this.told.replaceChildren(part)
      return
    }
    this.set(figure.dataset[this.kind], figure.dataset.alt, figure)
    this.showAddress(false)
  }

  csrf() { return this.closest('form').querySelector('[name=csrf]').value }

  /** Stores what was typed as an address; without the right to that, the form does. Where a field is one for addresses, they stay. */
  async take() {
    if (this.dataset.name || !this.field.value.trim() || !('upload' in this.dataset)) return
    const body = new URLSearchParams({ csrf: this.csrf(), image: this.field.value })
    const { ok, status, part } = await ask(this.dataset.source, { body })
    if (ok || status === 422) this.show(part)
  }

  async send(file) {
    const bar = this.tools.querySelector('progress')
    bar.value = 0
    bar.hidden = false
    this.told.replaceChildren()
    const part = await send(this.dataset.source, this.closest('form'), 'image_file', file, (share) => { bar.value = 100 * share })
    bar.hidden = true
    this.show(part.firstElementChild ? part : make('p', { className: 'wrong' }, this.dataset.failed))
    if (this.file) this.file.value = ''
  }

  library() {
    const dialog = this.querySelector('template[data-dialog]').content.firstElementChild.cloneNode(true)
    const list = dialog.querySelector('[data-list]')
    const search = dialog.querySelector('input')
    const found = newest()
    const load = async (page = 1) => {
      const answer = await found(`${this.dataset.source}?q=${encodeURIComponent(search.value)}&page=${page}`)
      if (answer?.ok) list.replaceChildren(answer.part)
    }
    search.addEventListener('input', later(250, () => load()))
    modal(dialog, (end) => {
      dialog.addEventListener('click', ({ target }) => {
        const button = target.closest('button'), chosen = button?.querySelector('template')
        if (button?.dataset.page) load(button.dataset.page)
        else if (chosen) {
          const figure = chosen.content.firstElementChild.cloneNode(true)
          this.set(figure.dataset[this.kind], figure.dataset.alt, figure)
          end()
        }
      })
      load()
    })
  }
})
