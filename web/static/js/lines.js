// Several lines that are pasted into the field for one event go to the field for a list of events.
const key = 'kalends-lines'

document.addEventListener('paste', (event) => {
  const { lines: to } = event.target.dataset ?? {}, text = event.clipboardData.getData('text/plain')
  if (!to || text.split('\n').filter((line) => line.trim()).length < 2) return
  event.preventDefault()
  sessionStorage.setItem(key, text)
  location.assign(to)
})

const list = document.querySelector('textarea[name=lines]'), text = list && sessionStorage.getItem(key)
if (text) {
  sessionStorage.removeItem(key)
  list.value = text
  list.focus()
}

// What the check says about an entry of a list holds until one of its cells is changed. Then it has to be checked again.
document.addEventListener('input', ({ target }) => {
  const table = target.closest('[data-stale]'), row = table && target.closest('tr')
  if (!row || target.tagName === 'SELECT') return // a category that is chosen cannot be wrong
  const said = row.querySelector('[data-outcome]')
  if (said.textContent !== table.dataset.stale) said.textContent = table.dataset.stale
  said.classList.remove('bad')
  target.removeAttribute('aria-invalid')
  target.removeAttribute('data-doubt')
  if (!row.querySelector('[aria-invalid], [data-doubt]')) for (const one of row.querySelectorAll('[data-found]')) one.remove()
  for (const one of table.closest('form').querySelectorAll('[name=do][value=run], [name=do][value=look]')) {
    one.classList.toggle('plain', one.value === 'run')
  }
})
