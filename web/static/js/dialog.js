import { make } from './ask.js'

/** Shows a dialog that asks something once: what begin gives to its argument, or undefined when it was closed. */
export function modal(dialog, begin) {
  document.body.append(dialog)
  return new Promise((resolve) => {
    let answer
    dialog.addEventListener('click', (event) => {
      if (!event.target.closest('[data-close]')) return
      event.preventDefault()
      dialog.close()
    })
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(answer)
    })
    dialog.showModal()
    begin((given) => {
      answer = given
      dialog.close()
    })
  })
}

/** A dialog with parts of a page, of which an element with an id is the heading. */
export function dialogOf(heading, ...parts) {
  const dialog = make('dialog', { className: 'dialog' }, ...parts)
  dialog.setAttribute('aria-labelledby', heading)
  return dialog
}
