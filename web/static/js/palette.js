// Ctrl+K (on a Mac Command+K) opens a field that leads to pages and finds entries by name. A question mark shows what keys do, unless
// somebody types.
import { later, newest } from './ask.js'
import { Combo, narrow } from './combo.js'

const palette = document.querySelector('#palette'), keys = document.querySelector('#keys')
const button = document.querySelector('[data-palette]')
const mac = /Mac|iPhone|iPad/.test(navigator.platform)
const least = 2, pause = 200

const typing = (at) => at.isContentEditable || at.matches?.('input, textarea, select')

if (palette) {
  const input = palette.querySelector('input'), list = palette.querySelector('[role=listbox]'), status = palette.querySelector('[role=status]')
  const pages = [...list.children], ask = newest()

  const combo = new Combo(input, list, ({ dataset }) => {
    palette.close()
    if ('keys' in dataset) keys.showModal()
    else location.assign(dataset.to)
  })

  const settle = () => {
    if (!combo.active || combo.active.hidden) combo.mark(combo.shown[0])
    status.textContent = combo.active ? '' : palette.dataset.none
  }

  const find = later(pause, async () => {
    if (!palette.open) return
    const answer = await ask(`${palette.dataset.source}?q=${encodeURIComponent(input.value.trim())}`)
    if (!answer?.ok) return
    list.append(...answer.part.querySelectorAll('[role=option]'))
    settle()
  })
  const patience = later(4 * pause, settle)

  const look = () => {
    for (const stop of [ask.stop, find.stop, patience.stop]) stop()
    for (const one of [...list.children]) if (!pages.includes(one)) one.remove()
    narrow(pages, input.value, (one) => one.firstChild.textContent)
    combo.mark(combo.shown[0])
    status.textContent = ''
    if (input.value.trim().length < least) return
    find()
    patience()
  }

  const start = () => {
    if (document.querySelector('dialog[open]')) return
    input.value = ''
    look()
    palette.showModal()
    list.scrollTop = 0
  }

  input.addEventListener('input', look)
  input.addEventListener('keydown', (event) => { if (event.key === 'Enter') event.preventDefault() })
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
