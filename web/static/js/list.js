// Lists. Many entries are chosen at once: all on the page, a range with Shift; and an event is changed where it stands.
import { ask, make, put } from './ask.js'
import { follow } from './ends.js'
import { counted, number, tell } from './say.js'

const boxes = (form) => [...form.elements].filter((one) => one.matches('input[type=checkbox][name=id]'))
let last // the box that was pressed last

/** Says how many are chosen. What is done with them can be done while there are any; its place is the same before. */
function count(form) {
  const list = boxes(form), n = list.filter((one) => one.checked).length
  const many = Number(form.querySelector('[name=all]:checked')?.dataset.number ?? n) // those on other pages, too
  for (const told of form.querySelectorAll('[data-chosen]')) {
    const text = told.dataset.text.replace('#', number(many))
    if (told.textContent !== text) told.textContent = text
  }
  for (const one of form.querySelectorAll('[data-deeds] :is(button, select)')) one.disabled = !many
  for (const one of form.querySelectorAll('[data-forms]')) one.textContent = counted(one.dataset.forms, many)
  for (const every of everyOf(form)) {
    every.hidden = false
    const box = every.querySelector('input')
    box.checked = n > 0 && n === list.length
    box.indeterminate = n > 0 && n < list.length
  }
}

/** The boxes that tick all on the page: beside what is done with them, and in the head of their table. */
const everyOf = (form) => [...form.elements].map((one) => one.closest('[data-every]')).filter(Boolean)

/** What is on other pages is chosen only together with all on this one. */
function leaveOthers(form) {
  const all = form.querySelector('[name=all]')
  if (all && boxes(form).some((one) => !one.checked)) all.checked = false
}

document.addEventListener('click', (event) => {
  const box = event.target, form = box.form
  if (!form?.matches('[data-many]') || !box.matches('input[type=checkbox][name=id]')) return
  const list = boxes(form)
  if (event.shiftKey && last && list.includes(last)) {
    const [from, to] = [list.indexOf(last), list.indexOf(box)].sort((a, b) => a - b)
    for (const one of list.slice(from, to + 1)) one.checked = box.checked
  }
  last = box
  leaveOthers(form)
  count(form)
})

document.addEventListener('change', (event) => {
  const { form } = event.target
  if (!form?.matches('[data-many]')) return
  if (event.target.closest('[data-every], [name=all]')) for (const one of boxes(form)) one.checked = event.target.checked
  leaveOthers(form)
  count(form)
})

const begin = () => { for (const form of document.querySelectorAll('form[data-many]')) count(form) }
document.addEventListener('swapped', begin)
addEventListener('pageshow', begin)

// An event is changed where it stands: Enter saves, Escape leaves it as it is. Without this its form is a page.
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

/** Prepares the form of a row. */
function prepare(line) {
  const [start, end] = ['start_date', 'end_date'].map((name) => line.querySelector(`[name=${name}]`))
  if (start && end) follow(start, end)
}

/** Puts a form into the place of a row. */
function show(row, part) {
  close()
  const line = make('tr', { className: 'row-open' }, make('td', { colSpan: row.children.length }, part))
  row.hidden = true
  row.after(line)
  open = { row, line }
  prepare(line)
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
    const answer = await ask(link.href)
    if (answer.ok && answer.part.querySelector('.row-form')) show(link.closest('tr'), answer.part)
    else location.href = link.href
  }
})

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || !event.target.closest?.('.row-open')) return
  event.preventDefault()
  close()
})

/** Shows the list as it is now, and goes back to the row. */
function renew(part, id) {
  open = undefined
  put(document.querySelector('#found'), part.querySelector('#found'))
  document.dispatchEvent(new Event('swapped'))
  for (const old of document.querySelectorAll('main > .said, .stays')) old.remove()
  const said = part.querySelector('main > .said'), heading = document.querySelector('h1')
  if (said) {
    said.classList.add('stays')
    document.querySelector('#found').before(said) // below the search, which it then never covers
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
  const answer = await ask(form.action, { body })
  if (answer.ok && answer.part.querySelector('#found')) renew(answer.part, form.action.match(/(\d+)\/row/)[1])
  else if (answer.status === 422) {
    form.replaceWith(answer.part)
    prepare(open.line)
    open.line.querySelector('[aria-invalid]')?.focus()
  } else form.submit() // what somebody else has saved is shown on a page of its own
})
