// A second click on a form that is being sent does not send it again. After a while it does, because the first try may
// have been stopped. Where it takes long, the button says so; # is how many are chosen.
import { tell } from './ask.js'
import { number } from './say.js'

const pause = 30_000
let sent = new WeakMap()

function chosen({ elements }) {
  const all = elements.namedItem('all')
  return all?.checked ? Number(all.dataset.number) : [...elements].filter((one) => one.name === 'id' && (one.checked || one.type === 'hidden')).length
}

document.addEventListener('submit', (event) => {
  const { target: form, submitter: button } = event, text = button?.dataset.busy
  if (event.defaultPrevented || !text && !form.matches('.send')) return
  if (event.timeStamp - (sent.get(form) ?? -pause) < pause) return event.preventDefault()
  sent.set(form, event.timeStamp)
  if (!text) return
  const status = document.createElement('p')
  status.role = 'status'
  status.className = 'busy'
  button.ariaBusy = 'true'
  button.parentElement.append(status)
  tell(status, text.replace('#', number(chosen(form))))
})

addEventListener('pageshow', () => {
  sent = new WeakMap()
  for (const button of document.querySelectorAll('button[aria-busy]')) button.ariaBusy = null
  for (const status of document.querySelectorAll('p.busy')) status.remove()
})
