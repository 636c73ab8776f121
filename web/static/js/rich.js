// A text as its readers see it, over the field that holds its HTML. The server draws it; the editor takes it over where it stands, when
// somebody goes there. What the editor could not keep whole stays in the field.
import { stop, walk } from './combo.js'
import { idle } from './form.js'
import { tell } from './say.js'

const longest = 100_000 // letters
const described = ['aria-describedby', 'aria-invalid']

customElements.define('rich-text', class extends HTMLElement {
  connectedCallback() {
    if (this.area) return
    this.area = this.querySelector('textarea')
    this.box = this.querySelector('.rich-box')
    this.drawn = [...this.box.attributes].map(({ name, value }) => [name, value])
    this.told = this.querySelector('[data-told]')
    this.bars = [...this.querySelectorAll('[role=toolbar]')]
    this.ofTables = this.querySelector('[data-tables]')
    this.dialog = this.querySelector('.rich-dialog')
    this.field = this.dialog.querySelector('input')
    this.switch = this.querySelector('[data-switch]')
    this.name = this.area.id // what the label points at, and whichever of the two is shown has it
    this.switch.addEventListener('click', () => (this.visual ? this.html() : this.show(true)))
    this.area.addEventListener('change', () => { if (this.visual && !this.writing) this.show(false) })
    this.box.addEventListener('pointerdown', ({ clientX, clientY }) => { if (!this.view) this.pointed = { left: clientX, top: clientY } })
    this.box.addEventListener('focusin', () => { if (!this.view) this.open(true) })
    for (const bar of this.bars) this.tools(bar)
    this.links()
    this.visual = true
    this.named()
    const begin = () => idle(() => this.check())
    if (document.readyState === 'complete') begin()
    else addEventListener('load', begin, { once: true })
  }

  /** Gives the name of the field to the one that is shown. */
  named() {
    this.toggleAttribute('data-html', !this.visual)
    this.area.id = this.visual ? `${this.name}-html` : this.name
    this.box.id = this.visual ? this.name : ''
    this.area.hidden = this.visual
    this.box.hidden = this.bars[0].hidden = !this.visual
    this.switch.ariaPressed = String(!this.visual)
    this.told.textContent = ''
    if (!this.view) this.box.tabIndex = 0
    for (const name of described) if (this.area.hasAttribute(name)) this.box.setAttribute(name, this.area.getAttribute(name))
  }

  /** Loads the editor, and shows the HTML of a text that it would change. */
  async check() {
    this.editor ??= await import(this.dataset.editor)
    const text = this.area.value
    this.whole = text.length <= longest && this.editor.same(this.editor.write(this.editor.read(text)), text)
    if (!this.whole && this.visual) {
      this.html()
      tell(this.told, this.dataset.lossy)
    }
    this.toggleAttribute('data-ready', true)
    return this.whole
  }

  /** Makes the box an editor. */
  async open(focus) {
    if (!this.view && (this.opening || !await (this.opening = this.check()))) {
      this.opening = undefined
      return
    }
    this.opening = undefined
    if (!this.view) {
      this.stored = this.area.value
      this.view = this.editor.mount(this.box, this.stored, {
        changed: (view, changed) => this.changed(view, changed),
        link: () => { this.ask(); return true },
        leave: () => { this.bars[0].querySelector('[tabindex="0"]').focus(); return true },
        refuse: (why) => { tell(this.told, this.dataset[why]); return true },
        fits: (more) => this.area.value.length + more <= longest,
      })
      this.first = this.view.state.doc
      this.say()
      const at = this.pointed && this.view.posAtCoords(this.pointed)
      if (at) this.editor.setCaret(this.view, at.pos)
      this.pointed = undefined
    }
    if (focus) this.view.focus()
  }

  /** Shows the text as it is in the field now. */
  async show(asked) {
    this.close()
    this.visual = true
    this.named()
    await this.open(asked)
  }

  close() {
    this.view?.destroy()
    if (this.view) for (const [name, value] of this.drawn) this.box.setAttribute(name, value) // which went with the editor
    this.view = undefined
    this.dialog.hidden = this.ofTables.hidden = true
  }

  html() {
    this.close()
    this.visual = false
    this.named()
  }

  changed(view, changed) {
    this.say()
    if (!changed) return
    const text = view.state.doc.eq(this.first) ? this.stored : this.editor.write(view.state.doc)
    if (text === this.area.value) return
    this.area.value = text
    this.writing = true
    for (const kind of ['input', 'change']) this.area.dispatchEvent(new Event(kind, { bubbles: true }))
    this.writing = false
  }

  /** From where to where somebody has chosen, for the page that comes after saving. */
  get range() {
    const { from, to } = this.view?.state.selection ?? { from: 0, to: 0 }
    return [from, to]
  }

  async go(at) {
    await this.open(false)
    if (!this.view) return
    this.editor.setCaret(this.view, at)
    this.view.focus()
  }

  async press(name) {
    await this.open(false)
    if (!this.view) return
    if (name === 'href') return this.ask()
    this.editor.commands[name](this.view.state, this.view.dispatch.bind(this.view), this.view)
  }

  /** The buttons of a bar are one stop of the Tab key: arrows go from one to the next. They say whether they are pressed. */
  tools(bar) {
    const all = [...bar.querySelectorAll('button')]
    stop(all, all[0])
    bar.addEventListener('mousedown', (event) => event.preventDefault()) // the text keeps focus
    bar.addEventListener('click', async ({ target, detail }) => {
      const button = target.closest('button')
      if (!button) return
      await this.press(button.dataset.do)
      if (detail !== 0 && button.dataset.do !== 'href') this.view?.focus()
    })
    bar.addEventListener('focusin', ({ target }) => stop(all, target))
    bar.addEventListener('keydown', (event) => walk(event, all.filter((one) => !one.disabled), true))
  }

  say() {
    const pressed = this.editor.pressed(this.view.state)
    const focus = document.activeElement
    for (const bar of this.bars) {
      const all = [...bar.querySelectorAll('button')]
      for (const button of all) {
        const name = button.dataset.do
        if (name in pressed) button.ariaPressed = String(Boolean(pressed[name]))
        else button.disabled = !this.editor.commands[name](this.view.state)
      }
      if (bar === this.ofTables) bar.hidden = !pressed.inTable
      const gone = all.find((one) => one.tabIndex === 0 && one.disabled) // a button with nothing left to do keeps neither stop nor focus
      const open = all.find((one) => !one.disabled)
      if (gone && open) stop(all, open)
      if (bar.contains(focus) && (bar.hidden || focus.disabled) || focus === gone) this.view.focus()
    }
  }

  /** Asks for the address of a link. */
  ask() {
    this.field.value = this.editor.linkAt(this.view.state).mark?.attrs.a?.href ?? ''
    this.dialog.hidden = false
    this.field.focus()
    this.field.select()
  }

  links() {
    const set = (href) => {
      this.dialog.hidden = true
      this.editor.setLink(this.view, href)
    }
    this.dialog.querySelector('[data-set]').addEventListener('click', () => set(this.field.value.trim()))
    this.dialog.querySelector('[data-remove]').addEventListener('click', () => set(''))
    this.dialog.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== 'Escape' || event.key === 'Enter' && event.target !== this.field) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Enter') return set(this.field.value.trim())
      this.dialog.hidden = true
      this.view.focus()
    })
  }
})
