// Ctrl+K (on a Mac Command+K) opens a field that leads to pages and finds entries by name: a combobox after the ARIA authoring practices.
// A question mark shows what keys do, unless somebody types.
import { ask, later } from './ask.js'
import { fold } from './fold.js'

const palette = document.querySelector('#palette'), keys = document.querySelector('#keys')
const button = document.querySelector('[data-palette]')
const mac = /Mac|iPhone|iPad/.test(navigator.platform)
const least = 2, pause = 200

const typing = (at) => at.isContentEditable || at.matches?.('input, textarea, select')

if (palette) {
  const input = palette.querySelector('input'), list = palette.querySelector('[role=listbox]'), status = palette.querySelector('[role=status]')
  const pages = [...list.children]
  let asking, active

  const shown = () => [...list.children].filter((one) => !one.hidden)

  /** Marks the entry that Enter opens. */
  const mark = (one) => {
    active?.setAttribute('aria-selected', 'false')
    active = one
    if (!one) return input.removeAttribute('aria-activedescendant')
    one.id ||= `palette-${[...list.children].indexOf(one)}`
    one.setAttribute('aria-selected', 'true')
    input.setAttribute('aria-activedescendant', one.id)
    one.scrollIntoView({ block: 'nearest' })
  }

  const settle = () => {
    mark(shown()[0])
    status.textContent = shown().length ? '' : palette.dataset.none
  }

  const find = later(pause, async () => {
    const typed = input.value.trim()
    if (typed.length < least || !palette.open) return
    const { signal } = asking = new AbortController()
    const answer = await ask(`${palette.dataset.source}?q=${encodeURIComponent(typed)}`, { signal }).catch(() => null)
    if (!answer?.ok || signal.aborted) return
    list.append(...answer.part.querySelectorAll('[role=option]'))
    if (!active || active.hidden) settle()
    else status.textContent = ''
  })

  const narrow = () => {
    asking?.abort()
    for (const one of [...list.children]) if (!pages.includes(one)) one.remove()
    const wanted = fold(input.value.trim())
    for (const one of pages) one.hidden = !fold(one.firstChild.textContent).includes(wanted)
    mark(shown()[0])
    status.textContent = ''
    if (wanted.length < least) return
    if (!shown().length) later(4 * pause, () => { if (!shown().length) status.textContent = palette.dataset.none })()
    find()
  }

  const open = (one) => {
    if (!one) return
    palette.close()
    if ('keys' in one.dataset) keys.showModal()
    else location.assign(one.dataset.to)
  }

  const start = () => {
    if (document.querySelector('dialog[open]')) return
    input.value = ''
    narrow()
    palette.showModal()
    input.focus()
    list.scrollTop = 0
  }

  input.addEventListener('input', narrow)
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    const all = shown(), at = all.indexOf(active), step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && all.length) {
      event.preventDefault()
      mark(all[(at + step + all.length) % all.length])
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(active)
    }
  })
  list.addEventListener('click', (event) => open(event.target.closest('[role=option]')))
  list.addEventListener('mousedown', (event) => event.preventDefault()) // the field keeps the focus
  for (const one of [palette, keys]) one.addEventListener('click', (event) => { if (event.target === one) one.close() })
  button.hidden = false
  button.addEventListener('click', start)
  if (mac) {
    for (const [key, sign] of [['mod', '⌘'], ['Alt', '⌥']]) for (const one of keys.querySelectorAll(`[data-key="${key}"]`)) one.textContent = sign
    button.setAttribute('aria-keyshortcuts', 'Meta+K')
  }

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    if (event.key.toLowerCase() === 'k' && !event.shiftKey && (mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey)) {
      event.preventDefault()
      if (palette.open) palette.close()
      else start()
    } else if (event.key === '?' && !event.ctrlKey && !event.metaKey && !typing(event.target) && !document.querySelector('dialog[open]')) {
      event.preventDefault()
      keys.showModal()
    }
  })
}
