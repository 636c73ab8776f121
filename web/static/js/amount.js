// The button of a filter says how many events it would show.
import { later } from './ask.js'

const pause = 300

for (const form of document.querySelectorAll('form[data-count]')) {
  let asking
  const count = later(pause, async () => {
    const { signal } = asking = new AbortController(), address = new URL(form.dataset.count, location.href)
    for (const [name, value] of new FormData(form)) if (value) address.searchParams.append(name, value)
    const answer = await fetch(address, { signal, credentials: 'omit' }).catch(() => null)
    const text = answer?.ok && await answer.text().catch(() => '')
    if (text && !signal.aborted) for (const button of form.querySelectorAll('[type=submit]')) button.textContent = text
  })
  form.addEventListener('input', ({ target }) => {
    if (!target.name) return
    asking?.abort()
    count()
  })
}
