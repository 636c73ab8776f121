// What a visitor keeps: ids of events, in this browser alone. Buttons keep and give up, and the page of what is kept is filled.
import { ask } from './ask.js'
import { offer } from './clip.js'
import { number, tell } from './say.js'

const name = 'kept', most = 200, form = /^s?[1-9][0-9]{0,18}$/

const kept = () => {
  try {
    const list = JSON.parse(localStorage.getItem(name))
    return Array.isArray(list) ? list.filter((id) => form.test(id)).slice(-most) : []
  } catch { return [] }
}

const store = (list) => {
  try { localStorage.setItem(name, JSON.stringify([...new Set(list)].slice(-most))) } catch { /* a browser that keeps nothing */ }
  draw()
}

const draw = () => {
  const list = kept()
  for (const button of document.querySelectorAll('[data-keep]')) button.ariaPressed = list.includes(button.dataset.keep)
  for (const button of document.querySelectorAll('[data-keep-all]')) button.hidden = shared().every((id) => list.includes(id))
  for (const link of document.querySelectorAll('[data-kept]')) {
    link.hidden = !list.length
    link.querySelector('.count').textContent = number(list.length)
  }
}

const plan = document.getElementById('plan'), own = plan?.dataset.own
const shared = () => (plan?.dataset.found ?? '').split(',').filter((id) => form.test(id))

const none = () => plan.replaceChildren(document.getElementById('plan-none').content.cloneNode(true))

// What is over or gone leaves the list, once the server has said so.
const fill = async () => {
  const status = document.getElementById('plan-status'), asked = kept()
  if (!asked.length) return none()
  const answer = await ask(`${own}?ids=${asked}`, { credentials: 'omit' }), part = answer.part.getElementById('plan')
  if (!answer.ok || !part) return tell(status, status.dataset.failed)
  plan.dataset.found = part.dataset.found
  const found = shared()
  if (found.length) plan.replaceChildren(...part.childNodes)
  else none()
  offer(plan)
  if (found.length < asked.length) tell(status, status.dataset.gone)
  store(kept().filter((id) => found.includes(id) || !asked.includes(id)))
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-keep], [data-keep-all]')
  if (!button) return
  const id = button.dataset.keep, list = kept()
  if (!id) store([...list, ...shared()])
  else store(list.includes(id) ? list.filter((one) => one !== id) : [...list, id])
})
addEventListener('storage', draw)
addEventListener('pageshow', ({ persisted }) => { if (persisted) own ? fill() : draw() })
draw()
if (own) fill()

// Says once that somebody follows a link that is counted, in browsers that don't send pings of links by themselves, too.
for (const kind of ['click', 'auxclick']) {
  addEventListener(kind, ({ target, button }) => {
    const link = button < 2 && target.closest?.('a[ping]')
    if (!link) return
    navigator.sendBeacon?.(link.ping, new URLSearchParams())
    link.removeAttribute('ping')
  })
}

// Links to the administration, where somebody has signed in with this browser. The server sends everybody the same page.
if (/(^|; )kalends-signed=1(;|$)/.test(document.cookie)) {
  const links = document.getElementById('desk')
  links?.replaceWith(links.content)
}
