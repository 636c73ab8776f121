// Choosing many in a list: all on the page, a range with Shift, and how many are chosen.
import { number } from './say.js'

const boxes = (form) => [...form.elements].filter((one) => one.matches('input[type=checkbox][name=id]'))
let last // the box that was pressed last

/** Says how many are chosen. */
function count(form) {
  const list = boxes(form), n = list.filter((one) => one.checked).length
  const told = form.querySelector('[data-chosen]'), every = form.querySelector('[data-every]')
  if (told) told.textContent = n ? told.dataset.text.replace('#', number(n)) : ''
  if (!every) return
  every.hidden = false
  const box = every.querySelector('input')
  box.checked = n > 0 && n === list.length
  box.indeterminate = n > 0 && n < list.length
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
  count(form)
})

document.addEventListener('change', (event) => {
  const { form } = event.target
  if (!form?.matches('[data-many]')) return
  if (event.target.closest('[data-every]')) for (const one of boxes(form)) one.checked = event.target.checked
  count(form)
})

const begin = () => { for (const form of document.querySelectorAll('form[data-many]')) count(form) }
document.addEventListener('swapped', begin)
addEventListener('pageshow', begin)
