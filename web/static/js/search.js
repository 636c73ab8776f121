// What a search finds, while somebody types: links below the field, which the arrows lead to. Nothing is loaded before.
const pause = 250, least = 2

for (const form of document.querySelectorAll('form.search')) {
  const input = form.querySelector('input'), box = form.querySelector('.found'), status = form.querySelector('[role=status]')
  let wait, asking
  const links = () => [...box.querySelectorAll('a, button')]
  const close = () => { asking?.abort(); clearTimeout(wait); box.replaceChildren(); status.textContent = '' }

  const ask = async () => {
    asking?.abort()
    const { signal } = asking = new AbortController()
    const answer = await fetch(`${form.dataset.found}?search=${encodeURIComponent(input.value.trim())}`, { signal, credentials: 'omit' }).catch(() => null)
    if (!answer?.ok || answer.redirected) return
    const html = await answer.text().catch(() => '')
    if (signal.aborted) return
    box.replaceChildren(...new DOMParser().parseFromString(html, 'text/html').body.childNodes)
    status.textContent = box.querySelector('p').textContent
  }

  input.addEventListener('input', () => {
    clearTimeout(wait)
    if (input.value.trim().length < least) close()
    else wait = setTimeout(ask, pause)
  })
  form.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' && box.firstChild) {
      event.preventDefault()
      close()
      input.focus()
    } else if (step && links().length) {
      event.preventDefault()
      const all = [input, ...links()], at = all.indexOf(document.activeElement)
      all[(at + step + all.length) % all.length].focus()
    }
  })
  form.addEventListener('submit', () => { asking?.abort(); clearTimeout(wait) })
  form.addEventListener('focusout', ({ relatedTarget }) => { if (relatedTarget && !form.contains(relatedTarget)) close() })
  document.addEventListener('pointerdown', ({ target }) => { if (!form.contains(target)) close() })
}
