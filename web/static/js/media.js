// The library takes files that are dropped anywhere on its page, pasted or
// chosen, one after the other; what came in stands in the grid and waits for words.
import { ask, make } from './ask.js'
import { tell } from './say.js'
import { inSession } from './session.js'
import { send, takes } from './upload.js'

customElements.define('media-upload', class extends HTMLElement {
  connectedCallback() {
    if (this.waiting) return
    this.waiting = []
    this.form = this.querySelector('form')
    this.file = this.querySelector('[type=file]')
    this.list = this.querySelector('.uploads')
    this.status = this.querySelector('[data-status]')
    this.form.querySelector('.send').hidden = true
    this.form.querySelector('.drop').hidden = false
    this.file.addEventListener('change', () => {
      this.take(this.file.files)
      this.file.value = ''
    })
    this.list.addEventListener('submit', (event) => this.describe(event))
    takes(this.closest('main'), (files) => this.take(files))
  }

  /** Puts files in the queue and sees that it moves. */
  async take(files) {
    for (const file of [...files]) this.waiting.push([file, this.row(file)])
    if (this.running) return
    this.running = true
    while (this.waiting.length) await this.send(...this.waiting.shift())
    this.running = false
  }

  row(file) {
    const name = make('span', { className: 'file' }, make('bdi', {}, file.name))
    const bar = make('progress', { max: 1, value: 0, ariaLabel: `${this.dataset.sending}: ${file.name}` })
    const row = make('li', {}, name, bar)
    this.list.hidden = false
    this.list.append(row)
    return row
  }

  async send(file, row) {
    const bar = row.querySelector('progress')
    if (file.size > Number(this.dataset.most)) {
      this.refuse(file, row, this.dataset.large)
      return
    }
    const part = await send(this.form.action, this.form, 'files', file, (share) => { bar.value = share })
    const shown = part.querySelector('li')
    if (!shown) {
      this.refuse(file, row, part.querySelector('.wrong')?.textContent ?? this.dataset.failed)
      return
    }
    this.show(shown)
    bar.remove()
    row.prepend(part.querySelector('.sent'))
    row.append(part.querySelector('form'))
    tell(this.status, `${file.name}: ${row.querySelector('form .hint').textContent}`)
  }

  /** Puts a picture before the others of the grid. */
  show(item) {
    const grid = document.querySelector('.media-grid')
    grid.parentElement.querySelector('.nothing')?.remove()
    grid.prepend(item)
  }

  refuse(file, row, text) {
    row.querySelector('progress').replaceWith(make('span', { className: 'wrong' }, text))
    tell(this.status, `${file.name}: ${text}`)
  }

  /** Stores the words for a picture; the answer takes the place of the form. */
  async describe(event) {
    event.preventDefault()
    const form = event.target
    const answer = await inSession(() => ask(form.action, { body: new URLSearchParams([...new FormData(form), ['do', 'save']]) }))
    const next = [200, 422].includes(answer.status) ? answer.part.querySelector('form') : null
    const said = next?.querySelector('.hint, .wrong').textContent ?? this.dataset.failed
    if (next) {
      const within = form.contains(document.activeElement) ? document.activeElement.name : ''
      form.replaceWith(next)
      if (within) next.elements[within].focus()
    }
    tell(this.status, `${(next ?? form).elements.alt.value} – ${said}`)
  }
})

// A click on a picture is the point of it that is never cut off; the numbers that are sent follow it, and the mark follows them.
customElements.define('focus-point', class extends HTMLElement {
  connectedCallback() {
    const [x, y] = this.fields = ['focus_x', 'focus_y'].map((name) => document.getElementById(`f-${name}`))
    if (!x || this.mark) return
    this.mark = make('span', { className: 'focus-mark' })
    this.append(this.mark)
    this.addEventListener('click', ({ clientX, clientY }) => {
      const box = this.firstElementChild.getBoundingClientRect()
      x.value = Math.round((clientX - box.left) / box.width * 100)
      y.value = Math.round((clientY - box.top) / box.height * 100)
      x.dispatchEvent(new Event('input', { bubbles: true }))
    })
    x.form.addEventListener('input', () => this.show())
    this.show()
  }

  show() {
    const [x, y] = this.fields
    this.mark.style.left = `${x.value}%`
    this.mark.style.top = `${y.value}%`
  }
})
