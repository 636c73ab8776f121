// An editor that shows a text as its readers see it, over the field that holds
// its HTML. What it could not keep whole stays in the field.
import { tell } from './ask.js'
import { same, shown, toEditor, toStored } from './rich-html.js'
import { pasted } from './rich-paste.js'

const longest = 100_000 // letters; the editor draws the whole text anew at each change

let loading
/** Loads the editor once, with the headings that stand below a page's own. */
function editor(address) {
  loading ??= import(address).then(async ({ default: trix }) => {
    for (const level of [2, 3, 4, 5, 6]) {
      trix.config.blockAttributes[`heading${level}`] = { tagName: `h${level}`, terminal: true, breakOnReturn: true, group: false }
    }
    await Promise.all(['trix-toolbar', 'trix-editor'].map((name) => customElements.whenDefined(name)))
    return trix
  })
  return loading
}

let made = 0

customElements.define('rich-text', class extends HTMLElement {
  async connectedCallback() {
    if (this.area) return
    this.area = this.querySelector('textarea')
    this.told = this.querySelector('[data-told]')
    this.name = this.area.id // what the label points at, and whichever of the two is shown has it
    const parts = this.querySelector('template').content.cloneNode(true)
    this.toolbar = parts.querySelector('trix-toolbar')
    this.switch = parts.querySelector('[data-switch]')
    this.toolbar.id = `rich-tools-${++made}`
    await editor(this.dataset.editor)
    this.area.before(parts)
    this.switch.addEventListener('click', () => (this.visual ? this.html() : this.show(true)))
    this.area.addEventListener('change', () => { if (this.visual && !this.writing) this.show(false) })
    this.addEventListener('paste', (event) => this.paste(event), true)
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && event.target.matches('[data-trix-input]')) event.preventDefault()
    })
    this.addEventListener('beforeinput', (event) => this.fixed(event), true)
    this.tools()
    // The editor's buttons hear of the mouse alone.
    this.toolbar.addEventListener('click', (event) => {
      const button = event.target.closest('[data-trix-attribute], [data-trix-action]')
      if (!button || event.detail !== 0) return
      this.pressed = button
      button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
    })
    await this.show(false)
    this.toggleAttribute('data-ready', true)
  }

  get visual() { return !this.toolbar.hidden }

  /** Shows the editor if it keeps all of the text, else the HTML. */
  async show(asked) {
    this.box?.remove()
    this.toolbar.hidden = false
    this.stored = this.area.value
    this.box = document.createElement('trix-editor')
    this.box.setAttribute('toolbar', this.toolbar.id)
    this.box.className = 'prose'
    this.box.dir = 'auto'
    this.box.id = this.name
    this.box.setAttribute('aria-label', this.dataset.label)
    this.area.id = `${this.name}-html`
    this.area.hidden = true
    for (const name of ['aria-describedby', 'aria-invalid']) {
      if (this.area.hasAttribute(name)) this.box.setAttribute(name, this.area.getAttribute(name))
    }
    const ready = new Promise((resolve) => { this.box.addEventListener('trix-initialize', resolve, { once: true }) })
    this.area.before(this.box)
    await ready
    const whole = this.stored.length <= longest && this.fill()
    if (!whole) {
      this.html()
      tell(this.told, this.dataset.lossy)
      return
    }
    this.box.addEventListener('trix-change', () => this.write())
    this.box.addEventListener('trix-file-accept', (event) => this.refuse(event))
    this.box.addEventListener('trix-attachment-add', ({ attachment }) => {
      attachment.remove()
      tell(this.told, this.dataset.nofile)
    })
    this.switch.ariaPressed = 'false'
    this.told.textContent = ''
    if (asked) this.box.focus()
  }

  fill() {
    const { editor } = this.box
    editor.loadHTML(toEditor(this.stored))
    editor.loadJSON(shown(editor))
    this.untouched = this.box.value
    return same(toStored(this.box.value), this.stored)
  }

  html() {
    this.box.remove()
    this.area.id = this.name
    this.toolbar.hidden = true
    this.area.hidden = false
    this.switch.ariaPressed = 'true'
    this.told.textContent = ''
  }

  write() {
    const text = this.box.value === this.untouched ? this.stored : toStored(this.box.value)
    if (text === this.area.value) return
    this.area.value = text
    this.writing = true
    for (const kind of ['input', 'change']) this.area.dispatchEvent(new Event(kind, { bubbles: true }))
    this.writing = false
  }

  refuse(event) {
    event.preventDefault()
    tell(this.told, this.dataset.nofile)
  }

  /** The buttons are one stop of the Tab key: arrows go from one to the next. They say whether they are pressed. */
  tools() {
    const bar = this.toolbar.querySelector('[role=toolbar]')
    const all = [...bar.querySelectorAll('button')]
    const stop = (one) => { for (const button of all) button.tabIndex = button === one ? 0 : -1 }
    stop(all[0])
    bar.addEventListener('focusin', ({ target }) => {
      stop(target)
      this.pressed = undefined
    })
    bar.addEventListener('keydown', (event) => {
      const open = all.filter((one) => !one.disabled), at = open.indexOf(document.activeElement)
      const onward = getComputedStyle(bar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
      const to = { Home: 0, End: open.length - 1, ArrowLeft: at - 1, ArrowRight: at + 1, [onward]: at + 1,
        [onward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft']: at - 1 }[event.key]
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      open.at(to % open.length).focus()
    })
    const say = () => {
      for (const one of all) if (one.dataset.trixAttribute) one.ariaPressed = String('trixActive' in one.dataset)
      const gone = all.find((one) => one.tabIndex === 0 && one.disabled) // a button with nothing left to do keeps neither stop nor focus
      if (!gone) return
      if (document.activeElement === gone || this.pressed === gone) this.box.focus()
      stop(all.find((one) => !one.disabled))
    }
    new MutationObserver(say).observe(bar, { attributes: true, attributeFilter: ['data-trix-active', 'disabled'], subtree: true })
    say()
  }

  /** Keeps a fixed blank that is typed, which the editor would make a blank of. */
  fixed(event) {
    if (event.inputType !== 'insertText' || event.data !== '\u00a0' || !event.target.closest('trix-editor')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    this.box.editor.insertString('\u2060 \u2060')
  }

  /** Keeps out what would take the editor long, and what can't be stored; makes a text of what other programs give. */
  paste(event) {
    if (!event.target.closest('trix-editor')) return
    const plain = event.clipboardData.getData('text/plain')
    const rich = event.clipboardData.getData('text/html')
    const { editor } = this.box
    if (plain.length + this.area.value.length <= longest && rich.length <= longest) {
      const clean = rich && pasted(rich)
      if (!clean) return
      event.preventDefault()
      event.stopImmediatePropagation()
      editor.recordUndoEntry('Paste')
      editor.insertHTML(toEditor(clean))
      return
    }
    event.preventDefault()
    event.stopImmediatePropagation()
    if (plain.length + this.area.value.length <= longest) editor.insertString(plain)
    else tell(this.told, this.dataset.large)
  }
})
