// The same by keyboard: Alt and the arrows, with Shift the end.
import { ended, factsOf, leftToRight, minute, oneDay, shifted } from './board_time.js'
import { busy, move, preview } from './board_send.js'
import { drag, stop } from './board_drag.js'

let pressed = null // what keys have asked for and nobody has sent yet
const pause = 500 // milliseconds after the last key

document.addEventListener('keydown', (e) => {
  if (e.key === 'Escape' && drag) return stop()
  const item = e.target.closest?.('#calendar .event[data-movable]')
  if (!item || !e.altKey || e.ctrlKey || e.metaKey || !e.key.startsWith('Arrow')) return
  e.preventDefault()
  if (busy || (pressed && pressed.from.id !== item.dataset.id)) return
  pressed ??= { from: factsOf(item) }
  pressed.to = stepped(pressed.to ?? pressed.from, e.key, e.shiftKey, item.classList.contains('slot'))
  clearTimeout(pressed.timer)
  pressed.timer = setTimeout(sendPressed, pause)
  preview(pressed.to)
})

/** The event after one key. */
function stepped(event, key, end, hours) {
  const on = { ArrowRight: leftToRight() ? 1 : -1, ArrowLeft: leftToRight() ? -1 : 1 }[key]
  const down = { ArrowDown: 1, ArrowUp: -1 }[key]
  const by = on ? on * oneDay : down * (hours ? 15 * minute : 7 * oneDay)
  return end ? ended(event, event.end + by) : shifted(event, by)
}

function sendPressed() {
  const { from, to } = pressed
  pressed = null
  move(from, to)
}
