// A part of a page takes the place of the one that is shown: that of the page a link or a form leads to, while its form is filled in, or
// of the same page a second later. Without this, links and forms lead to whole pages.
import { later, newest, put } from './ask.js'

const pause = 300, again = 1_000 // milliseconds after the last letter, and between two looks
const asking = new Map() // part → how it is asked for

/** Asks for a page and puts its part into this one; false when none came. */
async function swap(address, name, body) {
  if (!asking.has(name)) asking.set(name, newest())
  const old = document.querySelector(name)
  old.ariaBusy = 'true'
  const answer = await asking.get(name)(address, { body })
  if (!answer) return true
  const fresh = answer.part.querySelector(name)
  if (!fresh) {
    old.ariaBusy = 'false'
    return false
  }
  document.title = answer.part.querySelector('title')?.textContent ?? document.title
  put(old, fresh)
  for (const id of ['amount', 'filter-links']) {
    const there = document.getElementById(id), now = answer.part.getElementById(id)
    if (there && now) there.replaceChildren(...now.childNodes)
  }
  document.dispatchEvent(new Event('swapped'))
  return true
}

/** Goes to a page of which only a part is new. */
async function go(address, name) {
  const from = location.href
  if (!await swap(address, name)) return location.assign(address)
  if (address === from) return
  history.replaceState({ ...history.state, swapped: true }, '')
  history.pushState({ swapped: true }, '', address)
  document.dispatchEvent(new Event('moved'))
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-swap]')
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  go(link.href, link.dataset.swap)
})

/** Shows what a form leads to. */
function send(form) {
  const address = new URL(form.action)
  address.search = new URLSearchParams(new FormData(form))
  if ('push' in form.dataset) go(address.href, form.dataset.swap)
  else swap(address, form.dataset.swap)
}

const soon = later(pause, send)

document.addEventListener('input', ({ target }) => { if (target.form?.matches('form[data-swap]')) soon(target.form) })

document.addEventListener('submit', (event) => {
  if (!event.target.matches('form[data-swap][data-push]')) return
  event.preventDefault()
  soon.stop()
  send(event.target)
})

// A button that shows what its form would do is pressed at each change.
document.addEventListener('change', ({ target }) => {
  const button = target.form?.querySelector('button[data-swap]')
  if (button) swap(target.form.action, button.dataset.swap, new URLSearchParams([...new FormData(target.form, button)].filter(([, value]) => typeof value === 'string')))
})

addEventListener('popstate', ({ state }) => { if (state?.swapped) location.reload() })

/** Looks again at what isn't done. */
function look() {
  for (const part of document.querySelectorAll('[data-again]')) {
    setTimeout(async () => { if (!await swap(location.href, `#${part.id}`)) look() }, again)
  }
}

document.addEventListener('swapped', look)
look()
