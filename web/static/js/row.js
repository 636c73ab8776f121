// An event of the list is changed where it stands: Enter saves, Escape leaves it as it is. Without this its form is a page.
import { ask, tell } from './ask.js'

let open // the row that is changed, and the line that has its form

/** Leaves the row as it is. */
function close() {
  if (!open) return
  const { row, line } = open
  open = undefined
  line.remove()
  row.hidden = false
  row.querySelector('a[data-row]').focus()
}

/** Puts a form into the place of a row. */
function show(row, part) {
  close()
  const line = document.createElement('tr'), cell = document.createElement('td')
  line.className = 'row-open'
  cell.colSpan = row.children.length
  cell.append(part)
  line.append(cell)
  row.hidden = true
  row.after(line)
  open = { row, line }
  const title = line.querySelector('[name=title]')
  title.focus()
  title.select()
}

document.addEventListener('click', async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  const link = event.target.closest?.('a[data-row]')
  if (open && event.target.closest?.('.row-open [data-cancel]')) {
    event.preventDefault()
    close()
  } else if (link) {
    event.preventDefault()
    const answer = await ask(link.href).catch(() => null)
    if (answer?.ok && answer.part.querySelector('.row-form')) show(link.closest('tr'), answer.part)
    else location.href = link.href
  }
})

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || !event.target.closest?.('.row-open')) return
  event.preventDefault()
  close()
})

/** Shows the list as it is now, with what was chosen in it, and goes back to the row. */
function renew(part, id) {
  const found = document.querySelector('#found'), fresh = part.querySelector('#found')
  const chosen = [...found.querySelectorAll('input[name=id]:checked')].map((box) => box.value)
  open = undefined
  found.replaceWith(fresh)
  for (const box of fresh.querySelectorAll('input[name=id]')) box.checked = chosen.includes(box.value)
  document.dispatchEvent(new Event('swapped'))
  for (const old of document.querySelectorAll('main > .said')) old.remove()
  const said = part.querySelector('main > .said'), heading = document.querySelector('h1')
  if (said) {
    document.querySelector('main').prepend(said)
    tell(document.querySelector('[data-told]'), said.textContent.trim())
  }
  heading.tabIndex = -1
  ;(document.querySelector(`#event-${id} a[data-row]`) ?? heading).focus()
}

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!form.matches('.row-open form')) return
  event.preventDefault()
  const body = new URLSearchParams(new FormData(form, event.submitter))
  const answer = await ask(form.action, { method: 'POST', body }).catch(() => null)
  if (answer?.ok && answer.part.querySelector('#found')) renew(answer.part, form.action.match(/(\d+)\/row/)[1])
  else if (answer?.status === 422) {
    form.replaceWith(answer.part)
    open.line.querySelector('[aria-invalid]')?.focus()
  } else form.submit() // what somebody else has saved is shown on a page of its own
})
