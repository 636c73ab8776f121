// A picture: dropped, pasted, chosen, from the library or from an address. A
// file is stored at once; the form only names it.
import { ask, later } from './ask.js'
import { send } from './send.js'

customElements.define('image-field', class extends HTMLElement {
  connectedCallback() {
    if (this.tools) return
    this.name = this.dataset.name ?? 'image'
    this.field = this.querySelector(`[name=${this.name}]`)
    this.file = this.querySelector(`[name=${this.name}_file]`)
    this.shown = this.querySelector('[data-shown]')
    this.address = this.querySelector('[data-address]')
    this.querySelector('.unscripted').remove()
    this.prepend(this.querySelector('template').content.cloneNode(true))
    this.tools = this.querySelector('.image-tools')
    this.told = this.querySelector('[data-told]')
    this.tools.querySelector('.label').after(this.shown)
    const wrong = this.address.querySelector('.wrong')
    this.showAddress(Boolean(wrong) || !this.shown.children.length && /\D/.test(this.field.value))
    this.tools.addEventListener('click', ({ target }) => this.press(target.closest('[data-do]')?.dataset.do))
    this.field.addEventListener('change', () => this.take())
    if (!this.file) return
    this.querySelector('[data-file]').hidden = true
    this.file.addEventListener('change', () => { if (this.file.files.length) this.send(this.file.files[0]) })
    this.addEventListener('dragover', (event) => {
      event.preventDefault()
      this.classList.add('over')
    })
    this.addEventListener('dragleave', () => this.classList.remove('over'))
    this.addEventListener('drop', (event) => {
      event.preventDefault()
      this.classList.remove('over')
      if (event.dataTransfer.files.length) this.send(event.dataTransfer.files[0])
    })
    document.addEventListener('paste', (event) => {
      const file = event.clipboardData?.files[0]
      if (!file || event.defaultPrevented || this.dataset.name && !this.contains(event.target) || event.target.closest?.('rich-text, input, textarea') && !this.contains(event.target)) return
      event.preventDefault()
      this.send(file)
    })
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
    this.set(figure.dataset[this.name], figure.dataset.alt, figure)
    this.showAddress(false)
  }

  csrf() { return this.closest('form').querySelector('[name=csrf]').value }

  /** Stores what was typed as an address; without the right to that, the form does. Where a field is one for addresses, they stay. */
  async take() {
    if (this.dataset.name || !this.field.value.trim() || !('upload' in this.dataset)) return
    const body = new URLSearchParams({ csrf: this.csrf(), image: this.field.value })
    const answer = await ask(this.dataset.source, { method: 'POST', body }).catch(() => null)
    if (answer && (answer.ok || answer.status === 422)) this.show(answer.part)
  }

  async send(file) {
    const bar = this.tools.querySelector('progress')
    bar.value = 0
    bar.hidden = false
    this.told.replaceChildren()
    const { part } = await send(this.dataset.source, this.closest('form'), 'image_file', file, (share) => { bar.value = 100 * share })
    bar.hidden = true
    if (part.firstElementChild) this.show(part)
    else this.fail()
    if (this.file) this.file.value = ''
  }

  fail() {
    const p = document.createElement('p')
    p.className = 'wrong'
    p.textContent = this.dataset.failed
    this.told.replaceChildren(p)
  }

  library() {
    const dialog = this.querySelector('template[data-dialog]').content.firstElementChild.cloneNode(true)
    const list = dialog.querySelector('[data-list]')
    const search = dialog.querySelector('input')
    const load = async (page = 1) => {
      const answer = await ask(`${this.dataset.source}?q=${encodeURIComponent(search.value)}&page=${page}`).catch(() => null)
      if (answer?.ok) list.replaceChildren(answer.part)
    }
    search.addEventListener('input', later(250, () => load()))
    dialog.addEventListener('close', () => dialog.remove())
    dialog.addEventListener('click', ({ target }) => {
      const { image, alt, src, file, page, ...names } = target.closest('button')?.dataset ?? {}
      if (page) load(page)
      else if (image) {
        this.set(names[this.name] ?? image, alt, this.figure(src, alt, file))
        dialog.close()
      } else if (target.closest('[data-close]')) dialog.close()
    })
    document.body.append(dialog)
    dialog.showModal()
    load()
  }

  figure(src, alt, file) {
    const figure = document.createElement('figure')
    figure.className = 'chosen'
    const img = new Image()
    img.className = 'thumb'
    img.src = src
    img.alt = alt
    const caption = document.createElement('figcaption')
    caption.className = 'hint'
    caption.textContent = file
    figure.append(img, caption)
    return figure
  }
})
