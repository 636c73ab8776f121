// The calendar of the administration, for those with a pointer and for keys.
// It does nothing that its links and forms don't do without it.
import { board } from './board_time.js'
import { busy, post, say } from './board_send.js'
import './board_drag.js'
import './board_keys.js'

document.documentElement.classList.add('scripted')

document.addEventListener('submit', (e) => {
  const form = e.target.closest('#calendar-status form')
  if (!form || busy) return
  e.preventDefault()
  const id = form.getAttribute('action').match(/\d+/)[0]
  post(form.getAttribute('action'), { ...Object.fromEntries(new FormData(form)), undo: '1' }, id)
})

/** Shows the hours in which most things happen. */
function toMorning() {
  const week = board()?.querySelector('.plan-week')
  const first = week && (week.querySelector('.morning'))
  if (week && week.scrollTop === 0) week.scrollTop = first.offsetTop - week.querySelector('.hours').offsetTop
}

document.addEventListener('moved', () => {
  say()
  toMorning()
  const to = document.querySelector('form.language input[name=to]')
  if (to) to.value = location.pathname + location.search
})

toMorning()
